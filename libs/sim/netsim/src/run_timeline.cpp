// SPDX-License-Identifier: Apache-2.0
#include "run_timeline.hpp"

#include "ebb/topology/metrics.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

namespace ebb::netsim {
namespace {

using timeline::Flow;
using timeline::Slice;
using timeline::TrackId;
using topology::ChannelId;

// States of a channel's track; rates follow, ascending.
constexpr std::uint8_t kAsleepLine = 0;
constexpr std::uint8_t kChangingLine = 1;
constexpr std::uint8_t kWakingLine = 2;
constexpr std::uint8_t kFirstRateLine = 3;

constexpr std::array kWorkNames = {"computes", "sends", "receives"};

std::uint8_t line_of(policy::State state) {
  if (state.mode == policy::Mode::asleep) return kAsleepLine;
  return static_cast<std::uint8_t>(index(state.rate_level) + kFirstRateLine);
}

}  // namespace

RunTimeline::RunTimeline(const Experiment& experiment, traffic::ClosedLoop* loop)
    : experiment_(experiment),
      out_(*experiment.timeline),
      loop_(loop),
      host_log_(loop == nullptr ? 0 : experiment.graph.host_count()),
      lanes_(experiment.graph.host_count()) {
  if (loop_ != nullptr) loop_->observe(&host_log_);
  add_power();
  phases_ = out_.add_track(out_.add_group("run"), "phases");
  if (loop_ != nullptr) ranks_ = out_.add_group("ranks");
  hosts_ = out_.add_group("messages of hosts");
  add_channels();
  const topology::Graph& graph = experiment.graph;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    to_names_.push_back("to " + graph.name(graph.host_node(h)));
    from_names_.push_back("from " + graph.name(graph.host_node(h)));
  }
}

// Every channel begins awake at its full rate.
void RunTimeline::add_power() {
  const topology::Graph& graph = experiment_.graph;
  const std::vector<std::uint8_t> levels = topology::link_levels(graph);
  std::vector<Power> by_level(1);
  for (std::uint32_t c = 0; c < graph.channel_count(); ++c) {
    const topology::LinkId link = topology::link_of(ChannelId{c});
    const ChannelModel& model = experiment_.models[graph.link(link).rate_table];
    const std::uint8_t level = levels[index(link)];
    const auto full = static_cast<std::uint8_t>(model.rate_levels.size() - 1);
    channels_.push_back({.track = {},
                         .since = {},
                         .power = model.rate_levels.back().power,
                         .state = static_cast<std::uint8_t>(full + kFirstRateLine),
                         .level = level});
    if (by_level.size() <= level) by_level.resize(level + std::size_t{1});
    by_level[level] += channels_.back().power;
  }
  const Power cores = experiment_.switch_core * std::int64_t{graph.switch_count()};
  Power total = cores;
  for (const Power power : by_level) total += power;
  const TrackId group = out_.add_group("power");
  const auto add = [&](const std::string& name, Power power) {
    watts_.emplace_back(out_, out_.add_counter(group, name, "W"), TimePoint(), power);
  };
  add("total", total);
  for (std::size_t level = 0; level < by_level.size(); ++level) {
    add(level == 0 ? "channels of hosts" : fmt::format("channels of level {}", level),
        by_level[level]);
  }
  if (cores > Power{}) add("switch cores", cores);
}

void RunTimeline::add_channels() {
  const topology::Graph& graph = experiment_.graph;
  for (const ChannelModel& model : experiment_.models) {
    auto& names =
        state_names_.emplace_back(std::vector<std::string>{"asleep", "changing", "waking"});
    for (const auto& level : model.rate_levels) names.push_back(to_text(level.rate));
  }
  const TrackId group = out_.add_group("channels");
  for (std::uint32_t c = 0; c < graph.channel_count(); ++c) {
    const ChannelId channel{c};
    channels_[c].track =
        out_.add_track(group, fmt::format("{} to {}", graph.name(graph.source(channel)),
                                          graph.name(graph.target(channel))));
  }
}

std::vector<Observer*> RunTimeline::observe(const std::vector<Observer*>& observers) {
  std::vector<Observer*> in_place;
  in_place.reserve(observers.size());
  for (Observer* observer : observers) in_place.push_back(&logs_.emplace_back(*observer));
  return in_place;
}

void RunTimeline::fetch(const ChannelChange& change) {
  Moment moment{.at = change.begin, .kind = Moment::Kind::state, .who = index(change.channel)};
  if (change.begin < change.end) {
    moment.what = line_of(change.from) == kAsleepLine ? kWakingLine : kChangingLine;
    moment.power = change.meanwhile;
    pending_.push_back(moment);
  }
  moment.at = change.end;
  moment.what = line_of(change.to);
  moment.power = change.after;
  pending_.push_back(moment);
}

void RunTimeline::fetch() {
  for (TimelineLog& log : logs_) {
    for (const ChannelChange& change : log.changes) fetch(change);
    for (const auto& [message, last_sent] : log.messages) {
      pending_.push_back({.at = message.at,
                          .kind = Moment::Kind::message,
                          .who = message.destination,
                          .other = message.source,
                          .number = message.message,
                          .begin = message.created,
                          .last_sent = last_sent});
    }
    log.changes.clear();
    log.messages.clear();
  }
  for (std::uint32_t host = 0; host < host_log_.work.size(); ++host) {
    for (const traffic::HostWork& work : host_log_.work[host]) {
      pending_.push_back({.at = work.end,
                          .kind = Moment::Kind::work,
                          .who = host,
                          .other = work.cpu,
                          .what = static_cast<std::uint8_t>(work.kind),
                          .begin = work.begin});
    }
    host_log_.work[host].clear();
  }
}

