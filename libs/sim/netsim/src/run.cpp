// SPDX-License-Identifier: Apache-2.0

#include "collectors.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/routing/analysis.hpp"
#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ebb::netsim {
namespace {

using topology::ChannelId;

// Parts of the measured time in which the warm-up is judged, and between which progress is told.
constexpr int kBatches = 10;
constexpr int kStepsPerBatch = 10;
// This many transmissions at the slowest rate could have happened, and none did.
constexpr int kStallPackets = 1000;

Duration stall_timeout(const Experiment& experiment) {
  Duration longest{};
  for (const ChannelModel& model : experiment.models) {
    const Duration packet =
        serialization_time(experiment.hardware.packet, model.rate_levels.front().rate);
    longest = std::max({longest, kStallPackets * packet, model.rate_change, model.lane_change});
    if (model.sleep) longest = std::max(longest, 2 * model.sleep->wake);
  }
  return longest;
}

// A switch lives on one thread.
std::uint32_t threads_used(const Experiment& experiment) {
  return std::clamp(experiment.threads, 1U,
                    experiment.graph.switch_count() / experiment.communicator.count());
}

// By switch; long links are the best to cut, they leave partitions alone for longest.
std::vector<std::uint32_t> divide(const Experiment& experiment, std::uint32_t partitions) {
  constexpr std::int64_t kHeaviest = 1000;
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const topology::Link& link : experiment.graph.links()) {
    shortest = std::min<std::int64_t>(shortest, experiment.hardware.latency(link).count());
  }
  std::vector<std::uint32_t> weights;
  for (const topology::Link& link : experiment.graph.links()) {
    const std::int64_t latency = experiment.hardware.latency(link).count();
    weights.push_back(static_cast<std::uint32_t>(1 + (kHeaviest - 1) * shortest / latency));
  }
  return topology::divide(experiment.graph, partitions, weights);
}

// Rank 0 divides for all: another build of METIS might do it in another way.
std::vector<std::uint32_t> divided(const Experiment& experiment) {
  mpi::Communicator& communicator = experiment.communicator;
  const std::uint32_t partitions = threads_used(experiment) * communicator.count();
  if (partitions == 1) return {};
  Bytes mine;
  if (communicator.first()) append_list(mine, divide(experiment, partitions));
  return ByteReader(communicator.all_gather(mine).front()).take_list<std::uint32_t>();
}

// Those of this rank; they live with the switch that serves them.
traffic::HostSet hosts_here(const Experiment& experiment,
                            const std::vector<std::uint32_t>& partition_of) {
  if (experiment.communicator.is_serial()) return {};
  const topology::Graph& graph = experiment.graph;
  const std::uint32_t threads = threads_used(experiment);
  std::vector<bool> here(graph.host_count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto served_by = graph.target(graph.outputs(graph.host_node(h)).front());
    here[h] = partition_of[index(served_by)] / threads == experiment.communicator.rank();
  }
  return traffic::HostSet(std::move(here));
}

std::vector<DataRate> host_rates(const topology::Graph& graph) {
  std::vector<DataRate> rates;
  rates.reserve(graph.host_count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const ChannelId channel = graph.outputs(graph.host_node(h)).front();
    rates.push_back(graph.full_rate(graph.link(topology::link_of(channel))));
  }
  return rates;
}

std::vector<Observer*> observers(std::vector<LatencyCollector>& collectors) {
  std::vector<Observer*> result;
  result.reserve(collectors.size());
  for (LatencyCollector& collector : collectors) result.push_back(&collector);
  return result;
}

class Run {
 public:
  Run(const Experiment& experiment, const OnProgress& on_progress)
      : experiment_(experiment),
        communicator_(experiment.communicator),
        on_progress_(on_progress),
        partition_of_(divided(experiment)),
        source_(experiment.workload.start({.seed = experiment.seed,
                                           .until = experiment.schedule.latest_end(),
                                           .hosts = hosts_here(experiment, partition_of_)})),
        offer_(*source_, host_rates(experiment.graph)),
        collectors_(threads_used(experiment)),
        network_({experiment.graph, experiment.routing, experiment.models, experiment.hardware,
                  experiment.switch_core, experiment.seed, experiment.communicator, partition_of_,
                  experiment.components},
                 offer_, observers(collectors_)),
        control_(experiment.make_control ? experiment.make_control(network_, experiment.policy)
                                         : nullptr),
        batch_(std::max(experiment.schedule.measure / kBatches, Duration(1))),
        stall_timeout_(stall_timeout(experiment)) {}

  Report finish() {
    if (experiment_.policy.needs_next_hops())
      experiment_.policy.set_next_hops(experiment_.next_hops);
    warm_up();
    measure();
    tail();
    collect_latencies();
    report_.messages_unfinished = report_.messages - report_.message_latency.count();
    report_.packets_unfinished = packets_measured_ - report_.packet_latency.count();
    const Network::Counts counts = network_.counts();
    report_.events = counts.events;
    report_.packet_hops = counts.packet_hops;
    report_.windows = network_.windows();
    return std::move(report_);
  }

