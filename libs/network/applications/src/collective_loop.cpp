// SPDX-License-Identifier: Apache-2.0
//
// The program of most parallel jobs in short: all ranks compute, take part in a collective
// operation, and begin again.
#include "applications.hpp"
#include "process.hpp"

#include "ebb/program/collective.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::applications {
namespace {

using program::Collective;

// In the order of Collective::Kind.
constexpr std::array<std::string_view, 9> kOperations = {
    "all-reduce", "reduce",     "all-gather",     "gather", "scatter",
    "broadcast",  "all-to-all", "reduce-scatter", "barrier"};

// What the size of an operation is.
constexpr std::array<std::string_view, 9> kSizes = {
    "the whole vector",           "the whole vector",    "what each rank contributes",
    "what each rank contributes", "what each rank gets", "the whole vector",
    "from each rank to each",     "what each rank gets", "has no effect"};

template <Collective::Kind kind>
Result<program::Program> make_loop(const Parameters& parameters) {
  const Duration compute = parameters.duration("compute");
  const DataSize size = parameters.size("size");
  Errors errors;
  if (compute.count() % 1000 != 0)
    errors.push_back({"'compute' must be whole nanoseconds", {.path = "compute"}});
  if (size.count() % 8 != 0) errors.push_back({"'size' must be whole bytes", {.path = "size"}});
  if (!errors.empty()) return fail(std::move(errors));
  Collective collective{.kind = kind, .size = size, .algorithm = parameters.choice("algorithm")};
  if constexpr (kind == Collective::Kind::all_reduce)
    collective.group = static_cast<std::uint32_t>(parameters.integer("group"));
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < parameters.integer("iterations"); ++turn) {
      process.compute(compute);
      process.take_part(collective);
    }
  };
  const std::string name(kOperations[static_cast<std::size_t>(kind)]);
  return make_ranks(static_cast<std::uint32_t>(parameters.integer("ranks")), name, run);
}

template <Collective::Kind kind>
Application loop_of() {
  const auto which = static_cast<std::size_t>(kind);
  const auto known = program::algorithms(kind);
  constexpr DataSize kLargest = bytes(std::int64_t{1} << 50U);
  Application loop{
      .name = std::string(kOperations[which]),
      .summary = fmt::format("all ranks compute and take part in {} {}, again and again",
                             kOperations[which].starts_with('a') ? "an" : "a", kOperations[which]),
      .parameters = {{"ranks", Range<std::int64_t>{1, 1'000'000}, "8", "ranks"},
                     {"size", Range<DataSize>{DataSize{}, kLargest}, "1MiB",
                      std::string(kSizes[which])},
                     {"algorithm", Choice{{known.begin(), known.end()}}, std::string(known.front()),
                      "which messages it consists of"},
                     {"compute", Range<Duration>{Duration{}, std::chrono::hours(1)}, "0s",
                      "of each rank before each operation"},
                     {"iterations", Range<std::int64_t>{1, 1'000'000}, "1", "how many times"}},
      .make = make_loop<kind>};
  if constexpr (kind == Collective::Kind::all_reduce) {
    loop.parameters.push_back({"group", Range<std::int64_t>{1, 1'000'000}, "8",
                               "ranks of a group at most, of the algorithm hierarchical"});
  }
  return loop;
}

}  // namespace

std::vector<Application> collectives() {
  using Kind = Collective::Kind;
  return {loop_of<Kind::all_reduce>(), loop_of<Kind::reduce>(),         loop_of<Kind::all_gather>(),
          loop_of<Kind::gather>(),     loop_of<Kind::scatter>(),        loop_of<Kind::broadcast>(),
          loop_of<Kind::all_to_all>(), loop_of<Kind::reduce_scatter>(), loop_of<Kind::barrier>()};
}

}  // namespace ebb::applications
