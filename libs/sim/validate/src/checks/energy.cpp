// SPDX-License-Identifier: Apache-2.0
//
// One switch, two hosts, 100 us, counted by hand. A channel draws 1 W at 10 Gb/s, 2 W at 20 Gb/s,
// 4 W at 40 Gb/s and 0.1 W asleep; a change of rate takes 1 us, waking 10 us, falling asleep no
// time; while it changes it draws the higher of both powers; a packet on the wire is finished
// first. The core of the switch draws 3 W. A packet of 2 KiB takes 409.6 ns at 40 Gb/s and
// 1638.4 ns at 10 Gb/s.
#include "checks.hpp"
#include "runs/checked_network.hpp"

#include "ebb/policy/policy.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;
using policy::Order;
using policy::RateLevel;

const topology::RateTable kEnergyRates = {gigabits_per_second(10), gigabits_per_second(20),
                                          gigabits_per_second(40)};
constexpr DataSize kPacket = bytes(2048);
constexpr Duration kRun = 100us;

class Last final : public netsim::Observer {
 public:
  void message_delivered(const netsim::MessageDelivered& message) override { at = message.at; }
  TimePoint at{};
};

struct At {
  Duration time{};
  Order order;
};

// What host 0's channel to the switch did.
struct Seen {
  std::int64_t picojoules = 0;
  std::int64_t all_picojoules = 0;  // of everything
  Duration asleep{};
  Duration changing{};
  std::int64_t transitions = 0;
  Duration last_arrival{};
};

// Every number here is a whole number of picojoules; one that is not would be cut and not match.
std::int64_t picojoules_of(Energy energy) {
  return static_cast<std::int64_t>(energy.count() / 1'000'000);
}

Seen play(const std::vector<At>& orders, const std::vector<Duration>& births, Accounts& accounts) {
  const CheckedNetwork checked({"complete", {{"switches", "1"}, {"hosts", "2"}}, "shortest-path"},
                               kEnergyRates);
  std::vector<traffic::Message> messages;
  messages.reserve(births.size());
  for (const Duration created : births) messages.push_back({TimePoint(created), 0, 1, kPacket});
  netsim::Script script(messages, 2);
  Last last;
  netsim::Network network(checked.config({}), script, last);
  network.start_meters();
  const policy::ChannelId channel{index(checked.from_host(0))};
  for (const At& order : orders) {
    network.run_until(TimePoint(order.time));
    (void)network.apply({channel, order.order});
  }
  network.run_until(TimePoint(kRun));
  const power::Ledger ledger = network.close_meters();
  accounts.add(ledger);
  const power::MeterIndex meter{index(channel)};  // one rate_table: meters are in channel order
  return {picojoules_of(ledger.energy(meter)),
          picojoules_of(ledger.total()),
          ledger.residency(meter, power::StateIndex{0}),
          ledger.residency(meter, power::StateIndex{1}),
          static_cast<std::int64_t>(ledger.transitions(meter)),
          last.at.time_since_epoch()};
}

constexpr std::int64_t kMicrojoule = 1'000'000;  // in picojoules

// 0 - 11 us 4 W (the last of them changing), - 30 us 1 W, - 50 us 2 W (the first changing),
// - 80 us 0.1 W, - 100 us 2 W (ten of them waking):
// 44 + 19 + 40 + 3 + 40 = 146 uJ. Beside it three channels at 4 W and the core at 3 W: 1500 uJ.
void add_orders(std::vector<Row>& rows, Accounts& accounts) {
  const Seen seen = play({{10us, policy::SetRateLevel{RateLevel{0}}},
                          {30us, policy::SetRateLevel{RateLevel{1}}},
                          {50us, policy::Sleep{}},
                          {80us, policy::Wake{}}},
                         {}, accounts);
  rows.push_back(
      exact("40, 10, 20 Gb/s, sleep, 20 Gb/s: channel", 146 * kMicrojoule, seen.picojoules, "pJ"));
  rows.push_back(exact("the same: whole network", 1646 * kMicrojoule, seen.all_picojoules, "pJ"));
  rows.push_back(exact("the same: asleep", 30'000'000, seen.asleep.count(), "ps"));
  rows.push_back(exact("the same: changing", 12'000'000, seen.changing.count(), "ps"));
  // to changing and from it three times, and to sleep.
  rows.push_back(exact("the same: transitions", 7, seen.transitions, ""));
}

