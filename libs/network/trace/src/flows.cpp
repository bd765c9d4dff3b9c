// SPDX-License-Identifier: Apache-2.0
#include "flows.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ebb::trace {
namespace {

using program::Operation;
using program::RankBuilder;
using std::chrono::nanoseconds;

// The computations of the clock have a CPU of their own: sends and receives do not delay it.
constexpr std::uint8_t kClockCpu = 1;

// Numbers of things, grouped by the host that each belongs to and in order.
class ByHost {
 public:
  template <class HostOf>
  ByHost(std::uint32_t hosts, std::size_t count, HostOf host_of)
      : first_(hosts + std::size_t{1}), items_(count) {
    for (std::uint32_t i = 0; i < count; ++i) ++first_[host_of(i) + std::size_t{1}];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) items_[next[host_of(i)]++] = i;
  }

  [[nodiscard]] std::span<std::uint32_t> operator[](std::uint32_t host) {
    return {items_.data() + first_[host], first_[host + std::size_t{1}] - first_[host]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> items_;
};

// A message of 0 bytes: a flow is done, says one host to another.
struct DoneMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t earlier = 0;
  FlowDependency::Done done = FlowDependency::Done::sent;
  std::uint32_t tag = 0;
};

class FlowProgram {
 public:
  explicit FlowProgram(const FlowList& list) : list_(list), flows_(list.flows) {
    const std::size_t count = flows_.size();
    tags_.reserve(count);
    for (const Flow& flow : flows_) tags_.push_back(next_tag(flow.source, flow.destination));
    done_message_of_.reserve(list.dependencies.size());
    for (const FlowDependency& one : list.dependencies)
      done_message_of_.push_back(done_message(one));
    sends_.resize(count);
    receives_.resize(count);
    done_receives_.resize(done_messages_.size());
  }

  program::Program build(const std::string& name) {
    const auto source = [&](std::uint32_t i) { return flows_[i].source; };
    ByHost by_source(list_.hosts, flows_.size(), source);
    ByHost by_destination(list_.hosts, flows_.size(),
                          [&](std::uint32_t i) { return flows_[i].destination; });
    ByHost sent(list_.hosts, done_messages_.size(),
                [&](std::uint32_t i) { return done_messages_[i].from; });
    ByHost received(list_.hosts, done_messages_.size(),
                    [&](std::uint32_t i) { return done_messages_[i].to; });
    ByHost waits(list_.hosts, list_.dependencies.size(),
                 [&](std::uint32_t i) { return source(list_.dependencies[i].later); });
    program::ProgramBuilder program(list_.hosts);
    for (std::uint32_t host = 0; host < list_.hosts; ++host) {
      RankBuilder rank;
      for (const std::uint32_t flow : by_destination[host]) add_receive(rank, flow);
      for (const std::uint32_t one : received[host]) add_done_receive(rank, one);
      add_sends(rank, by_source[host]);
      for (const std::uint32_t one : sent[host]) add_done_send(rank, done_messages_[one]);
      for (const std::uint32_t one : waits[host]) add_wait(rank, one);
      program.add(rank);
    }
    return std::move(program).build(name);
  }

  [[nodiscard]] std::size_t done_messages() const { return done_messages_.size(); }

 private:
  std::uint32_t next_tag(std::uint32_t from, std::uint32_t to) {
    return next_tag_[std::uint64_t{from} << 32U | to]++;
  }

  // The host where a dependency's earlier flow is done.
  [[nodiscard]] std::uint32_t done_at(const FlowDependency& one) const {
    const Flow& flow = flows_[one.earlier];
    return one.done == FlowDependency::Done::sent ? flow.source : flow.destination;
  }

  // That a dependency needs; none within a host. Flows of a host that wait for the same share it.
  std::optional<std::uint32_t> done_message(const FlowDependency& one) {
    const std::uint32_t from = done_at(one);
    const std::uint32_t to = flows_[one.later].source;
    if (from == to) return std::nullopt;
    const auto [found, is_new] = shared_.try_emplace(
        {one.earlier, one.done, to}, static_cast<std::uint32_t>(done_messages_.size()));
    if (is_new) done_messages_.push_back({from, to, one.earlier, one.done, next_tag(from, to)});
    return found->second;
  }

  void add_receive(RankBuilder& rank, std::uint32_t which) {
    const Flow& flow = flows_[which];
    receives_[which] = rank.add({.kind = Operation::Kind::receive,
                                 .peer = flow.source,
                                 .tag = tags_[which],
                                 .size = flow.size},
                                flow.line);
  }

  void add_done_receive(RankBuilder& rank, std::uint32_t which) {
    const DoneMessage& one = done_messages_[which];
    done_receives_[which] = rank.add(
        {.kind = Operation::Kind::receive, .peer = one.from, .tag = one.tag, .size = DataSize()});
  }

