// SPDX-License-Identifier: Apache-2.0

#include "collectors.hpp"
#include "division.hpp"
#include "job_accounts.hpp"
#include "run_timeline.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/routing/analysis.hpp"

#include <algorithm>
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

std::vector<Observer*> observers(std::vector<LatencyCollector>& collectors) {
  std::vector<Observer*> result;
  result.reserve(collectors.size());
  for (LatencyCollector& collector : collectors) result.push_back(&collector);
  return result;
}

// None where jobs are the source.
std::unique_ptr<MessageSource> source_of(const Experiment& experiment,
                                         const std::vector<std::uint32_t>& partition_of) {
  if (experiment.jobs != nullptr) return nullptr;
  return experiment.workload.start({.seed = experiment.seed,
                                    .until = experiment.schedule.latest_end(),
                                    .hosts = hosts_here(experiment, partition_of)});
}

std::unique_ptr<JobAccounts> accounts_of(const Experiment& experiment,
                                         std::vector<LatencyCollector>& collectors) {
  if (experiment.jobs == nullptr) return nullptr;
  auto accounts =
      std::make_unique<JobAccounts>(experiment, static_cast<std::uint32_t>(collectors.size()));
  for (std::size_t i = 0; i < collectors.size(); ++i)
    collectors[i].collect_for_jobs(accounts->collector(i));
  return accounts;
}

std::unique_ptr<RunTimeline> make_timeline(const Experiment& experiment,
                                           traffic::ClosedLoop* loop) {
  return experiment.timeline == nullptr ? nullptr : std::make_unique<RunTimeline>(experiment, loop);
}

class Run {
 public:
  Run(const Experiment& experiment, const OnProgress& on_progress)
      : experiment_(experiment),
        communicator_(experiment.communicator),
        on_progress_(on_progress),
        partition_of_(divided(experiment)),
        source_(source_of(experiment, partition_of_)),
        offer_(experiment.jobs != nullptr ? *experiment.jobs : *source_,
               host_rates(experiment.graph)),
        collectors_(threads_used(experiment)),
        accounts_(accounts_of(experiment, collectors_)),
        timeline_(make_timeline(experiment, offer_.closed_loop())),
        network_({experiment.graph, experiment.routing, experiment.models, experiment.hardware,
                  experiment.switch_core, experiment.seed, experiment.communicator, partition_of_,
                  experiment.components, experiment.fidelity, experiment.switch_groups},
                 offer_,
                 timeline_ ? timeline_->observe(observers(collectors_)) : observers(collectors_)),
        control_(experiment.make_control ? experiment.make_control(network_, experiment.policy)
                                         : nullptr),
        batch_(std::max(experiment.schedule.measure / kBatches, Duration(1))),
        stall_timeout_(stall_timeout(experiment)) {}

  Report finish() {
    if (experiment_.policy.needs_next_hops())
      experiment_.policy.set_next_hops(experiment_.next_hops);
    if (experiment_.jobs != nullptr) {
      run_jobs();
    } else {
      warm_up();
      measure();
      tail();
    }
    if (timeline_) finish_timeline();
    gather_latencies(collectors_, communicator_, report_);
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
    // Where time is cut all flows are counted.
    const int steps = experiment_.fidelity == Fidelity::flow ? 1 : kStepsPerBatch;
    const Duration step = std::max(batch_ / steps, Duration(1));
    for (;;) {
      if (next_sample_ <= network_.now()) sample_and_act();
      if (network_.now() == end) return true;
      run_network(std::min({end, next_sample_, network_.now() + step}));
      const Network::Counts counts = network_.counts();
      if (on_progress_) {
        Progress progress{phase_, network_.now(), phase_end_, counts.packet_hops};
        if (accounts_) accounts_->add_to(progress);
        on_progress_(progress);
      }
      if (stuck(counts)) return false;
    }
  }

  void run_network(TimePoint end) {
    recorder_ ? recorder_->run_until(end) : network_.run_until(end);
    if (timeline_) timeline_->advance(network_.now());
  }

