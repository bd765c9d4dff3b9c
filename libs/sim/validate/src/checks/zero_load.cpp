// SPDX-License-Identifier: Apache-2.0
//
// A packet alone in the network meets no queue. With l links, l - 1 switches, T(i) the time to
// transmit it on link i:
//
//   cut-through, equal rates    sum of link latencies + (l - 1) switch latency + T
//   store-and-forward           sum of link latencies + (l - 1) switch latency + l T
//   cut-through, other rates    ... + sum over i of max(0, T(i) - T(i+1)) + T(last): a switch sends
//                               without a gap, so it waits for the end of a packet that comes in
//                               slower than it goes out
//
// A message of n packets, the last of them the smallest, takes (n - 1) T longer than its last
// packet, as packets follow each other without a gap.
//
// path_lengths.hpp says where l comes from.
#include "checks.hpp"
#include "runs/checked_network.hpp"
#include "runs/theory.hpp"

#include "ebb/core/random.hpp"
#include "ebb/topology/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;
using netsim::Hardware;
using netsim::Switching;
using topology::ChannelId;
using topology::Graph;
using topology::NodeId;
using traffic::Message;

constexpr DataSize kFull = bytes(2048);
constexpr DataSize kSmall = bits(777);
// No transmission time is a whole number of picoseconds, so rounding shows.
const topology::RateTable kOddRate = {gigabits_per_second(7)};
// Longer than any message takes.
constexpr Duration kApart = 1ms;
constexpr std::uint32_t kPairs = 150;

class Arrivals final : public netsim::Observer {
 public:
  void message_delivered(const netsim::MessageDelivered& message) override {
    list_.push_back(message);
  }
  [[nodiscard]] const std::vector<netsim::MessageDelivered>& list() const { return list_; }

 private:
  std::vector<netsim::MessageDelivered> list_;
};

Hardware hardware_of(Switching switching) {
  Hardware hardware;
  hardware.switching = switching;
  hardware.packet = kFull;
  hardware.switch_latency = 101ns;
  hardware.link_latency = 53ns;
  return hardware;
}

// All pairs of a small network, some of a large one.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(std::uint32_t hosts) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t from = 0; from < hosts; ++from) {
    for (std::uint32_t to = 0; to < hosts; ++to) {
      if (from != to) all.emplace_back(from, to);
    }
  }
  RandomStream random(1, "validate/pairs");
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  if (all.size() > kPairs) all.resize(kPairs);
  return all;
}

std::vector<netsim::MessageDelivered> send_one_by_one(const CheckedNetwork& checked,
                                                      const Hardware& hardware,
                                                      const std::vector<Message>& messages,
                                                      Accounts& accounts) {
  netsim::Script script(messages, checked.graph().host_count());
  Arrivals arrivals;
  netsim::Network network(checked.config(hardware), script, arrivals);
  network.start_meters();
  network.run_until(messages.back().at + kApart);
  accounts.add(network.close_meters());
  return arrivals.list();
}

Duration closed_form(const Hardware& hardware, DataRate rate, DataSize size, int switch_links) {
  const int links = switch_links + 2;
  const std::int64_t before = (size.count() - 1) / hardware.packet.count();
  const DataSize last = size - before * hardware.packet;
  const bool whole = hardware.switching == Switching::store_and_forward;
  return links * hardware.link_latency + (links - 1) * hardware.switch_latency +
         before * serialization_time(hardware.packet, rate) +
         (whole ? links : 1) * serialization_time(last, rate);
}

// The messages that one pair sends. Packets of a message may go ways of different lengths: then one
// each. In store-and-forward a small last packet could overtake: equal ones.
std::vector<DataSize> sizes_for(const Setting& setting, Switching switching) {
  if (has_many_lengths(setting)) return {kFull, kSmall};
  const bool whole = switching == Switching::store_and_forward;
  return {kFull, kSmall, 2 * kFull + (whole ? kFull : bytes(1000))};
}