 private:
  void sample_and_act() {
    if (control_) {
      control_->act();
      next_sample_ = control_->next();
      return;
    }
    network_.act(experiment_.policy);
    next_sample_ += experiment_.policy.sample_period();
  }
  [[nodiscard]] OutcomeCounts outcomes() const {
    return control_ ? control_->outcomes() : network_.outcomes();
  }

  // To `end`, with the policy at its times, `end` included. False when the network is stuck before.
  bool advance(TimePoint end) {
    const Duration step = std::max(batch_ / kStepsPerBatch, Duration(1));
    for (;;) {
      if (next_sample_ <= network_.now()) sample_and_act();
      if (network_.now() == end) return true;
      run_network(std::min({end, next_sample_, network_.now() + step}));
      const Network::Counts counts = network_.counts();
      if (on_progress_) on_progress_({phase_, network_.now(), phase_end_, counts.packet_hops});
      if (stuck(counts)) return false;
    }
  }

  void run_network(TimePoint end) {
    recorder_ ? recorder_->run_until(end) : network_.run_until(end);
  }

  bool stuck(const Network::Counts& counts) {
    if (counts.packets_in_network == 0 || counts.transmissions != transmissions_seen_) {
      transmissions_seen_ = counts.transmissions;
      moved_at_ = network_.now();
    }
    if (network_.now() - moved_at_ < stall_timeout_) return false;
    report_.stall = Stall{moved_at_, counts.packets_in_network, network_.blocked_chain()};
    return true;
  }

  [[nodiscard]] DataSize delivered() const {
    DataSize sum;
    for (const LatencyCollector& collector : collectors_) sum += collector.delivered();
    return mpi::all_reduce(communicator_, sum);
  }
  [[nodiscard]] std::uint64_t delivered_messages() const {
    std::uint64_t sum = 0;
    for (const LatencyCollector& collector : collectors_) sum += collector.delivered_messages();
    return mpi::all_reduce(communicator_, sum);
  }
  [[nodiscard]] std::uint64_t finished_messages() const {
    std::uint64_t sum = 0;
    for (const LatencyCollector& collector : collectors_) sum += collector.messages().count();
    return mpi::all_reduce(communicator_, sum);
  }

  // The counters as they stand, until end_batch makes them what happened since.
  Batch begin_batch() {
    return {network_.now(), {}, delivered(), delivered_messages(), network_.channel_energy()};
  }
  void end_batch(Batch& batch) {
    batch.to = network_.now();
    batch.delivered = delivered() - batch.delivered;
    batch.messages = delivered_messages() - batch.messages;
    batch.energy = network_.channel_energy() - batch.energy;
  }

  void warm_up() {
    const Schedule& schedule = experiment_.schedule;
    const TimePoint limit(schedule.warm_up.value_or(schedule.warm_up_limit));
    phase_end_ = limit;
    report_.warm_up.found = !schedule.warm_up;
    network_.start_meters();
    std::vector<Batch> batches;
    while (network_.now() < limit && !report_.stall) {
      Batch batch = begin_batch();
      advance(std::min(limit, network_.now() + batch_));
      end_batch(batch);
      batches.push_back(batch);
      report_.warm_up.settled = settled(batches) && has_held(message_times().longest);
      if (report_.warm_up.found && report_.warm_up.settled) break;
    }
    report_.warm_up.end = network_.now();
  }

  [[nodiscard]] MessageTimes message_times() const {
    return mpi::all_reduce(communicator_, offer_.times());
  }
  [[nodiscard]] bool has_held(Duration message) const {
    return network_.now().time_since_epoch() >= message;
  }

  // The last two batches agree with the two before.
  static bool settled(const std::vector<Batch>& batches) {
    if (batches.size() < 4) return false;
    const auto both = [&](std::size_t from_end) {
      Batch sum = batches[batches.size() - from_end];
      const Batch& second = batches[batches.size() - from_end + 1];
      sum.to = second.to;
      sum.delivered += second.delivered;
      sum.messages += second.messages;
      sum.energy += second.energy;
      return sum;
    };
    return agree(both(4), both(2));
  }

