// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/summary.hpp"

#include "ebb/core/check.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace ebb::results {
namespace {

using netsim::channel_classes;
using power::ClassIndex;
using topology::ChannelId;

const power::Ledger::ClassTotals& totals(const power::Ledger& ledger, std::size_t which) {
  return ledger.totals(ClassIndex{static_cast<std::uint8_t>(which)});
}

double to_double(power::MeterTime time) { return static_cast<double>(time.count()); }

// Words before rates, rates ascending: networks of several rate tables have a class for each.
bool stands_before(const StateShare& a, const StateShare& b) {
  const auto rate = [](const StateShare& share) {
    return parse<DataRate>(share.state).value_or(DataRate{});
  };
  return rate(a) < rate(b);
}

std::vector<StateShare> state_shares(const power::Ledger& ledger) {
  std::vector<StateShare> shares;
  double all = 0;
  for (std::size_t i = 0; i < channel_classes(ledger); ++i) {
    const auto& residency = totals(ledger, i).residency;
    for (std::size_t s = 0; s < residency.size(); ++s) {
      const std::string& name = ledger.classes()[i].states[s];
      auto at = std::find_if(shares.begin(), shares.end(),
                             [&](const StateShare& known) { return known.state == name; });
      if (at == shares.end()) at = shares.insert(at, {name, 0});
      at->share += to_double(residency[s]);
      all += to_double(residency[s]);
    }
  }
  for (StateShare& share : shares) share.share = all == 0 ? 0 : share.share / all;
  std::stable_sort(shares.begin(), shares.end(), stands_before);
  return shares;
}

BusyChannel busy_channel(const topology::Graph& graph, ChannelId id, const netsim::ChannelUse& use,
                         Duration window) {
  const DataRate full = graph.full_rate(graph.link(topology::link_of(id)));
  const double time = static_cast<double>(window.count());
  return {graph.name(graph.source(id)), graph.name(graph.target(id)),
          static_cast<double>(use.busy.count()) / time,
          static_cast<double>(serialization_time(use.sent, full).count()) / time};
}

// By the time they were busy, then by what they carried, then by number.
std::vector<BusyChannel> busiest_channels(const topology::Graph& graph,
                                          const std::vector<netsim::ChannelUse>& uses,
                                          Duration window) {
  std::vector<std::uint32_t> order(uses.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto last =
      order.begin() + static_cast<std::ptrdiff_t>(std::min(kBusiestShown, uses.size()));
  std::partial_sort(order.begin(), last, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (uses[a].busy != uses[b].busy) return uses[a].busy > uses[b].busy;
    if (uses[a].sent != uses[b].sent) return uses[a].sent > uses[b].sent;
    return a < b;
  });
  std::vector<BusyChannel> busiest;
  for (auto at = order.begin(); at != last; ++at)
    busiest.push_back(busy_channel(graph, ChannelId{*at}, uses[*at], window));
  return busiest;
}

std::vector<ComponentUse> component_uses(const power::Ledger& ledger, Duration window) {
  std::vector<ComponentUse> uses;
  const std::size_t first = channel_classes(ledger) + netsim::switch_classes(ledger);
  for (std::size_t i = first; i < ledger.classes().size(); ++i) {
    const Energy energy = totals(ledger, i).energy;
    uses.push_back({ledger.classes()[i].name, energy, mean_power(energy, window)});
  }
  return uses;
}

// Nothing where a switch is all one.
std::vector<GroupUse> group_uses(const power::Ledger& ledger, Duration window) {
  std::vector<GroupUse> uses;
  const std::size_t count = netsim::switch_classes(ledger);
  if (count < 2) return uses;
  for (std::size_t i = channel_classes(ledger); i < channel_classes(ledger) + count; ++i) {
    const std::string& name = ledger.classes()[i].name;
    const auto& all = totals(ledger, i);
    double time = 0;
    for (const power::MeterTime one : all.residency) time += to_double(one);
    const bool sleeps = all.residency.size() > 1 && time > 0;
    uses.push_back({name.substr(std::string_view(netsim::kSwitchClasses).size()),
                    mean_power(all.energy, window),
                    sleeps ? to_double(all.residency.back()) / time : 0});
  }
  return uses;
}

}  // namespace