// What a row says: the first message that was wrong, or else the one that took longest.
struct LatencyCounts {
  std::int64_t messages = 0;
  std::int64_t wrong = 0;
  Duration expected{};
  Duration measured{};

  void add(Duration right, Duration seen) {
    ++messages;
    if (wrong == 0 && (right != seen || seen > measured)) {
      expected = right;
      measured = seen;
    }
    if (right != seen) ++wrong;
  }
  [[nodiscard]] Row row(std::string name) const {
    Row row = exact(fmt::format("{}, {} messages", name, messages), expected.count(),
                    measured.count(), "ps");
    if (wrong > 0) row.note = fmt::format("{} messages have another latency", wrong);
    if (messages == 0) row.verdict = Verdict::fails;
    return row;
  }
};

void compare(const Setting& setting, Switching switching, LatencyCounts& counts,
             Accounts& accounts) {
  const CheckedNetwork checked(setting, kOddRate);
  const Hardware hardware = hardware_of(switching);
  const PathLengths lengths(checked, setting);
  std::vector<Message> messages;
  for (const auto& [from, to] : pairs_of(checked.graph().host_count())) {
    for (const DataSize size : sizes_for(setting, switching)) {
      messages.push_back({TimePoint(kApart * static_cast<int>(messages.size())), from, to, size});
    }
  }
  const auto arrivals = send_one_by_one(checked, hardware, messages, accounts);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& sent = messages[i];
    const bool there = i < arrivals.size() && arrivals[i].source == sent.source &&
                       arrivals[i].destination == sent.destination &&
                       arrivals[i].created == sent.at;
    const Duration seen = there ? arrivals[i].at - sent.at : Duration{};
    Duration right{};
    for (const int links : lengths.of(sent.source, sent.destination)) {
      right = closed_form(hardware, kOddRate.back(), sent.size, links);
      if (right == seen) break;
    }
    counts.add(right, seen);
  }
}

std::string text_of(Switching switching) {
  return switching == Switching::cut_through ? "cut-through" : "store-and-forward";
}

// Cables of different lengths, on a mesh where dimension order has one way: first along the first
// dimension, then along the second.
void compare_cables(Switching switching, LatencyCounts& counts, Accounts& accounts) {
  constexpr std::uint32_t kWidth = 5;
  const Setting setting{"mesh", {{"hosts", "1"}, {"dims", "5x4"}}, "dimension-order"};
  auto graph = topology::build(setting.family, setting.parameters, kOddRate).value();
  (void)topology::place_cables(graph, {.switches_per_rack = 2, .racks_per_row = 3});
  const CheckedNetwork checked(std::move(graph), setting.scheme);
  Hardware hardware = hardware_of(switching);
  hardware.delay_per_metre = 5ns;
  const auto cable = [&](NodeId a, NodeId b) {
    for (const topology::Link& link : checked.graph().links()) {
      if ((link.a == a && link.b == b) || (link.a == b && link.b == a)) {
        return hardware.link_latency + Duration(std::int64_t{5} * link.length_mm);
      }
    }
    return Duration{};
  };
  std::vector<Message> messages;
  for (const auto& [from, to] : pairs_of(checked.graph().host_count())) {
    messages.push_back({TimePoint(kApart * static_cast<int>(messages.size())), from, to, kFull});
  }
  const auto arrivals = send_one_by_one(checked, hardware, messages, accounts);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    std::uint32_t at = messages[i].source;  // one host per switch: the same number
    const std::uint32_t to = messages[i].destination;
    Duration right = cable(checked.graph().host_node(at), NodeId{at}) +
                     cable(checked.graph().host_node(to), NodeId{to}) + hardware.switch_latency;
    int links = 2;
    while (at != to) {
      const bool along_first = at % kWidth != to % kWidth;
      const bool ahead = along_first ? at % kWidth < to % kWidth : at < to;
      const std::uint32_t stride = along_first ? 1 : kWidth;
      const std::uint32_t next = ahead ? at + stride : at - stride;
      right += cable(NodeId{at}, NodeId{next}) + hardware.switch_latency;
      at = next;
      ++links;
    }
    const bool whole = switching == Switching::store_and_forward;
    right += (whole ? links : 1) * serialization_time(kFull, kOddRate.back());
    counts.add(right, i < arrivals.size() ? arrivals[i].at - messages[i].at : Duration{});
  }
}

