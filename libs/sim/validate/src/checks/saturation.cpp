// SPDX-License-Identifier: Apache-2.0
//
// A network accepts no more than its busiest channel carries: throughput = 1 / (load of that
// channel when hosts send at their full rate), with 1 for the hosts' own links (Dally & Towles,
// Section 3.3). Each case asks for both sides of the bound: a little less than it is carried whole,
// and of more than it nearly the bound is carried, for a network that wastes no time of its busiest
// channels. Buffers are finite and arrivals random, so "nearly" has a tolerance, fixed before
// measuring: 6 % where the hosts' own links are the bound, as random destinations leave some idle,
// 4 % for valiant, 1 % where one channel decides.
//
//   uniform on a folded Clos: as many links up as hosts below, evenly used: 1.
//   uniform on a flattened butterfly of one dimension, k switches with k hosts each: of the traffic
//     of a switch the share k / (k + 1) leaves it, over k - 1 links. Load k^2 / (k^2 - 1).
//   the same with valiant: every packet that leaves its switch takes two links, each equally
//   likely:
//     twice that load.
//   group-adversarial on a Dragonfly with minimal routing: the a p hosts of a group share the links
//     to the next group, one in a network of a h + 1 groups. Load a p.
//   tornado on a ring of k switches with one host each: everything moves ceil(k/2) - 1 links the
//     same way round, so each of these links carries that many hosts. Of two dimensions the same:
//     each carries what one coordinate moves.
//
// A ring does not hold its throughput beyond the bound: at every switch new packets and those on
// their way share the output as they come, the new ones take more than their third, and links carry
// packets that fill buffers further on instead of arriving. With unlimited buffers the output gives
// each a share s of what it asks for, lambda (s + s^2 + s^3) = 1, and lambda s^3 arrives, which
// falls with lambda; full buffers make it worse. There the bound is only an upper one, and the
// loads of the channels are compared below it: (ceil(k/2) - 1) times what is accepted, in one
// direction of every ring and nothing in the other. Beyond it, the ring is compared with a model in
// slots that shares no code with the simulator; 3 % for its coarser time.
#include "checks.hpp"
#include "runs/checked_network.hpp"
#include "runs/theory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

constexpr const char* kShareUnit = "of host rate";

struct Case {
  Setting setting;
  std::string pattern;
  traffic::Shape shape;
  double bound = 0;
  double tolerance = 0;
  Duration measure{};
  int channels_per_host = 0;  // of a torus: in one direction; 0: not a torus
};

std::vector<Case> cases() {
  constexpr double k = 8;
  return {
      {{"clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "128"}}, "up-down"},
       "uniform",
       {.hosts = 128},
       1,
       0.06,
       400us},
      {{"fbfly", {{"hosts", "8"}, {"dims", "8"}}, "minimal-adaptive"},
       "uniform",
       {.hosts = 64},
       (k * k - 1) / (k * k),
       0.06,
       400us},
      {{"fbfly", {{"hosts", "8"}, {"dims", "8"}}, "valiant"},
       "uniform",
       {.hosts = 64},
       (k * k - 1) / (2 * k * k),
       0.04,
       400us},
      {{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}, "minimal"},
       "group-adversarial",
       {.hosts = 72, .hosts_per_switch = 2, .hosts_per_group = 8},
       1.0 / 8,
       0.01,
       1000us},
      {{"torus", {{"hosts", "1"}, {"dims", "8"}}, "dimension-order"},
       "tornado",
       {.hosts = 8, .hosts_per_switch = 1, .dims = {8}},
       1.0 / 3,
       0.01,
       10ms,
       1},
      {{"torus", {{"hosts", "1"}, {"dims", "7x7"}}, "dimension-order"},
       "tornado",
       {.hosts = 49, .hosts_per_switch = 1, .dims = {7, 7}},
       1.0 / 3,
       0.01,
       2000us,
       2},
  };
}

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