Summary::Summary(const config::Simulation& of, const netsim::Report& measured_report)
    : simulation(of), report(measured_report) {
  const Duration window = report.to - report.from;
  measured = window > Duration{};
  if (!measured) return;
  const power::Ledger& ledger = report.ledger;
  offered_load = netsim::load(report, report.offered, of.host_rate, of.sending_hosts);
  accepted_load = netsim::load(report, report.delivered, of.host_rate, of.sending_hosts);
  if (report.messages > 0) {
    missed_share =
        static_cast<double>(netsim::missed(report)) / static_cast<double>(report.messages);
  }
  for (std::size_t i = 0; i < channel_classes(ledger); ++i) {
    changes += totals(ledger, i).transitions;
  }
  channels = mean_power(netsim::channel_energy(ledger), window);
  for (std::size_t i = 0; i < netsim::switch_classes(ledger); ++i)
    core_energy += totals(ledger, channel_classes(ledger) + i).energy;
  cores = mean_power(core_energy, window);
  groups = group_uses(ledger, window);
  components = component_uses(ledger, window);
  wall = wall_use(of, report);
  if (report.delivered > DataSize{}) {
    energy_per_bit = to_joules(ledger.total()) / static_cast<double>(report.delivered.count());
  }
  always_on = mean_power(report.always_on, window);
  ideal = mean_power(report.ideal, window);
  states = state_shares(ledger);
  busiest = busiest_channels(*of.graph, report.channels, window);
}

