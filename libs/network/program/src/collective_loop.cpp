// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/collective_loop.hpp"

#include "ebb/core/names.hpp"
#include "ebb/program/builder.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace ebb::program {
namespace {

constexpr std::array<std::string_view, 9> kNames = {"all-reduce", "reduce",         "all-gather",
                                                    "gather",     "scatter",        "broadcast",
                                                    "all-to-all", "reduce-scatter", "barrier"};

constexpr std::uint32_t kMostLoopRanks = 1'000'000;
constexpr std::uint32_t kMostRepeats = 1'000'000;

Errors mistakes(const CollectiveLoop& loop) {
  Errors errors;
  if (loop.ranks < 1 || loop.ranks > kMostLoopRanks)
    errors.push_back({fmt::format("{} ranks: must be 1 to {}", loop.ranks, kMostLoopRanks), {}});
  if (loop.repeat < 1 || loop.repeat > kMostRepeats)
    errors.push_back({fmt::format("{} times: must be 1 to {}", loop.repeat, kMostRepeats), {}});
  if (loop.size < DataSize{} || loop.compute < Duration{})
    errors.push_back({"sizes and times are not below zero", {}});
  if (loop.compute.count() % 1000 != 0)
    errors.push_back({"computations last whole nanoseconds", {}});
  if (!loop.algorithm.empty()) {
    const auto known = algorithms(loop.kind);
    const auto found =
        find_named("algorithm", known, loop.algorithm, [](std::string_view name) { return name; });
    if (!found) errors.push_back(found.error().front());
  }
  return errors;
}

RankBuilder rank_of(const CollectiveLoop& loop, std::span<const std::uint32_t> world,
                    std::uint32_t me) {
  RankBuilder rank;
  std::optional<std::uint32_t> last;
  for (std::uint32_t turn = 0; turn < loop.repeat; ++turn) {
    if (loop.compute > Duration{}) {
      const std::uint32_t computed =
          rank.add({.kind = Operation::Kind::compute, .time = loop.compute});
      if (last) rank.wait_for_end(computed, *last);
      last = computed;
    }
    const Collective collective{.kind = loop.kind,
                                .ranks = world,
                                .me = me,
                                .size = loop.size,
                                .tag = turn,
                                .algorithm = loop.algorithm};
    last = append(rank, collective, last);
  }
  return rank;
}

}  // namespace

std::span<const std::string_view> collective_names() { return kNames; }

Result<Collective::Kind> find_collective(std::string_view name) {
  const auto found =
      find_named("collective operation", kNames, name, [](std::string_view one) { return one; });
  if (!found) return fail(found.error());
  return static_cast<Collective::Kind>(*found - kNames.data());
}

Result<Program> make_program(const CollectiveLoop& loop) {
  if (Errors errors = mistakes(loop); !errors.empty()) return fail(std::move(errors));
  std::vector<std::uint32_t> world(loop.ranks);
  std::iota(world.begin(), world.end(), 0U);
  ProgramBuilder program(loop.ranks);
  for (std::uint32_t me = 0; me < loop.ranks; ++me) program.add(rank_of(loop, world, me));
  return std::move(program).build(
      fmt::format("{} of {} ranks", kNames[static_cast<std::size_t>(loop.kind)], loop.ranks));
}

}  // namespace ebb::program