  void add_sends(RankBuilder& rank, std::span<std::uint32_t> flows) {
    std::stable_sort(flows.begin(), flows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return flows_[a].start.at < flows_[b].start.at;
    });
    nanoseconds now{};
    std::optional<std::uint32_t> clock;
    for (const std::uint32_t which : flows) {
      const Flow& flow = flows_[which];
      if (!flow.waits_for_flows && flow.start.at > now) {
        const auto tick = rank.add({.kind = Operation::Kind::compute,
                                    .time = flow.start.at - std::exchange(now, flow.start.at),
                                    .cpu = kClockCpu},
                                   flow.line);
        if (clock) rank.wait_for_end(tick, *clock);
        clock = tick;
      }
      sends_[which] = rank.add({.kind = Operation::Kind::send,
                                .peer = flow.destination,
                                .tag = tags_[which],
                                .size = flow.size},
                               flow.line);
      if (!flow.waits_for_flows && clock) rank.wait_for_end(sends_[which], *clock);
    }
  }

  // The operation that ends when a flow is done, on the host where it is.
  [[nodiscard]] std::uint32_t done_by(std::uint32_t flow, FlowDependency::Done done) const {
    return done == FlowDependency::Done::sent ? sends_[flow] : receives_[flow];
  }

  void add_done_send(RankBuilder& rank, const DoneMessage& one) {
    const auto send = rank.add(
        {.kind = Operation::Kind::send, .peer = one.to, .tag = one.tag, .size = DataSize()});
    rank.wait_for_end(send, done_by(one.earlier, one.done));
  }

  void add_wait(RankBuilder& rank, std::uint32_t which) {
    const FlowDependency& one = list_.dependencies[which];
    const auto message = done_message_of_[which];
    rank.wait_for_end(sends_[one.later],
                      message ? done_receives_[*message] : done_by(one.earlier, one.done));
  }

  const FlowList& list_;
  const std::vector<Flow>& flows_;
  std::unordered_map<std::uint64_t, std::uint32_t> next_tag_;  // by pair of hosts
  std::vector<std::uint32_t> tags_;                            // by flow
  std::vector<DoneMessage> done_messages_;
  std::map<std::tuple<std::uint32_t, FlowDependency::Done, std::uint32_t>, std::uint32_t> shared_;
  std::vector<std::optional<std::uint32_t>> done_message_of_;  // by dependency
  std::vector<std::uint32_t> sends_;                           // operations, by flow
  std::vector<std::uint32_t> receives_;
  std::vector<std::uint32_t> done_receives_;  // by message
};

// Starts count from the first of them.
void begin_at_first(FlowList& list, std::vector<std::string>& repairs) {
  auto first = nanoseconds::max();
  for (const Flow& flow : list.flows) {
    if (!flow.waits_for_flows) first = std::min(first, flow.start.at);
  }
  if (first == nanoseconds::max() || first == nanoseconds()) return;
  for (Flow& flow : list.flows) {
    if (!flow.waits_for_flows) flow.start.at -= first;
  }
  repairs.push_back(
      fmt::format("time begins at the first start, {} ns after time 0 of the file", first.count()));
}

}  // namespace

Parameter begin_parameter() {
  return {"begin", Choice{{"file", "first"}}, "file",
          "time 0 of the program: that of the file, or the first start"};
}

Parameter hosts_parameter() {
  return {"hosts", Range<std::int64_t>{0, kMostFlowHosts}, "0", "hosts; 0: as flows name them"};
}

Result<void> set_hosts(FlowList& list, const Parameters& parameters, const std::string& name) {
  std::uint32_t named = 0;
  for (const Flow& flow : list.flows)
    named = std::max({named, flow.source + 1, flow.destination + 1});
  const auto given = static_cast<std::uint32_t>(parameters.integer("hosts"));
  list.hosts = given == 0 ? named : given;
  if (named <= list.hosts) return {};
  return fail(fmt::format("a flow names host {}, and the parameter hosts is {}", named - 1, given),
              {name});
}

Result<Trace> trace_of_flows(FlowList list, const Parameters& parameters, const std::string& name,
                             std::vector<std::string> repairs) {
  if (parameters.choice("begin") == "first") begin_at_first(list, repairs);
  CutTimes cut;
  for (const Flow& flow : list.flows) {
    if (flow.start.at > std::chrono::floor<nanoseconds>(Duration::max())) {
      return fail(fmt::format("a flow starts {} ns after time 0, and a program lasts at most {}; "
                              "--set begin=first counts from the first start",
                              flow.start.at.count(), to_text(Duration::max())),
                  {name, static_cast<int>(flow.line)});
    }
    cut.add(flow.start, flow.line);
  }
  cut.append_repair(repairs);
  FlowProgram program(list);
  if (program.done_messages() > 0) {
    repairs.push_back(
        fmt::format("{} messages of 0 bytes tell other hosts that a flow is done, because flows "
                    "there wait for it",
                    program.done_messages()));
  }
  return Trace{program.build(name), {}, std::move(repairs)};
}

}  // namespace ebb::trace
