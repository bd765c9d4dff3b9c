// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

#include <map>

namespace ebb::plots {
namespace {

constexpr std::string_view kHistogram = "message_latency";
constexpr double kLeastStep = 0.5;  // percent between points of the curve

// Messages by the upper end of their bucket, over all repetitions.
std::map<Duration, std::uint64_t> counts_of(const RunSet& runs, const Repetitions& experiment) {
  std::map<Duration, std::uint64_t> counts;
  for (const results::Run* run : experiment.group.runs) {
    for (const results::Histogram& histogram : runs.record(*run).histograms) {
      if (histogram.name != kHistogram) continue;
      for (const auto& bucket : histogram.buckets) counts[bucket.upper] += bucket.count;
    }
  }
  return counts;
}

// First, last, and whatever lies half a percent above the one before; the tail above 99 % whole.
void add_curve(const RunSet& runs, const Repetitions& experiment, Table& table) {
  const auto counts = counts_of(runs, experiment);
  std::uint64_t all = 0;
  for (const auto& [upper, count] : counts) all += count;
  std::uint64_t below = 0;
  double last = -kLeastStep;
  for (const auto& [upper, count] : counts) {
    below += count;
    const double share = kPercent * static_cast<double>(below) / static_cast<double>(all);
    if (share < last + kLeastStep && share < 99) continue;
    last = share;
    table.rows.push_back({experiment.label, static_cast<double>(upper.count()) * kMicrosecond,
                          share, static_cast<double>(experiment.group.runs.size())});
  }
}

}  // namespace

Table latency_cdf_table(const RunSet& runs) {
  Table table{.title = "Distribution of message latency",
              .note =
                  "Share of the messages of all repetitions that took no longer; latencies are "
                  "at most 1.6 % above the true ones."};
  table.columns = {text_column("experiment", "experiment"),
                   number_column("latency", "latency of messages", "us"),
                   number_column("share", "share of messages", "%"),
                   number_column("n", "runs", "")};
  for (const Repetitions& experiment : runs.experiments()) add_curve(runs, experiment, table);
  return table;
}

}  // namespace ebb::plots
