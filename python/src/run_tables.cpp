// SPDX-License-Identifier: Apache-2.0
//
// What a run measured as tables: dicts of columns by name, units in the names. Values that are
// integers in C++ are integers here; energies are joules.
#include "arrays.hpp"
#include "simulate.hpp"

#include "ebb/config/sim_file.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/results/summary.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ebb::python {
namespace {

using power::ClassIndex;
using power::MeterIndex;
using power::StateIndex;

// Lists, which a Python without numpy has, too.
py::dict metrics(const Run& run) {
  const auto all = results::metrics_of(results::Summary(run.simulation, run.report));
  py::dict table;
  table["name"] = texts(all, [](const auto& metric) { return metric.name; });
  table["unit"] = texts(all, [](const auto& metric) { return metric.unit; });
  py::list values;
  for (const results::Metric& metric : all) values.append(metric.value);
  table["value"] = values;
  return table;
}

// A state of a class of meters and the time of all its meters there.
struct StateRow {
  std::string meter_class;
  std::string state;
  double time_s = 0;
  double share = 0;
};

std::vector<StateRow> state_rows(const power::Ledger& ledger) {
  std::vector<StateRow> rows;
  for (std::size_t c = 0; c < ledger.classes().size(); ++c) {
    const auto& residency = ledger.totals(ClassIndex{static_cast<std::uint8_t>(c)}).residency;
    Int128 sum = 0;
    for (const power::MeterTime& time : residency) sum += time.count();
    for (std::size_t s = 0; s < residency.size(); ++s) {
      const auto time = static_cast<double>(residency[s].count());
      rows.push_back({ledger.classes()[c].name, ledger.classes()[c].states[s], time * 1e-12,
                      sum > 0 ? time / static_cast<double>(sum) : 0});
    }
  }
  return rows;
}

py::dict states(const Run& run) {
  const std::vector<StateRow> rows = state_rows(run.report.ledger);
  py::dict table;
  table["meter_class"] = texts(rows, [](const StateRow& row) { return row.meter_class; });
  table["state"] = texts(rows, [](const StateRow& row) { return row.state; });
  table["time_s"] = column<double>(rows, [](const StateRow& row) { return row.time_s; });
  table["share"] = column<double>(rows, [](const StateRow& row) { return row.share; });
  return table;
}

// The meters of channels, by channel number. Classes of channels come first in a ledger.
std::vector<MeterIndex> channel_meters(const Run& run) {
  const power::Ledger& ledger = run.report.ledger;
  std::vector<MeterIndex> meters(run.report.channels.size());
  for (std::uint32_t m = 0; m < ledger.meters(); ++m) {
    const MeterIndex meter{m};
    if (static_cast<std::size_t>(ledger.class_of(meter)) >= netsim::channel_classes(ledger)) break;
    meters[ledger.number(meter)] = meter;
  }
  return meters;
}

// Names of states of channels, those that several rate tables share once: asleep, changing, then
// rates in the order in which they are met.
std::vector<std::string> channel_states(const power::Ledger& ledger) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < netsim::channel_classes(ledger); ++c) {
    for (const std::string& name : ledger.classes()[c].states) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

// How long each channel was in the state; 0 where its rate table has none of that name.
py::array state_times(const power::Ledger& ledger, const std::vector<MeterIndex>& meters,
                      const std::string& name) {
  return column<std::int64_t>(meters, [&](MeterIndex meter) {
    const auto& known = ledger.classes()[static_cast<std::size_t>(ledger.class_of(meter))].states;
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) return std::int64_t{0};
    return ledger.residency(meter, StateIndex{static_cast<std::uint8_t>(at - known.begin())})
        .count();
  });
}

std::vector<topology::ChannelId> channel_ids(const Run& run) {
  std::vector<topology::ChannelId> ids;
  for (std::uint32_t number = 0; number < run.simulation.graph->channel_count(); ++number)
    ids.push_back(topology::ChannelId{number});
  return ids;
}

// A row for each direction of a link, in the order of channel numbers.
py::dict channels(const Run& run) {
  py::dict table;
  if (run.report.channels.empty()) return table;  // stalled before anything was measured
  const topology::Graph& graph = *run.simulation.graph;
  const power::Ledger& ledger = run.report.ledger;
  const auto ids = channel_ids(run);
  const auto meters = channel_meters(run);
  const auto& uses = run.report.channels;
  table["channel"] = column<std::int64_t>(ids, [](auto id) { return index(id); });
  table["from"] = texts(ids, [&](auto id) { return graph.name(graph.source(id)); });
  table["to"] = texts(ids, [&](auto id) { return graph.name(graph.target(id)); });
  table["busy_ps"] = column<std::int64_t>(uses, [](const auto& use) { return use.busy.count(); });
  table["sent_bits"] = column<std::int64_t>(uses, [](const auto& use) { return use.sent.count(); });
  table["energy_J"] =
      column<double>(meters, [&](MeterIndex meter) { return to_joules(ledger.energy(meter)); });
  table["transitions"] = column<std::int64_t>(meters, [&](MeterIndex meter) {
    return static_cast<std::int64_t>(ledger.transitions(meter));
  });
  for (const std::string& name : channel_states(ledger))
    table[py::str(name + "_ps")] = state_times(ledger, meters, name);
  return table;
}

// Columns of frames by channels, and the ends of the frames; nothing without a series.
py::object series(const py::object& self) {
  const Run& run = self.cast<const Run&>();
  if (!run.report.series) return py::none();
  const netsim::Series& kept = *run.report.series;
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(kept.ends.size()),
                                          static_cast<py::ssize_t>(kept.channels)};
  py::dict table;
  table["end_ps"] = view<std::int64_t>(kept.ends, {shape[0]}, self);
  table["busy_ps"] = view<std::int64_t>(kept.busy, shape, self);
  table["sent_bits"] = view<std::int64_t>(kept.sent, shape, self);
  table["queued_bits"] = view<std::int64_t>(kept.queued, shape, self);
  table["energy_J"] =
      column<double>(kept.energy, [](Energy energy) { return to_joules(energy); }).reshape(shape);
  table["state"] = view<std::uint8_t>(kept.states, shape, self);
  return table;
}

py::dict histogram(const netsim::Histogram& counted) {
  const auto buckets = counted.filled();
  py::dict table;
  table["upper_ps"] =
      column<std::int64_t>(buckets, [](const auto& bucket) { return bucket.upper.count(); });
  table["count"] = column<std::int64_t>(
      buckets, [](const auto& bucket) { return static_cast<std::int64_t>(bucket.count); });
  return table;
}

py::dict histograms(const Run& run) {
  py::dict all;
  all["packet_latency"] = histogram(run.report.packet_latency);
  all["message_latency"] = histogram(run.report.message_latency);
  if (run.report.deadline) all["lateness"] = histogram(run.report.lateness);
  return all;
}

std::string json(const Run& run) {
  const py::gil_scoped_release no_gil;
  return results::to_json(results::Summary(run.simulation, run.report));
}

}  // namespace

void bind_run_tables(py::class_<Run>& type) {
  type.def("json", &json)
      .def("metrics", &metrics)
      .def("states", &states)
      .def("channels", &channels)
      .def("series", &series)
      .def("histograms", &histograms)
      .def("configuration",
           [](const Run& run) { return config::resolved_text(run.simulation.spec); })
      .def("stalled", [](const Run& run) { return run.report.stall.has_value(); })
      .def("events", [](const Run& run) { return run.report.events; });
}

}  // namespace ebb::python