  bool stuck(const Network::Counts& counts) {
    if (counts.transmissions != transmissions_seen_) sent_at_ = network_.now();
    const bool is_empty = counts.packets_in_network == 0;
    // What has come since the last look at an empty network may have come just now, and wait for a
    // channel that wakes.
    const bool just_came = std::exchange(was_empty_, is_empty);
    if (is_empty || just_came || counts.transmissions != transmissions_seen_) {
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

  void measure() {
    const TimePoint from = network_.now();
    const TimePoint middle = from + experiment_.schedule.measure / 2;
    open_measurement(middle, from + experiment_.schedule.measure);
    measure_half(report_.first_half, middle);
    measure_half(report_.second_half, phase_end_);
    offer_.fetch_rest();
    close_measurement();
  }

  // Jobs are measured from the beginning until all of them are done. When that is nobody knows
  // before, so it is looked at from time to time, the more rarely the longer they run, and at whole
  // nanoseconds, in which timelines count.
  void run_jobs() {
    using Nanoseconds = std::chrono::nanoseconds;
    constexpr int kLooks = 256;
    constexpr Duration kLeastStep = std::chrono::microseconds(1);
    open_measurement(network_.now(), network_.now() + experiment_.schedule.measure);
    report_.second_half = begin_batch();
    do {
      const Duration part = network_.now().time_since_epoch() / kLooks;
      const Duration step =
          std::max<Duration>(kLeastStep, std::chrono::duration_cast<Nanoseconds>(part));
      advance(std::min(phase_end_, network_.now() + step));
      accounts_->advance(network_.now());
    } while (!accounts_->all_done() && !report_.stall && !jobs_stall() &&
             network_.now() < phase_end_);
    end_batch(report_.second_half);
    close_measurement();
    report_.jobs = accounts_->finish();
  }

  // Ranks wait for messages, and nothing has been under way for a while. Whether that which is
  // under way is stuck, stuck() has found out.
  bool jobs_stall() {
    if (network_.now() - sent_at_ < stall_timeout_ || !accounts_->all_wait()) return false;
    if (network_.counts().packets_in_network > 0) return false;
    report_.stall = Stall{sent_at_, 0, accounts_->stalled()};
    return true;
  }

  void open_measurement(TimePoint middle, TimePoint end) {
    const TimePoint from = network_.now();
    phase_ = Phase::measure;
    phase_end_ = end;
    offer_.open(from, middle, end);
    report_.deadline = experiment_.workload.deadline();
    for (LatencyCollector& collector : collectors_) collector.open(from, end, report_.deadline);
    network_.start_meters();
    uses_before_ = network_.uses();
    if (experiment_.series_every) recorder_.emplace(network_, *experiment_.series_every);
    packets_before_ = network_.counts().packets_sent;
    outcomes_before_ = outcomes();
    report_.from = from;
  }

  void close_measurement() {
    report_.to = network_.now();
    packets_measured_ = network_.counts().packets_sent - packets_before_;
    report_.offered = mpi::all_reduce(communicator_, offer_.data());
    report_.offered_second_half = mpi::all_reduce(communicator_, offer_.data_from_middle());
    report_.sendable_second_half = mpi::all_reduce(communicator_, offer_.sendable_from_middle());
    report_.offered_by_overloaded = mpi::all_reduce(communicator_, offer_.data_of_overloaded());
    report_.link_times = mpi::all_reduce(communicator_, offer_.link_times());
    judge_messages();
    report_.messages = mpi::all_reduce(communicator_, offer_.messages());
    report_.delivered = report_.first_half.delivered + report_.second_half.delivered;
    report_.outcomes_done = outcomes().done - outcomes_before_.done;
    report_.outcomes_refused = outcomes().refused - outcomes_before_.refused;
    if (recorder_) report_.series = std::move(*recorder_).finish();
    recorder_.reset();
    report_.between_switches = network_.energy_between_switches();
    report_.ledger = network_.close_meters();
    report_.channels = network_.uses();
    for (std::size_t i = 0; i < uses_before_.size(); ++i) {
      report_.channels[i].busy -= uses_before_[i].busy;
      report_.channels[i].sent -= uses_before_[i].sent;
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
      if (experiment_.graph.connects_switches(ChannelId{i}))
        report_.between_switches_always_on += full.power * time;
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

  void finish_timeline() {
    timeline_->add_phase("warm-up", TimePoint(), report_.from);
    timeline_->add_phase("measured", report_.from, report_.to);
    timeline_->add_phase("tail", report_.to, network_.now());
    timeline_->finish(network_.now());
  }

  const Experiment& experiment_;
  mpi::Communicator& communicator_;
  const OnProgress& on_progress_;
  const std::vector<std::uint32_t> partition_of_;  // by switch; empty: one
  std::unique_ptr<MessageSource> source_;
  OfferedLoadCounter offer_;
  std::vector<LatencyCollector> collectors_;     // by partition
  const std::unique_ptr<JobAccounts> accounts_;  // where there are jobs
  std::unique_ptr<RunTimeline> timeline_;        // when asked for
  Network network_;
  const std::unique_ptr<NetworkControl> control_;  // null: the policy acts
  std::optional<SeriesRecorder> recorder_;         // while measuring, when asked for
  const Duration batch_;
  const Duration stall_timeout_;

  TimePoint next_sample_{};
  Phase phase_ = Phase::warm_up;
  TimePoint phase_end_{};
  std::uint64_t transmissions_seen_ = 0;
  bool was_empty_ = true;  // the network, when it was last looked at
  TimePoint moved_at_{};
  TimePoint sent_at_{};
  std::vector<ChannelUse> uses_before_;  // the measurement, as those below
  std::uint64_t packets_before_ = 0;
  OutcomeCounts outcomes_before_;
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
