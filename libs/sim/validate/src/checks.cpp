// SPDX-License-Identifier: Apache-2.0

#include "checks.hpp"

#include "ebb/core/names.hpp"
#include "ebb/validate/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace ebb::validate {
namespace {

Verdict verdict(bool holds) { return holds ? Verdict::holds : Verdict::fails; }

}  // namespace

Row exact(std::string name, std::int64_t expected, std::int64_t measured, std::string unit) {
  return {.name = std::move(name),
          .expected = static_cast<double>(expected),
          .measured = static_cast<double>(measured),
          .tolerance = "exact",
          .unit = std::move(unit),
          .verdict = verdict(expected == measured),
          .note = {}};
}

Row within(std::string name, double expected, double measured, double share, std::string unit) {
  return {.name = std::move(name),
          .expected = expected,
          .measured = measured,
          .tolerance = fmt::format("+-{:g} %", 100 * share),
          .unit = std::move(unit),
          .verdict = verdict(std::abs(measured - expected) <= share * std::abs(expected)),
          .note = {}};
}

Row at_least(std::string name, double expected, double measured, std::string unit) {
  return {.name = std::move(name),
          .expected = expected,
          .measured = measured,
          .tolerance = "at least",
          .unit = std::move(unit),
          .verdict = verdict(measured >= expected),
          .note = {}};
}

Row at_most(std::string name, double expected, double measured, std::string unit) {
  Row row = at_least(std::move(name), expected, measured, std::move(unit));
  row.tolerance = "at most";
  row.verdict = verdict(measured <= expected);
  return row;
}

// One line per check, so that adding one changes one line.
std::span<const Check> checks() {
  static const std::vector<Check> kChecks = {
      {"zero-load", "latency of a packet alone in the network, every family and routing",
       "sum of link and switch latencies and transmission times (Dally & Towles, Section 3.3)",
       check_zero_load},
      {"saturation", "accepted load against the capacity of the busiest channel",
       "throughput = 1 / greatest channel load (Dally & Towles, Section 3.3)", check_saturation},
      {"worst-case", "accepted load of the worst permutation of every family and routing",
       "channel loads (Towles & Dally, Worst-Case Traffic for Oblivious Routing Functions)",
       check_worst_case},
      {"bytes", "everything that was offered passes the right hosts' links, no more and no less",
       "count of the offered messages, made without the simulator", check_bytes},
      {"credits", "after the last packet every buffer is empty and every credit is back",
       "the sizes of the buffers", check_credits},
      {"littles-law", "mean number in the network against arrival rate times mean time",
       "N = lambda T (Little, A Proof for the Queuing Formula L = lambda W)", check_littles_law},
      {"adaptive", "routings that see queues carry more under adversarial traffic",
       "channel loads of both routings, ideal spreading", check_adaptive},
      {"queueing", "mean wait of Poisson messages of one size", "M/D/1: W = rho S / (2 (1 - rho))",
       check_queueing},
      {"energy", "energy and times of a staircase of rates and sleep", "a count by hand",
       check_energy},
      {"same-bytes", "the same run twice, and a run cut into pieces", "equality", check_same_bytes},
  };
  return kChecks;
}

Result<const Check*> find_check(std::string_view name) {
  std::vector<std::string> names;
  for (const Check& check : checks()) {
    if (check.name == name) return &check;
    names.push_back(check.name);
  }
  return fail(unknown_name("check", name, names));
}

}  // namespace ebb::validate
