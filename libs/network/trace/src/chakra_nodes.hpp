// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a rank, as its Chakra file has them. The messages of the format are seen by
// chakra_nodes.cpp and chakra_write.cpp alone.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

struct ChakraNode {
  enum class Kind : std::uint8_t { compute, send, receive, collective };

  std::uint64_t id = 0;
  Kind kind = Kind::compute;
  bool is_cpu_op = false;
  Duration time{};         // of a computation
  DataSize size{};         // comm_size
  std::uint32_t peer = 0;  // comm_dst of a send, comm_src of a receive
  std::uint32_t tag = 0;   // comm_tag
  program::Collective::Kind collective = program::Collective::Kind::all_reduce;
  std::string group;                     // pg_name
  std::vector<bool> dimensions;          // involved_dim
  std::vector<std::uint64_t> data_deps;  // ids of nodes that end before it
  std::vector<std::uint64_t> ctrl_deps;  // the same; in recorded traces its caller
};

// What a file holds, in the words of the format.
enum class ChakraCount : std::uint8_t {
  nodes,
  metadata,
  memory,
  computations,
  sends,
  receives,
  collectives,
  launches,  // collectives on the host's side, which start one and are none
  cpu_ops,
  data_deps,
  ctrl_deps,
  collective_bytes,
  microseconds,
};
inline constexpr std::array<std::string_view, 13> kChakraCountNames = {
    "nodes",       "METADATA",  "MEM",       "COMP",
    "COMM_SEND",   "COMM_RECV", "COMM_COLL", "COMM_COLL without comm_type",
    "is_cpu_op",   "data_deps", "ctrl_deps", "bytes of collectives",
    "microseconds"};
class ChakraCounts {
 public:
  [[nodiscard]] std::uint64_t& operator[](ChakraCount what) {
    return counts_[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] std::uint64_t operator[](ChakraCount what) const {
    return counts_[static_cast<std::size_t>(what)];
  }

 private:
  std::array<std::uint64_t, kChakraCountNames.size()> counts_{};
};

struct ChakraRank {
  std::string file;
  std::vector<ChakraNode> nodes;         // in the order of the file, no id twice
  std::vector<std::string> group_lists;  // JSON of METADATA nodes that define groups of ranks
  ChakraCounts counts;
};

// Whether the bytes begin with the messages of the format, compressed by gzip or not.
[[nodiscard]] bool is_chakra(std::string_view bytes);

[[nodiscard]] Result<ChakraRank> read_chakra_nodes(std::string_view bytes, const std::string& name);

}  // namespace ebb::trace
