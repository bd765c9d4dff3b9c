// SPDX-License-Identifier: Apache-2.0
//
// A network accepts no more than its busiest channel carries: throughput = 1 / (load of that
// channel when hosts send at their full rate), with 1 for the hosts' own links (Dally & Towles,
// Section 3.3). Each case asks for both sides of the bound: a little less than it is carried whole,
// and of more than it nearly the bound is carried, for a network that wastes no time of its busiest
// channels. Buffers are finite and arrivals random, so "nearly" has a tolerance.
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
//     same way round, so each of these links carries that many hosts.
#include "checks/list.hpp"
#include "world/loaded.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

struct Case {
  Setting setting;
  std::string pattern;
  traffic::Shape shape;
  double bound = 0;
  double tolerance = 0;
  Duration measure{};
};

std::vector<Case> cases() {
  constexpr double k = 8;
  return {
      {{"clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "128"}}, "up-down"},
       "uniform",
       {.hosts = 128},
       1,
       0.06,
       200us},
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
       4000us},
      {{"torus", {{"hosts", "1"}, {"dims", "7x7"}}, "dimension-order"},
       "tornado",
       {.hosts = 49, .hosts_per_switch = 1, .dims = {7, 7}},
       1.0 / 3,
       0.01,
       1000us},
  };
}

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

void add_rows(const Case& one, std::vector<Row>& rows, Accounts& accounts) {
  const World world(one.setting);
  const auto pattern = traffic::make_pattern(one.pattern, one.shape, {}, 1).value();
  const auto measure = [&](double share) {
    const Load load{*pattern, one.shape.hosts, percent(share), one.measure / 2, one.measure};
    return accepted(run_loaded(world, {}, load, accounts), world, load);
  };
  const std::string name = fmt::format("{}, {}", text_of(one.setting), one.pattern);
  const double below = std::floor(900 * one.bound) / 1000;
  const double above = std::min(1.0, 1.5 * one.bound);
  rows.push_back(within(fmt::format("{}, {} offered", name, percent(below)), below, measure(below),
                        0.02, "of host rate"));
  rows.push_back(within(fmt::format("{}, {} offered", name, percent(above)), one.bound,
                        measure(above), one.tolerance, "of host rate"));
}

}  // namespace

std::vector<Row> check_saturation() {
  std::vector<Row> rows;
  Accounts accounts;
  for (const Case& one : cases()) add_rows(one, rows, accounts);
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
