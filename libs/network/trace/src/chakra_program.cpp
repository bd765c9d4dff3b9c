// SPDX-License-Identifier: Apache-2.0
//
// Chakra nodes to operations: a node is an operation, a collective is the messages of its
// algorithm, after a computation of 0 s where it waits for anything.
#if EBB_HAVE_CHAKRA
#include "chakra_dependencies.hpp"
#include "chakra_groups.hpp"
#include "chakra_nodes.hpp"
#include "formats.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ebb::trace {
namespace {

using program::Operation;
using Algorithm = program::Collective::Kind;

constexpr std::uint32_t kHostCpu = 1;  // of operations on the host's side; the others are on 0
constexpr std::uint64_t kMostCollectiveOperations = std::uint64_t{1} << 30U;

// What a rank sends, gets or shares of `size`, which is what it brings.
DataSize collective_size(Algorithm kind, DataSize size, std::size_t ranks) {
  const auto share = [&] {
    const auto count = static_cast<std::int64_t>(ranks);
    return bytes((size.count() / 8 + count - 1) / count);
  };
  switch (kind) {
    case Algorithm::scatter:
    case Algorithm::reduce_scatter:
    case Algorithm::all_to_all:
      return share();
    default:
      return size;
  }
}

class ChakraProgram {
 public:
  ChakraProgram(std::vector<ChakraRank> files, std::uint32_t ranks,
                std::vector<std::uint32_t> dimensions, const Parameters& parameters)
      : files_(std::move(files)),
        ranks_(ranks),
        of_nodes_(ranks, std::move(dimensions), groups_),
        parts_(ranks),
        all_reduce_(parameters.choice("all_reduce")),
        has_collectives_(std::ranges::any_of(files_, [](const ChakraRank& file) {
          return file.counts[ChakraCount::collectives] > 0;
        })) {}

  Result<Trace> read(const std::vector<ChakraGroup>& named) {
    for (ChakraRank& file : files_) {
      if (errors_.size() < program::kMostErrors)
        std::ranges::move(resolve_dependencies(file, dependencies_), std::back_inserter(errors_));
    }
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) meet(rank, named);
    if (errors_.empty()) validate_groups();
    if (!errors_.empty()) return fail(std::move(errors_));

    const std::vector<std::uint64_t> numbers = groups_.first_numbers();
    program::ProgramBuilder builder(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) builder.add(build(rank, numbers));
    return Trace{std::move(builder).build(files_.front().file), {}, repairs(), contents()};
  }

 private:
  struct Part {
    CollectiveGroups::Index group = 0;
    std::size_t which = 0;  // of the collectives of the group
  };

  [[nodiscard]] const ChakraRank& file_of(std::uint32_t rank) const {
    return files_.size() == 1 ? files_.front() : files_[rank];
  }
  void report(std::string message, const ChakraRank& file, const ChakraNode& node) {
    if (errors_.size() >= program::kMostErrors) return;
    errors_.push_back({std::move(message), {file.file, 0, 0, fmt::format("node {}", node.id)}});
  }