// A packet is on the wire from 9.8 us to 10.2096 us; the change to 10 Gb/s ordered at 10 us begins
// then and ends at 11.2096 us. A packet created at 10.5 us goes out at 11.2096 us, takes 1638.4 ns
// and is there two cables of 50 ns and a switch of 100 ns later, at 13.048 us; the link to the
// destination, at 40 Gb/s, waits for its end.
// 11.2096 us at 4 W, 88.7904 us at 1 W: 44.8384 + 88.7904 = 133.6288 uJ.
void add_busy(std::vector<Row>& rows, Accounts& accounts) {
  const Seen seen = play({{10us, policy::SetRateLevel{RateLevel{0}}}}, {9800ns, 10500ns}, accounts);
  rows.push_back(exact("40 to 10 Gb/s while sending: channel", 133'628'800, seen.picojoules, "pJ"));
  rows.push_back(exact("the same: next packet there", 13'048'000, seen.last_arrival.count(), "ps"));
}

// Armed at 0 to sleep after 5 us without traffic. Asleep from 5 us; a packet created at 20 us wakes
// it until 30 us, is on the wire until 30.4096 us and there 200 ns later; asleep from 35.4096 us
// on. 5 + 15.4096 us at 4 W, 15 + 64.5904 us at 0.1 W: 81.6384 + 7.95904 = 89.59744 uJ.
void add_trigger(std::vector<Row>& rows, Accounts& accounts) {
  const Seen seen =
      play({{0us, policy::SleepWhenIdle{.idle = 5us, .wake = bytes(1)}}}, {20us}, accounts);
  rows.push_back(exact("sleeps when idle: channel", 89'597'440, seen.picojoules, "pJ"));
  rows.push_back(exact("the same: asleep", 79'590'400, seen.asleep.count(), "ps"));
  rows.push_back(exact("the same: packet there", 30'609'600, seen.last_arrival.count(), "ps"));
}

// At 10 Gb/s from 1 us on. A packet created at 50 us is on the wire until 51.6384 us; behind it
// wait those created at 50.2 us and 50.4 us, which makes 4 KiB and triggers the jump to 40 Gb/s,
// from 51.6384 us to 52.6384 us. They are on the wire until 53.4576 us, and the last is there 200
// ns later. 1 us at 4 W, 50.6384 us at 1 W, 48.3616 us at 4 W: 4 + 50.6384 + 193.4464 = 248.0848
// uJ.
void add_jump(std::vector<Row>& rows, Accounts& accounts) {
  const Seen seen =
      play({{0us, policy::SetRateLevel{RateLevel{0}}},
            {2us, policy::SpeedUpWhenQueued{.queued = bytes(4096), .rate_level = RateLevel{2}}}},
           {50us, 50200ns, 50400ns}, accounts);
  rows.push_back(
      exact("jumps to 40 Gb/s when queued: channel", 248'084'800, seen.picojoules, "pJ"));
  rows.push_back(exact("the same: last packet there", 53'657'600, seen.last_arrival.count(), "ps"));
}

// A whole run under a policy: all 4 channels at 1 W, the core at 3 W, for 50 us: 350 uJ.
void add_slowest(std::vector<Row>& rows, Accounts& accounts) {
  const CheckedNetwork checked({"complete", {{"switches", "1"}, {"hosts", "2"}}, "shortest-path"},
                               kEnergyRates);
  const FixedPattern pattern([](std::uint32_t host) { return 1 - host; });
  const auto injection =
      traffic::make_injection("poisson", kEnergyRates.back(), {{"load", "10%"}, {"size", "2KiB"}})
          .value();
  const traffic::IndependentHosts workload(pattern, *injection, 2);
  const auto made = policy::make_policy("always-slowest", {}).value();
  netsim::Schedule schedule;
  schedule.warm_up = 10us;
  schedule.measure = 50us;
  const netsim::Report report = netsim::run({checked.graph(),
                                             checked.routing(),
                                             workload,
                                             *made.policy,
                                             checked.models(),
                                             kSwitchCore,
                                             {},
                                             schedule,
                                             1});
  accounts.add(report.ledger);
  rows.push_back(exact("always-slowest for 50 us: whole network", 350 * kMicrojoule,
                       picojoules_of(report.ledger.total()), "pJ"));
  rows.push_back(
      exact("the same: always on", 800 * kMicrojoule, picojoules_of(report.always_on), "pJ"));
  rows.push_back(
      within("the same: relative power", 0.25, netsim::relative_power(report), 1e-6, ""));
}

}  // namespace

std::vector<Row> check_energy() {
  std::vector<Row> rows;
  Accounts accounts;
  add_orders(rows, accounts);
  add_busy(rows, accounts);
  add_trigger(rows, accounts);
  add_jump(rows, accounts);
  add_slowest(rows, accounts);
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
