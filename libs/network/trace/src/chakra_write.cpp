// SPDX-License-Identifier: Apache-2.0
//
// A program as Chakra nodes: operation i of a rank is node i of its file.
#if EBB_HAVE_CHAKRA
#include "ebb/program/check.hpp"
#include "ebb/trace/chakra.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chakra.pb.h>
#include <chrono>
#include <google/protobuf/util/delimited_message_util.h>
#include <sstream>
#include <utility>

namespace ebb::trace {
namespace {

namespace messages = ::ChakraProtoMsg;
using program::Operation;

constexpr std::uint32_t kMostInt32 = 0x7fff'ffff;

std::chrono::microseconds written_time(const Operation& operation) {
  return std::chrono::round<std::chrono::microseconds>(operation.time);
}

void add_number(messages::Node& node, const char* name, std::uint32_t value) {
  messages::AttributeProto& attribute = *node.add_attr();
  attribute.set_name(name);
  attribute.set_int32_val(static_cast<std::int32_t>(value));
}

messages::Node node_of(const Operation& operation, std::uint32_t id) {
  messages::Node node;
  node.set_id(id);
  messages::AttributeProto& side = *node.add_attr();
  side.set_name("is_cpu_op");
  side.set_bool_val(operation.kind == Operation::Kind::compute && operation.cpu == 1);
  if (operation.kind == Operation::Kind::compute) {
    node.set_name(fmt::format("COMP_NODE_{}", id));
    node.set_type(messages::COMP_NODE);
    node.set_duration_micros(static_cast<std::uint64_t>(written_time(operation).count()));
    return node;
  }
  const bool is_send = operation.kind == Operation::Kind::send;
  node.set_name(fmt::format("{}_{}", is_send ? "COMM_SEND_NODE" : "COMM_RECV_NODE", id));
  node.set_type(is_send ? messages::COMM_SEND_NODE : messages::COMM_RECV_NODE);
  messages::AttributeProto& size = *node.add_attr();
  size.set_name("comm_size");
  size.set_int64_val(operation.size.count() / 8);
  add_number(node, is_send ? "comm_dst" : "comm_src", operation.peer);
  add_number(node, "comm_tag", operation.tag);
  return node;
}

// What is lost of a program, counted.
struct Losses {
  std::uint64_t rounded = 0;
  Duration rounding{};  // the sum of the differences
  std::uint64_t starts = 0;
  std::uint64_t cpus = 0;
  std::uint64_t nics = 0;

  void add(const Operation& operation) {
    const bool computes = operation.kind == Operation::Kind::compute;
    const Duration difference = operation.time - written_time(operation);
    if (computes && difference != Duration{}) {
      ++rounded;
      rounding += std::chrono::abs(difference);
    }
    if (operation.cpu > (computes ? 1 : 0)) ++cpus;
    if (operation.nic > 0) ++nics;
  }
  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    if (rounded > 0) {
      all.push_back(fmt::format("{} computations were rounded to whole microseconds, by {} in all",
                                rounded, to_text(rounding)));
    }
    if (starts > 0)
      all.push_back(fmt::format("{} dependencies on starts became dependencies on ends", starts));
    if (cpus > 0) all.push_back(fmt::format("{} operations lost the number of their CPU", cpus));
    if (nics > 0) all.push_back(fmt::format("{} operations lost the number of their NIC", nics));
    return all;
  }
};

}  // namespace

Result<std::vector<std::string>> chakra_losses(const program::Program& program) {
  Losses losses;
  Errors errors;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const program::RankOperations operations = program.rank(rank);
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const Operation operation = operations[i];
      losses.add(operation);
      losses.starts += operations.after_start(i).size();
      const bool is_message = operation.kind != Operation::Kind::compute;
      if (!is_message || (operation.peer <= kMostInt32 && operation.tag <= kMostInt32)) continue;
      if (errors.size() >= program::kMostErrors) return fail(std::move(errors));
      const bool is_any = operation.peer == program::kAny || operation.tag == program::kAny;
      errors.push_back({is_any ? "receives from any rank or with any tag, which Chakra cannot say"
                               : "has a rank or a tag above 2147483647, which Chakra cannot say",
                        {program.name(), program.line(rank, i), 0,
                         fmt::format("rank {}, operation {}", rank, i)}});
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  return losses.sentences();
}

std::string chakra_file(const program::Program& program, std::uint32_t rank) {
  const program::RankOperations operations = program.rank(rank);
  std::vector<std::vector<std::uint32_t>> waits_for(operations.size());
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    for (const program::Indices later : {operations.after_end(i), operations.after_start(i)}) {
      for (std::uint32_t which = 0; which < later.size(); ++which)
        waits_for[later[which]].push_back(i);
    }
  }
  std::ostringstream file;
  messages::GlobalMetadata metadata;
  metadata.set_version("0.0.4");
  google::protobuf::util::SerializeDelimitedToOstream(metadata, &file);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    messages::Node node = node_of(operations[i], i);
    for (const std::uint32_t earlier : waits_for[i]) node.add_data_deps(earlier);
    google::protobuf::util::SerializeDelimitedToOstream(node, &file);
  }
  return std::move(file).str();
}

}  // namespace ebb::trace
#endif
