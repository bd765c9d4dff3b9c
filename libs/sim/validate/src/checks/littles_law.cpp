// SPDX-License-Identifier: Apache-2.0
//
// N = lambda T for whatever enters and leaves. The left side is counted at regular times, without
// latencies; the right side is made of latencies, without counts of what is inside.
//
// Packets: N is the simulator's own number of packets in the network. It gives a packet back when
// the last switch begins to send it, so T is the packet latency less one transmission and one
// cable. Messages: N is births so far, drawn once more from the same sources without a network,
// less arrivals so far; T is the message latency. Observers learn of an arrival ahead of time, so
// arrivals are counted by their own time, afterwards.
//
// 1 %: with some thousand samples of a hundred packets each, chance explains about 0.3 %.
#include "checks.hpp"
#include "runs/checked_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kLittleSeed = 5;
constexpr double kLittleTolerance = 0.01;
constexpr TimePoint kFrom{100us};
constexpr TimePoint kTo{2100us};
constexpr TimePoint kEnd{2600us};
constexpr Duration kBetweenSamples = 499ns;  // no multiple of a transmission

class CountRecords final : public netsim::Observer {
 public:
  void packet_delivered(const netsim::PacketDelivered& packet) override {
    if (packet.sent < kFrom || packet.sent >= kTo) return;
    ++packets;
    packet_time += packet.at - packet.sent;
  }
  void message_delivered(const netsim::MessageDelivered& message) override {
    arrivals.push_back(message.at);
    if (message.created < kFrom || message.created >= kTo) return;
    ++messages;
    message_time += message.at - message.created;
  }

  std::int64_t packets = 0;
  Duration packet_time{};
  std::int64_t messages = 0;
  Duration message_time{};
  std::vector<TimePoint> arrivals;
};

std::vector<TimePoint> births(const traffic::Workload& workload) {
  const auto source = workload.start({.seed = kLittleSeed, .until = kEnd});
  std::vector<TimePoint> times;
  for (std::uint32_t h = 0; h < workload.hosts(); ++h) {
    while (const auto message = source->next(h)) times.push_back(message->at);
  }
  return times;
}

// Mean over the sample times of how many `times` lie before.
double mean_before(std::vector<TimePoint> times, const std::vector<TimePoint>& samples) {
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (const TimePoint at : samples) {
    sum += static_cast<double>(std::lower_bound(times.begin(), times.end(), at) - times.begin());
  }
  return sum / static_cast<double>(samples.size());
}

// count / window * time / count
double rate_times_mean(Duration total_time) {
  return static_cast<double>(total_time.count()) / static_cast<double>((kTo - kFrom).count());
}

void add_rows(const Setting& setting, const std::string& load, const std::string& size,
              std::vector<Row>& rows, Accounts& accounts) {
  const CheckedNetwork checked(setting);
  const std::uint32_t hosts = checked.graph().host_count();
  const netsim::Hardware hardware;
  const auto pattern = uniform(checked);
  const auto injection =
      traffic::make_injection("poisson", checked.host_rate(), {{"load", load}, {"size", size}})
          .value();
  const traffic::IndependentHosts workload(*pattern, *injection, hosts);
  const auto source = workload.start({.seed = kLittleSeed, .until = kEnd});
  CountRecords records;
  netsim::Network network(checked.config(hardware), *source, records);
  network.start_meters();
  std::vector<TimePoint> samples;
  double packets_seen = 0;
  for (TimePoint at = kFrom; at < kTo; at += kBetweenSamples) {
    network.run_until(at);
    samples.push_back(at);
    packets_seen += static_cast<double>(network.counts().packets_in_network);
  }
  network.run_until(kEnd);
  accounts.add(network.close_meters());

  const std::string name = fmt::format("{}, {} of {}", text_of(setting), load, size);
  const Duration last_hop =
      serialization_time(hardware.packet, checked.host_rate()) + hardware.link_latency;
  rows.push_back(within(name + ": packets",
                        rate_times_mean(records.packet_time - records.packets * last_hop),
                        packets_seen / static_cast<double>(samples.size()), kLittleTolerance, ""));
  const double messages_seen =
      mean_before(births(workload), samples) - mean_before(std::move(records.arrivals), samples);
  rows.push_back(within(name + ": messages", rate_times_mean(records.message_time), messages_seen,
                        kLittleTolerance, ""));
}

}  // namespace

std::vector<Row> check_littles_law() {
  std::vector<Row> rows;
  Accounts accounts;
  add_rows({"fbfly", {{"hosts", "4"}, {"dims", "4x4"}}, "minimal-adaptive"}, "50%", "2KiB", rows,
           accounts);
  add_rows({"clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "32"}}, "up-down"}, "80%", "6KiB",
           rows, accounts);
  add_rows({"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}, "ugal"}, "30%", "4KiB", rows,
           accounts);
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