  // The collectives of a rank find their groups.
  void meet(std::uint32_t rank, const std::vector<ChakraGroup>& common) {
    const ChakraRank& file = file_of(rank);
    std::vector<ChakraGroup> named;
    for (const std::string& list : file.group_lists) {
      auto groups = read_chakra_groups(list, file.file);
      if (groups) {
        std::ranges::move(*groups, std::back_inserter(named));
      } else {
        std::ranges::move(groups.error(), std::back_inserter(errors_));
      }
    }
    named.insert(named.end(), common.begin(), common.end());
    std::unordered_map<CollectiveGroups::Index, std::size_t> next;
    for (const ChakraNode& node : file.nodes) {
      if (errors_.size() >= program::kMostErrors) return;
      if (node.kind != ChakraNode::Kind::collective) {
        look_at(node, file);
        continue;
      }
      const auto group = of_nodes_.find(node, rank, named);
      if (!group) {
        report(group.error().front().message, file, node);
        continue;
      }
      if (const auto taken = groups_.take_part(
              *group, rank, static_cast<std::uint32_t>(node.collective), node.size);
          !taken)
        report(taken.error().front().message, file, node);
      note(node, file, *group, groups_.ranks(*group).front() == rank);
      parts_[rank].push_back({*group, next[*group]++});
    }
  }
  void look_at(const ChakraNode& node, const ChakraRank& file) {
    if (ranks_ > files_.size() && node.kind != ChakraNode::Kind::compute)
      report("it sends or receives, and one file cannot say so for several ranks", file, node);
    if (has_collectives_ && node.tag >= kFirstNumberedCollectiveTag) {
      report(fmt::format("its comm_tag is {}, and tags from {} on are those of collectives",
                         node.tag, kFirstNumberedCollectiveTag),
             file, node);
    }
  }
  // What is guessed of a collective.
  void note(const ChakraNode& node, const ChakraRank& file, CollectiveGroups::Index group,
            bool is_first_rank) {
    const std::string place = fmt::format("node {} of {}", node.id, file.file);
    const std::size_t size = groups_.ranks(group).size();
    operations_ += 4 * size;
    if (size == 1) alone_.add(place);
    const bool has_root =
        node.collective == Algorithm::broadcast || node.collective == Algorithm::reduce ||
        node.collective == Algorithm::gather || node.collective == Algorithm::scatter;
    if (is_first_rank && size > 1 && has_root) rootless_.add(place);
  }
  void validate_groups() {
    for (Error& error : groups_.validate()) {
      error.where.file = files_.front().file;
      errors_.push_back(std::move(error));
    }
    if (operations_ > kMostCollectiveOperations) {
      errors_.push_back(
          {fmt::format("its collectives are more than {} messages", kMostCollectiveOperations),
           {files_.front().file}});
    }
  }

  program::RankBuilder build(std::uint32_t rank, const std::vector<std::uint64_t>& numbers) {
    const ChakraRank& file = file_of(rank);
    program::RankBuilder builder;
    std::vector<std::uint32_t> first(file.nodes.size());
    std::vector<std::uint32_t> last(file.nodes.size());
    auto part = parts_[rank].begin();
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
      const ChakraNode& node = file.nodes[i];
      if (node.kind != ChakraNode::Kind::collective) {
        first[i] = last[i] = builder.add(operation(node));
        continue;
      }
      std::optional<std::uint32_t> join;
      if (!node.data_deps.empty() || !node.ctrl_deps.empty()) join = first[i] = builder.add({});
      last[i] = append(builder, collective(rank, node.collective, *part, numbers), join);
      ++part;
    }
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
      for (const auto* all : {&file.nodes[i].data_deps, &file.nodes[i].ctrl_deps}) {
        for (const std::uint64_t earlier : *all) builder.wait_for_end(first[i], last[earlier]);
      }
    }
    return builder;
  }
  static Operation operation(const ChakraNode& node) {
    switch (node.kind) {
      case ChakraNode::Kind::send:
        return {
            .kind = Operation::Kind::send, .peer = node.peer, .tag = node.tag, .size = node.size};
      case ChakraNode::Kind::receive:
        return {.kind = Operation::Kind::receive,
                .peer = node.peer,
                .tag = node.tag,
                .size = node.size};
      default:
        return {.time = node.time, .cpu = static_cast<std::uint8_t>(node.is_cpu_op ? kHostCpu : 0)};
    }
  }
  [[nodiscard]] program::Collective collective(std::uint32_t rank, Algorithm kind, const Part& part,
                                               const std::vector<std::uint64_t>& numbers) const {
    const std::vector<std::uint32_t>& ranks = groups_.ranks(part.group);
    const auto number = static_cast<std::uint32_t>(numbers[part.group] + part.which);
    return {.kind = kind,
            .ranks = ranks,
            .me = groups_.place(part.group, rank),
            .size = collective_size(kind, groups_.size(part.group, part.which), ranks.size()),
            .tag = kFirstNumberedCollectiveTag + number,
            .algorithm = kind == Algorithm::all_reduce ? std::string_view(all_reduce_) : ""};
  }

  [[nodiscard]] std::vector<std::string> repairs() const {
    std::vector<std::string> all;
    const auto say = [&](std::uint64_t count, const std::string& what, const std::string& first) {
      if (count > 0) all.push_back(fmt::format("{} {}{}", count, what, first));
    };
    if (ranks_ > files_.size()) {
      all.push_back(fmt::format("the trace of one rank was taken for each of {} ranks", ranks_));
    }
    say(dependencies_.missing.count,
        "dependencies on nodes that are not in the file were dropped, the first of ",
        dependencies_.missing.first);
    say(dependencies_.cyclic.count,
        "ctrl_deps that are in a cycle with other dependencies were dropped, the first of ",
        dependencies_.cyclic.first);
    say(alone_.count,
        "collectives have one rank and send nothing (--set ranks=N takes the trace of one rank for "
        "N), the first is ",
        alone_.first);
    say(rootless_.count,
        "collectives name no root and have the first rank of their group, the first is ",
        rootless_.first);
    say(groups_.unequal(), "collectives have different sizes at their ranks and took the largest",
        "");
    return all;
  }
  [[nodiscard]] Contents contents() const {
    Contents contents = {{"files", files_.size()}};
    for (std::size_t which = 0; which < kChakraCountNames.size(); ++which) {
      std::uint64_t sum = 0;
      for (const ChakraRank& file : files_) sum += file.counts[static_cast<ChakraCount>(which)];
      contents.emplace_back(kChakraCountNames[which], sum);
    }
    contents.emplace_back("dependencies on no node", dependencies_.missing.count);
    contents.emplace_back("ctrl_deps in cycles", dependencies_.cyclic.count);
    return contents;
  }

  std::vector<ChakraRank> files_;
  std::uint32_t ranks_;
  CollectiveGroups groups_;
  ChakraGroups of_nodes_;
  std::vector<std::vector<Part>> parts_;  // by rank
  std::string all_reduce_;
  bool has_collectives_;
  DependencyRepairs dependencies_;
  Repaired alone_;
  Repaired rootless_;
  std::uint64_t operations_ = 0;  // of collectives, at most about
  Errors errors_;
};