// A line of switches whose links have the given rates, a host at each end.
Graph line(const std::vector<DataRate>& rates) {
  std::vector<topology::RateTable> rate_tables;
  rate_tables.reserve(rates.size());
  for (const DataRate rate : rates) rate_tables.push_back({rate});
  const auto switches = static_cast<std::uint32_t>(rates.size() - 1);
  topology::GraphBuilder builder(switches, 2, rate_tables);
  for (std::uint32_t i = 0; i < rates.size(); ++i) {
    const NodeId a = i == 0 ? builder.host_node(0) : builder.switch_node(i - 1);
    const NodeId b = i == switches ? builder.host_node(1) : builder.switch_node(i);
    builder.connect({.a = a, .b = b, .rate_table = static_cast<std::uint8_t>(i)});
  }
  return std::move(builder).build({"imported", {}});
}

void compare_rates(Switching switching, LatencyCounts& counts, Accounts& accounts) {
  const DataRate slow = gigabits_per_second(7);
  const DataRate middle = gigabits_per_second(11);
  const DataRate fast = gigabits_per_second(40);
  const Hardware hardware = hardware_of(switching);
  for (const std::vector<DataRate>& rates :
       std::vector<std::vector<DataRate>>{{slow, middle, fast},
                                          {fast, middle, slow},
                                          {middle, slow, fast, slow},
                                          {slow, fast, middle, fast, slow}}) {
    const CheckedNetwork checked(line(rates), "shortest-path");
    for (const DataSize size : {kFull, kSmall}) {
      const auto arrivals =
          send_one_by_one(checked, hardware, {{TimePoint(1us), 0, 1, size}}, accounts);
      const auto time = [&](std::size_t i) { return serialization_time(size, rates[i]); };
      const auto links = static_cast<int>(rates.size());
      Duration right = links * hardware.link_latency + (links - 1) * hardware.switch_latency;
      if (switching == Switching::store_and_forward) {
        for (std::size_t i = 0; i < rates.size(); ++i) right += time(i);
      } else {
        for (std::size_t i = 0; i + 1 < rates.size(); ++i) {
          right += std::max(Duration{}, time(i) - time(i + 1));
        }
        right += time(rates.size() - 1);
      }
      counts.add(right, arrivals.empty() ? Duration{} : arrivals[0].at - arrivals[0].created);
    }
  }
}

}  // namespace

std::vector<Row> check_zero_load() {
  std::vector<Row> rows;
  Accounts accounts;
  for (const Switching switching : {Switching::cut_through, Switching::store_and_forward}) {
    for (const topology::Family& family : topology::families()) {
      for (const routing::Scheme& scheme : routing::schemes()) {
        if (!scheme.supports(family.name)) continue;
        LatencyCounts counts;
        for (const ParameterTexts& parameters : shapes(family.name)) {
          const Setting setting{family.name, parameters, scheme.name};
          if (has_routing(setting)) compare(setting, switching, counts, accounts);
        }
        rows.push_back(
            counts.row(fmt::format("{}, {}, {}", family.name, scheme.name, text_of(switching))));
      }
    }
    LatencyCounts cables;
    compare_cables(switching, cables, accounts);
    rows.push_back(cables.row("mesh with cables, dimension-order, " + text_of(switching)));
    LatencyCounts rates;
    compare_rates(switching, rates, accounts);
    rows.push_back(rates.row("lines of different rates, " + text_of(switching)));
  }
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