namespace {

constexpr std::array kKinds = {
    MetricKind{"network.hosts", "1", "hosts of the network"},
    MetricKind{"network.sending_hosts", "1", "hosts that the pattern lets send"},
    MetricKind{"network.switches", "1", "switches of the network"},
    MetricKind{"network.links", "1", "links of the network, two channels each"},
    MetricKind{"time.warm_up", "ps", "simulated time before anything was measured"},
    MetricKind{"time.measured", "ps", "simulated time that was measured"},
    MetricKind{"traffic.offered", "bit", "data of the messages created while measured"},
    MetricKind{"traffic.offered_load", "1", "the same over what the sending hosts' links carry"},
    MetricKind{"traffic.delivered", "bit", "data that reached its destination while measured"},
    MetricKind{"traffic.accepted_load", "1", "the same over what the sending hosts' links carry"},
    MetricKind{"traffic.messages", "1", "messages created while measured"},
    MetricKind{"traffic.messages_unfinished", "1", "of these, not arrived when the run ended"},
    MetricKind{"traffic.packets_unfinished", "1", "packets sent while measured, not arrived"},
    MetricKind{"traffic.saturated", "1", "1 when the network is beyond its capacity, else 0"},
    MetricKind{"traffic.too_short", "1",
               "1 when the run is too short for its messages to tell whether it is, else 0"},
    MetricKind{"traffic.steady", "1", "1 when both halves of the measured time agree, else 0"},
    MetricKind{"packet_latency.count", "1", "packets whose latency is known"},
    MetricKind{"packet_latency.mean", "ps",
               "from the first bit out of the host to the last bit in"},
    MetricKind{"packet_latency.least", "ps", "the shortest"},
    MetricKind{"packet_latency.p50", "ps", "the median, at most 1.6 % above the true one"},
    MetricKind{"packet_latency.p99", "ps", "99 % are not longer, likewise"},
    MetricKind{"packet_latency.p99_9", "ps", "99.9 % are not longer, likewise"},
    MetricKind{"packet_latency.most", "ps", "the longest"},
    MetricKind{"message_latency.count", "1", "messages whose latency is known"},
    MetricKind{"message_latency.mean", "ps", "from its creation to the last bit in"},
    MetricKind{"message_latency.least", "ps", "the shortest"},
    MetricKind{"message_latency.p50", "ps", "the median, at most 1.6 % above the true one"},
    MetricKind{"message_latency.p99", "ps", "99 % are not longer, likewise"},
    MetricKind{"message_latency.p99_9", "ps", "99.9 % are not longer, likewise"},
    MetricKind{"message_latency.most", "ps", "the longest"},
    MetricKind{"deadline.time", "ps", "how long a message is of use, where the workload says"},
    MetricKind{"deadline.missed", "1",
               "messages that came later or had not arrived when the run ended"},
    MetricKind{"deadline.missed_share", "1", "the same over messages created while measured"},
    MetricKind{"lateness.count", "1", "messages that came after the deadline"},
    MetricKind{"lateness.mean", "ps", "by how much these were late: the deadline missing time"},
    MetricKind{"lateness.least", "ps", "the shortest"},
    MetricKind{"lateness.p50", "ps", "the median, at most 1.6 % above the true one"},
    MetricKind{"lateness.p99", "ps", "99 % are not longer, likewise"},
    MetricKind{"lateness.p99_9", "ps", "99.9 % are not longer, likewise"},
    MetricKind{"lateness.most", "ps", "the longest"},
    MetricKind{"job.time", "ps", "from the start to the end of the job; of several, the longest"},
    MetricKind{"job.slowdown", "1", "the same over what it takes with links that are always on"},
    MetricKind{"job.energy", "J", "of channels and switch cores while jobs ran, of all jobs"},
    MetricKind{"job.reference_energy", "J", "the same with links that are always on"},
    MetricKind{"job.energy_delay", "J s", "energy times time, of all jobs"},
    MetricKind{"job.unfinished", "1", "jobs that were not done when the run ended"},
    MetricKind{"path.computing", "ps", "of the critical path of the longest job: computing"},
    MetricKind{"path.overhead", "ps", "sending and receiving on CPUs"},
    MetricKind{"path.transmission", "ps", "messages, as in an idle network at full rate"},
    MetricKind{"path.waking", "ps", "waiting for links that slept or changed their rate"},
    MetricKind{"path.slower", "ps", "sending on links that did not run at full rate"},
    MetricKind{"path.queueing", "ps", "waiting for other messages, or longer ways"},
    MetricKind{"power.relative", "1", "energy of the channels over that at full rate all the time"},
    MetricKind{"power.ideal_relative", "1", "the same, had power followed what each one carried"},
    MetricKind{"power.channels", "W", "mean power of the channels"},
    MetricKind{"power.always_on", "W", "mean power of the channels, had all run at full rate"},
    MetricKind{"power.ideal", "W", "mean power of the channels, had it followed what they carried"},
    MetricKind{"power.switch_cores", "W", "mean power of switches beside their channels"},
    MetricKind{"energy.channels", "J", "energy of the channels while measured"},
    MetricKind{"energy.switch_cores", "J", "energy of switches beside their channels"},
    MetricKind{"power.buffers", "W", "mean power of the buffers of switches, where metered"},
    MetricKind{"power.crossbar", "W", "mean power of the crossbars of switches, where metered"},
    MetricKind{"power.arbiter", "W", "mean power of the arbiters of switches, where metered"},
    MetricKind{"power.tables", "W", "mean power of the tables of switches, where metered"},
    MetricKind{"power.logic", "W",
               "mean power of the logic of switches, whatever they do, where metered"},
    MetricKind{"power.nic", "W", "mean power of network cards, where metered"},
    MetricKind{"energy.buffers", "J", "energy of the buffers of switches, where metered"},
    MetricKind{"energy.crossbar", "J", "energy of the crossbars of switches, where metered"},
    MetricKind{"energy.arbiter", "J", "energy of the arbiters of switches, where metered"},
    MetricKind{"energy.tables", "J", "energy of the tables of switches, where metered"},
    MetricKind{"energy.logic", "J",
               "energy of the logic of switches, whatever they do, where metered"},
    MetricKind{"energy.nic", "J", "energy of network cards, where metered"},
    MetricKind{"power.switches", "W",
               "mean power of switches with their channels, where a power supply is named"},
    MetricKind{"power.switches_wall", "W",
               "what their supplies take for the mean power of each switch"},
    MetricKind{"power.switches_wall_differs_by", "W",
               "by how much the mean over time may differ from that, at most"},
    MetricKind{"energy.per_bit", "J", "energy of all that is metered over data delivered"},
    MetricKind{"channels.changes", "1", "how often channels entered another state"},
    MetricKind{"policy.done", "1", "actions of the policy that channels did"},
    MetricKind{"policy.refused", "1", "actions of the policy that channels did not do"},
};

// Takes unit and existence of each name from the list above.
class Collector {
 public:
  void add(std::string_view name, double value) {
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const MetricKind& known) { return known.name == name; });
    EBB_CHECK(kind != kKinds.end(), "a metric that is not declared");
    metrics_.push_back({std::string(name), std::string(kind->unit), value});
  }
  void add(std::string_view name, std::uint64_t count) { add(name, static_cast<double>(count)); }
  void add(std::string_view name, std::uint32_t count) { add(name, static_cast<double>(count)); }
  void add(std::string_view name, Duration time) { add(name, static_cast<double>(time.count())); }
  void add(std::string_view name, DataSize data) { add(name, static_cast<double>(data.count())); }
  void add(std::string_view name, Power power) { add(name, to_watts(power)); }
  void add(std::string_view name, bool truth) { add(name, truth ? 1.0 : 0.0); }

  [[nodiscard]] std::vector<Metric> take() { return std::move(metrics_); }

 private:
  std::vector<Metric> metrics_;
};

void add_network(const config::Simulation& simulation, Collector& into) {
  into.add("network.hosts", simulation.graph->hosts_of_plane());
  into.add("network.sending_hosts", simulation.sending_hosts);
  into.add("network.switches", simulation.graph->switch_count());
  into.add("network.links", simulation.graph->link_count());
}

