// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/record.hpp"

#include "channel_rows.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/version.hpp"
#include "ebb/results/metrics.hpp"
#include "ebb/results/run_key.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace ebb::results {
namespace {

Run run_of(const config::Simulation& simulation, const Origin& origin) {
  RunKey key = run_key(simulation, version());
  return {.key = std::move(key.key),
          .setup = std::move(key.setup),
          .label = origin.label,
          .configuration = config::resolved_text(simulation.spec),
          .version = std::string(version()),
          .seed = simulation.spec.seed,
          .parameters = origin.parameters};
}

Histogram histogram_of(std::string name, const netsim::Histogram& latency) {
  Histogram histogram{std::move(name), {}};
  for (const auto& [upper, count] : latency.filled()) histogram.buckets.push_back({upper, count});
  return histogram;
}

// Fits for 300 million channels that run for 30 ms, or one that runs for a hundred days.
Duration narrowed(power::MeterTime time) {
  EBB_CHECK(time.count() <= std::numeric_limits<std::int64_t>::max(),
            "a residency beyond 106 days of channel time");
  return Duration(static_cast<std::int64_t>(time.count()));
}

std::vector<StateTime> residency_of(const power::Ledger& ledger) {
  std::vector<StateTime> states;
  for (std::size_t c = 0; c < ledger.classes().size(); ++c) {
    const power::MeterClass& meters = ledger.classes()[c];
    const auto& totals = ledger.totals(power::ClassIndex{static_cast<std::uint8_t>(c)});
    for (std::uint32_t s = 0; s < meters.states.size(); ++s)
      states.push_back({meters.name, s, meters.states[s], narrowed(totals.residency[s])});
  }
  return states;
}

// Rounded to seven digits: a picture does not show more, and sums are kept exactly elsewhere.
Series series_of(const netsim::Series& exact, TimePoint from) {
  Series series{.every = exact.every, .ends = exact.ends, .channels = exact.channels};
  for (std::size_t i = 0; i < exact.busy.size(); ++i) {
    const std::size_t frame = i / exact.channels;
    const Duration length = exact.ends[frame] - (frame == 0 ? from : exact.ends[frame - 1]);
    series.busy_share.push_back(static_cast<float>(static_cast<double>(exact.busy[i].count()) /
                                                   static_cast<double>(length.count())));
    series.sent_bits.push_back(static_cast<float>(exact.sent[i].count()));
    series.queued_bits.push_back(static_cast<float>(exact.queued[i].count()));
    series.energy_joules.push_back(static_cast<float>(to_joules(exact.energy[i])));
  }
  series.states = exact.states;
  return series;
}

std::string stall_text(const netsim::Stall& stall) {
  std::string text = fmt::format("the network stalled at {} ps with {} packets in it",
                                 stall.since.time_since_epoch().count(), stall.packets);
  for (const std::string& line : stall.chain) text += "\n  " + line;
  return text;
}

}  // namespace

Record record_of(const config::Simulation& simulation, const netsim::Report& report,
                 const Origin& origin) {
  if (report.stall) return failed_record(simulation, origin, stall_text(*report.stall));
  Record record{.run = run_of(simulation, origin)};
  record.run.metrics = metrics_of(Summary(simulation, report));
  // Names ascend, as they are read back.
  if (report.lateness.count() > 0)
    record.histograms.push_back(histogram_of("lateness", report.lateness));
  if (report.message_latency.count() > 0)
    record.histograms.push_back(histogram_of("message_latency", report.message_latency));
  if (report.packet_latency.count() > 0)
    record.histograms.push_back(histogram_of("packet_latency", report.packet_latency));
  record.residency = residency_of(report.ledger);
  if (simulation.spec.per_channel || report.series)
    record.channels = channel_rows(*simulation.graph, report);
  if (report.series) record.series = series_of(*report.series, report.from);
  return record;
}

Record failed_record(const config::Simulation& simulation, const Origin& origin,
                     std::string error) {
  Record record{.run = run_of(simulation, origin)};
  record.run.status = Status::failed;
  record.run.error = std::move(error);
  return record;
}

}  // namespace ebb::results
