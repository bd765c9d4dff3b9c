// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace ebb::program {
namespace {

using layout::read;

// Whether the bytes hold what program.hpp promises.
class BinaryChecker {
 public:
  BinaryChecker(std::span<const std::byte> bytes, const std::string& name)
      : bytes_(bytes), name_(name) {}

  Errors check() {
    if (bytes_.size() < layout::kTableAt) {
      report("is too short for a GOAL file");
      return std::move(errors_);
    }
    const auto ranks = read<std::uint32_t>(bytes_.data() + layout::kRanksAt);
    if ((bytes_.size() - layout::kTableAt) / layout::kTableEntry < ranks) {
      report(fmt::format("has {} ranks, and ends inside of the table of their places", ranks));
      return std::move(errors_);
    }
    for (rank_ = 0; rank_ < ranks && errors_.size() < kMostErrors; ++rank_) check_rank();
    return std::move(errors_);
  }

 private:
  void report(std::string message) { errors_.push_back({std::move(message), {name_}}); }
  void report_rank(const std::string& message) {
    errors_.push_back({message, {name_, 0, 0, fmt::format("rank {}", rank_)}});
  }

  void check_rank() {
    const std::byte* entry = bytes_.data() + layout::kTableAt + rank_ * layout::kTableEntry;
    const auto begin = read<std::uint64_t>(entry);
    const auto end = read<std::uint64_t>(entry + 8);
    const std::size_t most = bytes_.size() - layout::kRanksAt;
    if (begin > end || end > most || end - begin < layout::kRankHeader)
      return report_rank("its place is outside of the file");
    const std::byte* at = bytes_.data() + layout::kRanksAt + begin;
    const std::uint64_t size = read<std::uint32_t>(at);
    const std::uint64_t roots = read<std::uint32_t>(at + 4);
    const std::uint64_t fixed = layout::kRankHeader + roots * 4 + size * layout::kOperation;
    if (fixed > end - begin) return report_rank("its operations do not fit into its place");
    const std::uint64_t successors = (end - begin - fixed) / 4;
    check_operations(RankOperations(at), at + layout::kRankHeader + roots * 4, successors);
  }

  void check_operations(const RankOperations& rank, const std::byte* operations,
                        std::uint64_t successors) {
    std::vector<std::uint32_t> dependencies(rank.size());
    for (std::uint32_t which = 0; which < rank.size(); ++which) {
      const std::byte* at = operations + which * layout::kOperation;
      if (const char* wrong = look_at(at); wrong != nullptr)
        return report_rank(fmt::format("operation {}: {}", which, wrong));
      for (const std::size_t place : {layout::kEndsAt, layout::kStartsAt}) {
        const std::uint64_t count = read<std::uint32_t>(at + place);
        const std::uint64_t first = read<std::uint32_t>(at + place + 4);
        if (count > 0 && first + count > successors)
          return report_rank(fmt::format("operation {}: its successors are outside", which));
      }
      for (const Indices later : {rank.after_end(which), rank.after_start(which)}) {
        for (std::uint32_t i = 0; i < later.size(); ++i) {
          if (later[i] >= rank.size()) {
            return report_rank(
                fmt::format("operation {}: its successor {} does not exist", which, later[i]));
          }
          ++dependencies[later[i]];
        }
      }
    }
    check_dependencies(rank, dependencies);
  }

  static const char* look_at(const std::byte* operation) {
    const auto kind = read<std::uint8_t>(operation + layout::kKindAt);
    const auto amount = read<std::uint64_t>(operation + layout::kAmountAt);
    if (kind < 1 || kind > 3) return "is neither a send, a receive nor a computation";
    if (kind == 3 && amount > layout::kMostNanoseconds) return "computes for more than 11 days";
    if (kind != 3 && amount > layout::kMostBytes) return "has more bytes than ebb counts";
    return nullptr;
  }

  void check_dependencies(const RankOperations& rank,
                          const std::vector<std::uint32_t>& dependencies) {
    std::uint64_t free = 0;
    for (std::uint32_t which = 0; which < rank.size(); ++which) {
      free += dependencies[which] == 0 ? 1U : 0U;
      if (rank.dependencies(which) != dependencies[which]) {
        return report_rank(fmt::format("operation {} waits for {} others, and is named by {}",
                                       which, rank.dependencies(which), dependencies[which]));
      }
    }
    const Indices roots = rank.roots();
    if (roots.size() != free) {
      return report_rank(
          fmt::format("names {} operations that wait for nothing, and has {}", roots.size(), free));
    }
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
      const bool follows = i == 0 || roots[i] > roots[i - 1];
      if (roots[i] >= rank.size() || dependencies[roots[i]] != 0 || !follows)
        return report_rank("the list of operations that wait for nothing is wrong or not in order");
    }
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  std::uint32_t rank_ = 0;
  Errors errors_;
};

}  // namespace

bool is_goal_binary(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(std::uint64_t)) return false;
  const auto cookie = read<std::uint64_t>(bytes.data());
  return cookie == layout::kCookie || cookie == layout::kCookieInUse;
}

Result<Program> read_goal_binary(std::span<const std::byte> bytes,
                                 std::shared_ptr<const void> owner, const std::string& name) {
  if (!is_goal_binary(bytes)) return fail("is not a GOAL file in binary form", {name});
  if (read<std::uint64_t>(bytes.data()) == layout::kCookieInUse) {
    return fail("was left by a LogGOPSim that simulated in it, and is not valid: make it anew",
                {name});
  }
  if (Errors errors = BinaryChecker(bytes, name).check(); !errors.empty())
    return fail(std::move(errors));
  return Program(name, std::move(owner), bytes);
}

}  // namespace ebb::program
