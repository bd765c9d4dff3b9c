// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/summary.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::results {
namespace {

// docs/models/flows.md compares messages of different sizes.
constexpr std::int64_t kFewPackets = 8;

}  // namespace

std::vector<std::string> outside_validity(const Summary& result) {
  const config::SimSpec& spec = result.simulation.spec;
  const netsim::Report& report = result.report;
  if (spec.fidelity == netsim::Fidelity::packet || report.messages == 0) return {};
  std::vector<std::string> reasons;
  const std::int64_t mean = report.offered.count() / static_cast<std::int64_t>(report.messages);
  if (mean < kFewPackets * spec.hardware.packet.count()) {
    reasons.push_back(
        fmt::format("messages have {} on average, less than {} packets: they queue as packets, of "
                    "which flows know nothing",
                    to_text(bytes(mean / 8)), kFewPackets));
  }
  if (result.measured && saturated(report)) {
    reasons.emplace_back(
        "the network is saturated: who gets what then depends on flow control, which flows do not "
        "have");
  }
  return reasons;
}

}  // namespace ebb::results
