// SPDX-License-Identifier: Apache-2.0
//
// What the program of a GPU is made of: computations, messages and collective operations, where
// those inside of a server do not use the network. Passes compute on one CPU, and messages go by
// another, so that both overlap.
#pragma once

#include "groups.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/training/division.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::training {

inline constexpr std::uint64_t kMostMadeOperations = 50'000'000;  // some 3 GB of a program

// Rounded up.
[[nodiscard]] std::int64_t part_of(std::int64_t whole, std::size_t parts);

class GpuOperations {
 protected:
  using After = std::optional<std::uint32_t>;
  using Kind = program::Collective::Kind;

  // A group that a GPU is a member of.
  struct Group {
    std::vector<std::uint32_t> ranks;
    bool is_inside = false;  // of a server: it does not use the network
  };

  // The division must outlive it.
  GpuOperations(const Division& division, DataRate scale_up, std::uint32_t rank);

  [[nodiscard]] Group group(std::vector<std::uint32_t> ranks) const;
  [[nodiscard]] bool is_inside(std::uint32_t other) const;
  // What an operation inside of a server takes: the bytes that a GPU sends by a ring over its rate.
  [[nodiscard]] Duration inside_time(Kind kind, const Group& group, DataSize size) const;

  std::uint32_t compute(Duration time, std::span<const After> after);
  std::uint32_t compute(Duration time, std::initializer_list<After> after) {
    return compute(time, std::span(after.begin(), after.size()));
  }
  std::uint32_t message(program::Operation::Kind kind, std::uint32_t peer, std::uint32_t tag,
                        DataSize size);
  After collective(Kind kind, const Group& group, DataSize size, std::uint32_t tag, After after);

  const Division& division_;
  DataRate scale_up_;  // of a GPU, in each direction, to the others of its server
  Groups groups_;
  std::uint32_t rank_;
  Place place_;
  program::RankBuilder built_;
};

}  // namespace ebb::training