  void measure() {
    const Duration time = experiment_.schedule.measure;
    const TimePoint from = network_.now();
    phase_ = Phase::measure;
    phase_end_ = from + time;
    offer_.open(from, from + time / 2, phase_end_);
    report_.deadline = experiment_.workload.deadline();
    for (LatencyCollector& collector : collectors_)
      collector.open(from, phase_end_, report_.deadline);
    network_.start_meters();
    const std::vector<ChannelUse> before = network_.uses();
    if (experiment_.series_every) recorder_.emplace(network_, *experiment_.series_every);
    const std::uint64_t packets = network_.counts().packets_sent;
    const OutcomeCounts before_outcomes = outcomes();
    report_.from = from;
    measure_half(report_.first_half, from + time / 2);
    measure_half(report_.second_half, phase_end_);
    offer_.fetch_rest();
    report_.to = network_.now();
    packets_measured_ = network_.counts().packets_sent - packets;
    report_.offered = mpi::all_reduce(communicator_, offer_.data());
    report_.offered_second_half = mpi::all_reduce(communicator_, offer_.data_from_middle());
    report_.sendable_second_half = mpi::all_reduce(communicator_, offer_.sendable_from_middle());
    report_.offered_by_overloaded = mpi::all_reduce(communicator_, offer_.data_of_overloaded());
    report_.link_times = mpi::all_reduce(communicator_, offer_.link_times());
    judge_messages();
    report_.messages = mpi::all_reduce(communicator_, offer_.messages());
    report_.delivered = report_.first_half.delivered + report_.second_half.delivered;
    report_.outcomes_done = outcomes().done - before_outcomes.done;
    report_.outcomes_refused = outcomes().refused - before_outcomes.refused;
    if (recorder_) report_.series = std::move(*recorder_).finish();
    recorder_.reset();
    report_.ledger = network_.close_meters();
    report_.channels = network_.uses();
    for (std::size_t i = 0; i < before.size(); ++i) {
      report_.channels[i].busy -= before[i].busy;
      report_.channels[i].sent -= before[i].sent;
    }
    compare_energy();
  }

  // By all sizes that the workload has, where it knows them, else by those of the run.
  void judge_messages() {
    const MessageTimes seen = message_times();
    report_.longest_message = seen.longest;
    report_.mean_residual = seen.mean_residual();
    const std::vector<DataRate> rates = host_rates(experiment_.graph);
    const auto sizes = experiment_.workload.sizes();
    if (!sizes || rates.empty()) return;
    const DataRate slowest = *std::min_element(rates.begin(), rates.end());
    report_.longest_message = serialization_time(sizes->longest, slowest);
    report_.mean_residual = serialization_time(sizes->mean_residual, slowest);
  }

  void measure_half(Batch& half, TimePoint end) {
    half = begin_batch();
    if (!report_.stall) advance(end);
    end_batch(half);
  }

  // What the same channels would have drawn always at full rate, and in proportion to their use.
  void compare_energy() {
    const Duration time = report_.to - report_.from;
    for (std::uint32_t i = 0; i < report_.channels.size(); ++i) {
      const auto& link = experiment_.graph.link(topology::link_of(ChannelId{i}));
      const ChannelModel::RateLevel& full = experiment_.models[link.rate_table].rate_levels.back();
      report_.always_on += full.power * time;
      report_.ideal += full.power * serialization_time(report_.channels[i].sent, full.rate);
    }
  }

  void tail() {
    phase_ = Phase::tail;
    phase_end_ = network_.now() + experiment_.schedule.tail_limit;
    while (!report_.stall && finished_messages() < report_.messages &&
           network_.now() < phase_end_) {
      advance(std::min(phase_end_, network_.now() + batch_));
    }
  }

  // On rank 0 those of all ranks.
  void collect_latencies() {
    Bytes mine;
    for (const LatencyCollector& collector : collectors_) {
      collector.messages().append_to(mine);
      collector.packets().append_to(mine);
      collector.lateness().append_to(mine);
    }
    for (const Bytes& bytes : communicator_.gather(mine)) {
      ByteReader reader(bytes);
      while (!reader.empty()) {
        report_.message_latency += Histogram::taken_from(reader);
        report_.packet_latency += Histogram::taken_from(reader);
        report_.lateness += Histogram::taken_from(reader);
      }
    }
  }

  const Experiment& experiment_;
  mpi::Communicator& communicator_;
  const OnProgress& on_progress_;
  const std::vector<std::uint32_t> partition_of_;  // by switch; empty: one
  std::unique_ptr<MessageSource> source_;
  OfferedLoadCounter offer_;
  std::vector<LatencyCollector> collectors_;  // by partition
  Network network_;
  const std::unique_ptr<NetworkControl> control_;  // null: the policy acts
  std::optional<SeriesRecorder> recorder_;         // while measuring, when asked for
  const Duration batch_;
  const Duration stall_timeout_;

  TimePoint next_sample_{};
  Phase phase_ = Phase::warm_up;
  TimePoint phase_end_{};
  std::uint64_t transmissions_seen_ = 0;
  TimePoint moved_at_{};
  std::uint64_t packets_measured_ = 0;
  Report report_;
};

}  // namespace

Report run(const Experiment& experiment, const OnProgress& on_progress) {
  return Run(experiment, on_progress).finish();
}

Result<std::vector<policy::NextHopSet>> next_hops_of(const topology::Graph& graph,
                                                     const routing::Routing& routing) {
  const auto rows = routing::forwarding_rows(graph, routing);
  if (!rows) return fail(rows.error());
  std::vector<policy::NextHopSet> next_hops;
  next_hops.reserve(rows->size());
  for (const routing::Row& row : *rows) {
    policy::NextHopSet& set = next_hops.emplace_back();
    set.device = index(row.at);
    set.destination = index(row.destination);
    for (const topology::ChannelId channel : row.channels)
      set.channels.push_back(policy::ChannelId{index(channel)});
  }
  return next_hops;
}

}  // namespace ebb::netsim