class Runs {
 public:
  Runs(const Case& one, Accounts& accounts)
      : one_(one),
        accounts_(accounts),
        checked_(one.setting),
        pattern_(traffic::make_pattern(one.pattern, one.shape, {}, 1).value()) {}

  [[nodiscard]] std::string name(double share) const {
    return fmt::format("{}, {}, {} offered", text_of(one_.setting), one_.pattern, percent(share));
  }
  // The accepted load.
  double run(double share) {
    const Load load{*pattern_, one_.shape.hosts, percent(share), one_.measure / 2, one_.measure};
    report_ = run_loaded(checked_, {}, load, accounts_);
    return accepted(report_, checked_, load);
  }
  // Channels between switches that carried something in the latest run, and their mean load.
  [[nodiscard]] std::pair<std::int64_t, double> channels_used() const {
    std::int64_t used = 0;
    Duration busy{};
    for (std::uint32_t c = 0; c < checked_.graph().channel_count(); ++c) {
      const topology::ChannelId channel{c};
      const bool at_host = !checked_.graph().connects_switches(channel);
      if (at_host || report_.channels[c].sent == DataSize{}) continue;
      ++used;
      busy += report_.channels[c].busy;
    }
    const Duration whole = used * (report_.to - report_.from);
    return {used, static_cast<double>(busy.count()) / static_cast<double>(whole.count())};
  }

 private:
  const Case& one_;
  Accounts& accounts_;
  CheckedNetwork checked_;
  std::unique_ptr<traffic::Pattern> pattern_;
  netsim::Report report_;
};

void add_rows(const Case& one, std::vector<Row>& rows, Accounts& accounts) {
  Runs runs(one, accounts);
  const double below = std::floor(900 * one.bound) / 1000;
  const double above = std::min(1.0, 1.5 * one.bound);
  const double carried = runs.run(below);
  rows.push_back(within(runs.name(below), below, carried, 0.02, kShareUnit));
  if (one.channels_per_host > 0) {
    const auto [used, load] = runs.channels_used();
    rows.push_back(exact("the same: channels in use",
                         std::int64_t{one.channels_per_host} * one.shape.hosts, used, ""));
    rows.push_back(within("the same: their load", carried / one.bound, load, 0.005, ""));
    rows.push_back(at_most(runs.name(above), one.bound, runs.run(above), kShareUnit));
  } else {
    rows.push_back(within(runs.name(above), one.bound, runs.run(above), one.tolerance, kShareUnit));
  }
}

void add_ring_beyond(std::vector<Row>& rows, Accounts& accounts) {
  const CheckedNetwork checked({"torus", {{"hosts", "1"}, {"dims", "8"}}, "dimension-order"});
  const traffic::Shape shape{.hosts = 8, .hosts_per_switch = 1, .dims = {8}};
  const auto pattern = traffic::make_pattern("tornado", shape, {}, 1).value();
  for (const std::uint32_t packets : {8U, 32U}) {
    for (const double offered : {0.4, 0.5, 1.0}) {
      const Load load{*pattern, 8, percent(offered), 10ms, 20ms};
      netsim::Hardware hardware;
      hardware.input_buffer = std::int64_t{packets} * hardware.packet;
      const double measured =
          accepted(run_loaded(checked, hardware, load, accounts), checked, load);
      const double expected = accepted(SlottedRing{
          .switches = 8, .hops = 3, .buffer = packets, .offered = offered, .slots = 100'000});
      rows.push_back(within(fmt::format("ring of 8, buffers of {} packets, tornado, {} offered",
                                        packets, percent(offered)),
                            expected, measured, 0.03, kShareUnit));
    }
  }
}

}  // namespace

std::vector<Row> check_saturation() {
  std::vector<Row> rows;
  Accounts accounts;
  for (const Case& one : cases()) add_rows(one, rows, accounts);
  add_ring_beyond(rows, accounts);
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