// What one channel does at one time is in the order in which it was ordered.
void RunTimeline::advance(TimePoint now) {
  fetch();
  if (out_.cut_at()) return pending_.clear();
  const auto later = std::stable_partition(pending_.begin(), pending_.end(),
                                           [&](const Moment& moment) { return moment.at < now; });
  std::stable_sort(pending_.begin(), later, [](const Moment& a, const Moment& b) {
    return std::tie(a.at, a.kind, a.who, a.other, a.number) <
           std::tie(b.at, b.kind, b.who, b.other, b.number);
  });
  for (auto moment = pending_.begin(); moment != later; ++moment) {
    if (out_.full()) {
      close(moment->at);
      out_.cut(phases_, moment->at);
      return pending_.clear();
    }
    take(*moment);
  }
  pending_.erase(pending_.begin(), later);
}

void RunTimeline::take(const Moment& moment) {
  switch (moment.kind) {
    case Moment::Kind::state:
      return enter(moment);
    case Moment::Kind::message:
      return deliver(moment);
    case Moment::Kind::work:
      return work(moment);
  }
}

std::string_view RunTimeline::state_name(std::uint32_t channel, std::uint8_t state) const {
  const auto& link = experiment_.graph.link(topology::link_of(ChannelId{channel}));
  return state_names_[link.rate_table][state];
}

void RunTimeline::close_state(ChannelLine& line, std::uint32_t channel, TimePoint at) {
  if (line.since < at)
    out_.add(Slice{line.track, line.since, at, state_name(channel, line.state), {}});
  line.since = at;
}

void RunTimeline::enter(const Moment& moment) {
  ChannelLine& line = channels_[moment.who];
  close_state(line, moment.who, moment.at);
  const Power more = moment.power - line.power;
  watts_.front().change(moment.at, more);
  watts_[std::size_t{line.level} + 1].change(moment.at, more);
  line.power = moment.power;
  line.state = moment.what;
}

// A message is with its sender until its last packet leaves; then that packet is on its way.
void RunTimeline::deliver(const Moment& moment) {
  const std::uint64_t flow = ++flows_;
  const TrackId from =
      lane(lanes_[moment.other].sends, moment.other, true, moment.begin, moment.last_sent);
  out_.add(
      Slice{from, moment.begin, moment.last_sent, to_names_[moment.who], {Flow::End::begin, flow}});
  const TrackId to =
      lane(lanes_[moment.who].receives, moment.who, false, moment.last_sent, moment.at);
  out_.add(
      Slice{to, moment.last_sent, moment.at, from_names_[moment.other], {Flow::End::end, flow}});
}

TrackId RunTimeline::lane(std::vector<Lane>& lanes, std::uint32_t host, bool sends, TimePoint begin,
                          TimePoint end) {
  const auto free =
      std::find_if(lanes.begin(), lanes.end(), [&](const Lane& one) { return one.end <= begin; });
  if (free != lanes.end()) {
    free->end = end;
    return free->track;
  }
  constexpr std::size_t kPlaces = 1024;  // of each host, half of them for sends
  const std::size_t place =
      kPlaces * host + (sends ? 0 : kPlaces / 2) + std::min(lanes.size(), kPlaces / 2 - 1);
  const std::string name =
      fmt::format("{} {} {}", experiment_.graph.name(experiment_.graph.host_node(host)),
                  sends ? "sends" : "receives", lanes.size() + 1);
  lanes.push_back({out_.add_track(hosts_, name, static_cast<std::uint32_t>(place)), end});
  return lanes.back().track;
}

// Between two things that it does the CPU of a rank waits.
void RunTimeline::work(const Moment& moment) {
  constexpr std::uint32_t kPlaces = 256;  // CPUs of a rank
  auto& cpus = lanes_[moment.who].cpus;
  if (cpus.size() <= moment.other) cpus.resize(moment.other + std::size_t{1});
  std::optional<Lane>& cpu = cpus[moment.other];
  if (!cpu) {
    const std::string rank =
        fmt::format("{} on {}", loop_->name_of(moment.who),
                    experiment_.graph.name(experiment_.graph.host_node(moment.who)));
    const std::string name =
        moment.other == 0 ? rank : fmt::format("{}, CPU {}", rank, moment.other);
    cpu = Lane{out_.add_track(*ranks_, name, moment.who * kPlaces + moment.other), moment.begin};
  }
  if (cpu->end < moment.begin) out_.add(Slice{cpu->track, cpu->end, moment.begin, "waits", {}});
  if (moment.begin < moment.at)
    out_.add(Slice{cpu->track, moment.begin, moment.at, kWorkNames[moment.what], {}});
  cpu->end = moment.at;
}

void RunTimeline::add_phase(std::string_view name, TimePoint from, TimePoint to) {
  const TimePoint end = std::min(to, out_.cut_at().value_or(to));
  if (from < end) out_.add(Slice{phases_, from, end, name, {}});
}

void RunTimeline::close(TimePoint at) {
  for (std::uint32_t c = 0; c < channels_.size(); ++c) close_state(channels_[c], c, at);
  for (timeline::PowerCounter& watts : watts_) watts.finish(at);
}

void RunTimeline::finish(TimePoint end) {
  advance(end);
  if (!out_.cut_at()) close(end);
}

}  // namespace ebb::netsim
