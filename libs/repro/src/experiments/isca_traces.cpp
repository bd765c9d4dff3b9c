// SPDX-License-Identifier: Apache-2.0
//
// Speeds and added latency under the stand-ins for Search and Advert.
#include "beside_published.hpp"
#include "isca_services.hpp"

#include <string>

namespace ebb::repro {
namespace {

using netsim::Histogram;
using results::Summary;

const std::string kPaired = "policy={name: epoch, channels: paired}";
const std::string kIndependent = "policy={name: epoch, channels: independent}";

// Of the channels' time, at these rates.
double share_at(const Summary& summary, const std::vector<std::string>& rates) {
  double sum = 0;
  for (const results::StateShare& state : summary.states) {
    for (const std::string& rate : rates) sum += state.state == rate ? state.share : 0;
  }
  return sum;
}

Result<Measurements> measure_speeds(Lab& lab) {
  const auto paired = simulate_service(lab, "search", {kPaired});
  if (!paired) return fail(paired.error());
  const auto independent = simulate_service(lab, "search", {kIndependent});
  if (!independent) return fail(independent.error());
  const std::vector<std::string> fast = {"10Gb/s", "20Gb/s", "40Gb/s"};
  const double tied = share_at(**paired, fast);
  const double free = share_at(**independent, fast);
  return Measurements{{"slowest_paired", 100 * share_at(**paired, {"2.5Gb/s"})},
                      {"slowest_independent", 100 * share_at(**independent, {"2.5Gb/s"})},
                      {"fast_paired", 100 * tied},
                      {"fast_independent", 100 * free},
                      {"fast_ratio", free / tied}};
}

double added_us(const Histogram& slowed, const Histogram& fast) {
  return static_cast<double>((slowed.mean() - fast.mean()).count()) * 1e-6;
}

// Names end in the workload's.
Result<void> add_latencies(Lab& lab, const std::string& name, Measurements& measured) {
  const auto fast = simulate_service(lab, name, {});
  if (!fast) return fail(fast.error());
  const auto independent = simulate_service(lab, name, {kIndependent});
  if (!independent) return fail(independent.error());
  const auto paired = simulate_service(lab, name, {kPaired});
  if (!paired) return fail(paired.error());
  const auto& base = (*fast)->report;
  const auto& free = (*independent)->report;
  measured.emplace_back("messages_" + name, added_us(free.message_latency, base.message_latency));
  measured.emplace_back("packets_" + name, added_us(free.packet_latency, base.packet_latency));
  measured.emplace_back("paired_" + name,
                        added_us((*paired)->report.message_latency, base.message_latency));
  return {};
}

Result<Measurements> measure_latency(Lab& lab) {
  Measurements measured;
  for (const char* name : {"search", "advert"}) {
    if (const auto added = add_latencies(lab, name, measured); !added) return fail(added.error());
  }
  return measured;
}

}  // namespace

std::vector<Experiment> experiments_in_isca_traces() {
  return {{"A8", measure_speeds, Cost::simulated}, {"A10", measure_latency, Cost::simulated}};
}

}  // namespace ebb::repro
