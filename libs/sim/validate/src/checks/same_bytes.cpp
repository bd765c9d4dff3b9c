// SPDX-License-Identifier: Apache-2.0
//
// The same experiment twice gives the same report, to the last count. A run that is stopped at odd
// times gives the same records as one that is not, and so does one whose meters are read meanwhile.
#include "checks.hpp"
#include "runs/checked_network.hpp"

#include "ebb/policy/policy.hpp"

#include <chrono>
#include <tuple>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

const topology::RateTable kSameBytesRates = {gigabits_per_second(10), gigabits_per_second(20),
                                             gigabits_per_second(40)};

netsim::Report report_of(const Setting& setting, const std::string& policy, std::uint64_t seed,
                         Accounts& accounts) {
  const CheckedNetwork checked(setting, kSameBytesRates);
  const auto pattern = uniform(checked);
  const auto injection =
      traffic::make_injection("poisson", checked.host_rate(), {{"load", "25%"}, {"size", "16KiB"}})
          .value();
  const traffic::IndependentHosts workload(*pattern, *injection, checked.graph().host_count());
  const auto made = policy::make_policy(policy, {}).value();
  netsim::Schedule schedule;
  schedule.measure = 100us;
  netsim::Report report = netsim::run({checked.graph(),
                                       checked.routing(),
                                       workload,
                                       *made.policy,
                                       checked.models(),
                                       kSwitchCore,
                                       {},
                                       schedule,
                                       seed});
  accounts.add(report.ledger);
  return report;
}

bool equal(const netsim::Batch& a, const netsim::Batch& b) {
  return std::tie(a.from, a.to, a.delivered, a.messages, a.energy) ==
         std::tie(b.from, b.to, b.delivered, b.messages, b.energy);
}

// How many parts of the reports differ.
std::int64_t differences(const netsim::Report& a, const netsim::Report& b) {
  const bool same[] = {
      a.warm_up.end == b.warm_up.end && a.warm_up.settled == b.warm_up.settled,
      a.from == b.from && a.to == b.to,
      a.offered == b.offered && a.messages == b.messages,
      a.sendable_second_half == b.sendable_second_half && a.mean_residual == b.mean_residual,
      a.messages_unfinished == b.messages_unfinished,
      a.message_latency == b.message_latency,
      a.packet_latency == b.packet_latency,
      a.packets_unfinished == b.packets_unfinished,
      a.delivered == b.delivered,
      equal(a.first_half, b.first_half) && equal(a.second_half, b.second_half),
      a.ledger == b.ledger,
      a.always_on == b.always_on && a.ideal == b.ideal,
      a.channels == b.channels,
      a.outcomes_done == b.outcomes_done && a.outcomes_refused == b.outcomes_refused,
      a.stall.has_value() == b.stall.has_value(),
      a.events == b.events && a.packet_hops == b.packet_hops};
  std::int64_t count = 0;
  for (const bool part : same) count += part ? 0 : 1;
  return count;
}

void add_twice(const Setting& setting, const std::string& policy, std::vector<Row>& rows,
               Accounts& accounts) {
  const netsim::Report first = report_of(setting, policy, 1, accounts);
  const netsim::Report second = report_of(setting, policy, 1, accounts);
  const netsim::Report other = report_of(setting, policy, 2, accounts);
  const std::string name = text_of(setting) + ", " + policy;
  rows.push_back(
      exact(name + ": parts of two reports that differ", 0, differences(first, second), ""));
  // A comparison that sees no difference anywhere would prove nothing.
  rows.push_back(at_least(name + ": the same with another seed", 5,
                          static_cast<double>(differences(first, other)), ""));
}

using Record =
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, DataSize, TimePoint, TimePoint>;

class PacketRecords final : public netsim::Observer {
 public:
  void packet_delivered(const netsim::PacketDelivered& packet) override {
    list.emplace_back(packet.source, packet.destination, packet.message, packet.size, packet.sent,
                      packet.at);
  }
  std::vector<Record> list;
};

struct Pieces {
  Duration piece{};
  bool read_meters = false;
};

std::pair<std::vector<Record>, Energy> records_of(const Setting& setting, Pieces pieces,
                                                  Accounts& accounts) {
  constexpr TimePoint kPiecesEnd{200us};
  const CheckedNetwork checked(setting, kSameBytesRates);
  const std::uint32_t hosts = checked.graph().host_count();
  const auto pattern = uniform(checked);
  const auto injection =
      traffic::make_injection("poisson", checked.host_rate(), {{"load", "40%"}, {"size", "16KiB"}})
          .value();
  const traffic::IndependentHosts workload(*pattern, *injection, hosts);
  const auto source = workload.start({.seed = 1, .until = kPiecesEnd});
  PacketRecords records;
  netsim::Network network(checked.config({}), *source, records);
  network.start_meters();
  for (std::uint32_t c = 0; c < checked.graph().channel_count(); ++c) {
    (void)network.apply(
        {policy::ChannelId{c}, policy::SleepWhenIdle{.idle = 2us, .wake = bytes(1)}});
  }
  while (network.now() < kPiecesEnd) {
    network.run_until(std::min(kPiecesEnd, network.now() + pieces.piece));
    if (pieces.read_meters) (void)network.channel_energy();
  }
  power::Ledger ledger = network.close_meters();
  accounts.add(ledger);
  return {std::move(records.list), ledger.total()};
}

void add_pieces(const Setting& setting, std::vector<Row>& rows, Accounts& accounts) {
  const auto [whole, energy] = records_of(setting, {200us}, accounts);
  for (const Pieces pieces : {Pieces{777ns}, Pieces{Duration(12'345), true}}) {
    const auto [cut, cut_energy] = records_of(setting, pieces, accounts);
    Row row =
        exact(text_of(setting) +
                  (pieces.read_meters ? ", in pieces of 12.345 ns, meters read"
                                      : ", in pieces of 777 ns") +
                  ": packets",
              static_cast<std::int64_t>(whole.size()), static_cast<std::int64_t>(cut.size()), "");
    if (whole != cut || energy != cut_energy || whole.empty()) {
      row.verdict = Verdict::fails;
      row.note = whole != cut ? "the records differ" : "the energies differ";
    }
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::vector<Row> check_same_bytes() {
  const Setting fbfly{"fbfly", {{"hosts", "2"}, {"dims", "4x4"}}, "minimal-adaptive"};
  const Setting dragonfly{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}, "ugal"};
  const Setting clos{"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}, "up-down"};
  std::vector<Row> rows;
  Accounts accounts;
  add_twice(fbfly, "epoch", rows, accounts);
  add_twice(dragonfly, "on-demand", rows, accounts);
  add_twice(clos, "always-on", rows, accounts);
  add_pieces(fbfly, rows, accounts);
  add_pieces(dragonfly, rows, accounts);
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
