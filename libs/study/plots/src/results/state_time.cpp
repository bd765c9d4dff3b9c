// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

#include "ebb/units/data.hpp"
#include "ebb/units/text.hpp"

#include <algorithm>

namespace ebb::plots {
namespace {

struct State {
  std::string name;
  double time = 0;  // ps, of all channels and repetitions
};

// Words before rates, rates ascending.
bool stands_before(const State& a, const State& b) {
  const auto rate = [](const State& state) {
    return parse<DataRate>(state.name).value_or(DataRate{});
  };
  return rate(a) < rate(b);
}

// Networks of several rate tables have a class for each; their states of one name are one state.
std::vector<State> times_of(const RunSet& runs, const Repetitions& experiment) {
  std::vector<State> states;
  for (const results::Run* run : experiment.group.runs) {
    for (const results::StateTime& entry : runs.record(*run).residency) {
      if (!entry.meter_class.starts_with("channel")) continue;
      auto at = std::find_if(states.begin(), states.end(),
                             [&](const State& known) { return known.name == entry.name; });
      if (at == states.end()) at = states.insert(at, {entry.name, 0});
      at->time += static_cast<double>(entry.time.count());
    }
  }
  std::stable_sort(states.begin(), states.end(), stands_before);
  return states;
}

}  // namespace

Table state_time_table(const RunSet& runs) {
  Table table{.title = "Time of the channels in each state",
              .note =
                  "Over all channels and repetitions. Changing: to another rate or out of "
                  "sleep, when nothing can be sent."};
  table.columns = {text_column("experiment", "experiment"),
                   text_column("series", "series"),
                   number_column("offered_load", "offered load", "%"),
                   text_column("state", "state"),
                   number_column("share", "share of time", "%"),
                   number_column("n", "runs", "")};
  for (const Repetitions& experiment : runs.experiments()) {
    const auto states = times_of(runs, experiment);
    double all = 0;
    for (const State& state : states) all += state.time;
    for (const State& state : states) {
      if (all == 0) continue;
      table.rows.push_back({experiment.label, experiment.series, experiment.offered_load,
                            state.name, kPercent * state.time / all,
                            static_cast<double>(experiment.group.runs.size())});
    }
  }
  return table;
}

}  // namespace ebb::plots