void add_traffic(const Summary& summary, Collector& into) {
  const netsim::Report& report = summary.report;
  into.add("time.warm_up", report.warm_up.end.time_since_epoch());
  into.add("time.measured", report.to - report.from);
  into.add("traffic.offered", report.offered);
  into.add("traffic.offered_load", summary.offered_load);
  into.add("traffic.delivered", report.delivered);
  into.add("traffic.accepted_load", summary.accepted_load);
  into.add("traffic.messages", report.messages);
  into.add("traffic.messages_unfinished", report.messages_unfinished);
  into.add("traffic.packets_unfinished", report.packets_unfinished);
  into.add("traffic.saturated", saturated(report));
  into.add("traffic.too_short", too_short(report));
  into.add("traffic.steady", steady(report));
}

void add_latency(const std::string& of, const netsim::Histogram& latency, Collector& into) {
  into.add(of + ".count", latency.count());
  if (latency.count() == 0) return;
  into.add(of + ".mean", latency.mean());
  into.add(of + ".least", latency.least());
  into.add(of + ".p50", latency.quantile(Ratio(1, 2)));
  into.add(of + ".p99", latency.quantile(Ratio(99, 100)));
  into.add(of + ".p99_9", latency.quantile(Ratio(999, 1000)));
  into.add(of + ".most", latency.most());
}

// Messages that came in time have no lateness, so its count may be 0.
void add_deadline(const Summary& summary, Collector& into) {
  const netsim::Report& report = summary.report;
  if (!report.deadline) return;
  into.add("deadline.time", *report.deadline);
  into.add("deadline.missed", netsim::missed(report));
  into.add("deadline.missed_share", summary.missed_share);
  add_latency("lateness", report.lateness, into);
}

void add_path(const netsim::CriticalPath& path, Collector& into) {
  Duration waking{};
  for (const Duration level : path.waking) waking += level;
  into.add("path.computing", path.computing);
  into.add("path.overhead", path.overhead);
  into.add("path.transmission", path.transmission);
  into.add("path.waking", waking);
  into.add("path.slower", path.slower);
  into.add("path.queueing", path.queueing);
}

void add_jobs(const netsim::Report& report, Collector& into) {
  if (report.jobs.empty()) return;
  const auto longest = std::ranges::max_element(report.jobs, {}, &netsim::JobReport::time);
  double energy = 0;
  double reference = 0;
  double delay = 0;
  std::uint64_t unfinished = 0;
  bool has_reference = true;
  for (const netsim::JobReport& job : report.jobs) {
    energy += to_joules(job.energy);
    delay += energy_delay(job);
    unfinished += job.done ? 0 : 1;
    has_reference = has_reference && job.reference.has_value();
    if (job.reference) reference += to_joules(job.reference->energy);
  }
  into.add("job.time", longest->time());
  if (const auto slower = slowdown(*longest)) into.add("job.slowdown", *slower);
  into.add("job.energy", energy);
  if (has_reference) into.add("job.reference_energy", reference);
  into.add("job.energy_delay", delay);
  into.add("job.unfinished", unfinished);
  if (longest->done) add_path(longest->path, into);
}

void add_power(const Summary& summary, Collector& into) {
  const netsim::Report& report = summary.report;
  const Energy channels = netsim::channel_energy(report.ledger);
  into.add("power.relative", relative_power(report));
  into.add("power.ideal_relative", ideal_relative_power(report));
  into.add("power.channels", summary.channels);
  into.add("power.always_on", summary.always_on);
  into.add("power.ideal", summary.ideal);
  into.add("power.switch_cores", summary.cores);
  into.add("energy.channels", to_joules(channels));
  into.add("energy.switch_cores", to_joules(summary.core_energy));
  for (const ComponentUse& use : summary.components) into.add("power." + use.name, use.power);
  for (const ComponentUse& use : summary.components)
    into.add("energy." + use.name, to_joules(use.energy));
  if (summary.wall) {
    into.add("power.switches", summary.wall->switches);
    into.add("power.switches_wall", summary.wall->wall);
    into.add("power.switches_wall_differs_by", summary.wall->differs_by);
  }
  if (report.delivered > DataSize{}) into.add("energy.per_bit", summary.energy_per_bit);
  into.add("channels.changes", summary.changes);
  into.add("policy.done", report.outcomes_done);
  into.add("policy.refused", report.outcomes_refused);
}

}  // namespace

std::span<const MetricKind> metric_kinds() { return kKinds; }

std::vector<Metric> metrics_of(const Summary& summary) {
  Collector collector;
  add_network(summary.simulation, collector);
  add_traffic(summary, collector);
  add_latency("packet_latency", summary.report.packet_latency, collector);
  add_latency("message_latency", summary.report.message_latency, collector);
  add_deadline(summary, collector);
  add_jobs(summary.report, collector);
  add_power(summary, collector);
  return collector.take();
}

}  // namespace ebb::results