// The sizes of the network's dimensions; empty for one dimension.
Result<std::vector<std::uint32_t>> network_dimensions(const Parameters& parameters,
                                                      std::uint32_t ranks) {
  std::vector<std::uint32_t> sizes;
  std::uint64_t places = 1;
  for (const std::int64_t size : parameters.list("dimensions")) {
    sizes.push_back(static_cast<std::uint32_t>(size));
    places = std::min<std::uint64_t>(places * sizes.back(), program::kAny);
  }
  if (places == 0) return std::vector<std::uint32_t>{};
  if (places == ranks) return sizes;
  return fail(fmt::format("the dimensions have {} places for {} ranks", places, ranks));
}

}  // namespace

Result<Trace> read_chakra(std::span<const ChakraFile> files, const ChakraFile& groups,
                          const Parameters& parameters) {
  Errors errors;
  const auto take = [&](auto& result) {
    if (!result) std::ranges::move(result.error(), std::back_inserter(errors));
  };
  const auto wanted = static_cast<std::uint32_t>(parameters.integer("ranks"));
  const std::uint32_t ranks = wanted > 0 ? wanted : static_cast<std::uint32_t>(files.size());
  if (files.size() != 1 && ranks != files.size()) {
    errors.push_back(
        {fmt::format("ranks={}: there are files of {} ranks", ranks, files.size()), {}});
  }
  auto dimensions = network_dimensions(parameters, ranks);
  take(dimensions);
  Result<std::vector<ChakraGroup>> named;
  if (!groups.bytes.empty()) named = read_chakra_groups(groups.bytes, groups.name);
  take(named);
  std::vector<ChakraRank> read;
  read.reserve(files.size());
  for (const ChakraFile& file : files) {
    auto rank = read_chakra_nodes(file.bytes, file.name);
    take(rank);
    if (rank) read.push_back(*std::move(rank));
    if (errors.size() >= program::kMostErrors) break;
  }
  if (!errors.empty()) return fail(std::move(errors));
  return ChakraProgram(std::move(read), ranks, *std::move(dimensions), parameters).read(*named);
}

}  // namespace ebb::trace
#endif
