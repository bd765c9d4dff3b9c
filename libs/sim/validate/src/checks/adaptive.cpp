// SPDX-License-Identifier: Apache-2.0
//
// Transpose on a flattened butterfly of two dimensions, c hosts per switch: switch (x, y) sends to
// (y, x). Dimension order has one way, over (y, y), and each link on it carries the c hosts of one
// switch: 1 / c. The way over (x, x) is as long and no dimension-order route uses its links, so a
// routing that takes both carries 2 / c.
//
// Group-adversarial on a Dragonfly: minimal routing carries 1 / (a p) (see saturation). UGAL may go
// by any of the a h - 1 other groups, over two global links each; with h = p that spreads the load
// to a bound of about one half (Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable
// Dragonfly Topology"). A packet decides by the queues of its own switch alone, which is less than
// ideal: the margin asked for is a factor of two.
//
// Uniform traffic needs no detours: UGAL should carry nearly what minimal routing does. It compares
// queues that fluctuate, so it takes some; at most a tenth is allowed to be lost by them.
#include "checks.hpp"
#include "runs/checked_network.hpp"

#include <fmt/format.h>

#include <chrono>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

constexpr const char* kOfHostRate = "of host rate";
const ParameterTexts kFbfly = {{"hosts", "4"}, {"dims", "4x4"}};
const ParameterTexts kDragonfly = {{"p", "2"}, {"a", "4"}, {"h", "2"}};

double accepted_by(const Setting& setting, const Load& load, Accounts& accounts) {
  const CheckedNetwork checked(setting);
  return accepted(run_loaded(checked, {}, load, accounts), checked, load);
}

void add_transpose(std::vector<Row>& rows, Accounts& accounts) {
  constexpr std::uint32_t kSide = 4;
  constexpr std::uint32_t kHosts = 4;
  const FixedPattern pattern([](std::uint32_t host) -> std::optional<std::uint32_t> {
    const std::uint32_t x = host / kHosts % kSide;
    const std::uint32_t y = host / kHosts / kSide;
    if (x == y) return std::nullopt;
    return (x * kSide + y) * kHosts + host % kHosts;
  });
  const Load load{pattern, (kSide * kSide - kSide) * kHosts, "75%", 200us, 400us};
  const double fixed = accepted_by({"fbfly", kFbfly, "dimension-order"}, load, accounts);
  const double adaptive = accepted_by({"fbfly", kFbfly, "minimal-adaptive"}, load, accounts);
  rows.push_back(
      within("fbfly 4x4, transpose, dimension-order", 1.0 / kHosts, fixed, 0.01, kOfHostRate));
  rows.push_back(
      within("fbfly 4x4, transpose, minimal-adaptive", 2.0 / kHosts, adaptive, 0.05, kOfHostRate));
  rows.push_back(at_least("fbfly 4x4, transpose, minimal-adaptive / dimension-order", 1.8,
                          adaptive / fixed, ""));
}

void add_group_adversarial(std::vector<Row>& rows, Accounts& accounts) {
  const traffic::Shape shape{.hosts = 72, .hosts_per_switch = 2, .hosts_per_group = 8};
  const auto pattern = traffic::make_pattern("group-adversarial", shape, {}, 1).value();
  const Load load{*pattern, 72, "50%", 200us, 400us};
  const double minimal = accepted_by({"dragonfly", kDragonfly, "minimal"}, load, accounts);
  const double ugal = accepted_by({"dragonfly", kDragonfly, "ugal"}, load, accounts);
  rows.push_back(at_least("dragonfly, group-adversarial, ugal / minimal", 2, ugal / minimal, ""));
}

void add_uniform(std::vector<Row>& rows, Accounts& accounts) {
  const auto pattern = traffic::make_pattern("uniform", {.hosts = 72}, {}, 1).value();
  const Load load{*pattern, 72, "90%", 200us, 400us};
  const double minimal = accepted_by({"dragonfly", kDragonfly, "minimal"}, load, accounts);
  const double ugal = accepted_by({"dragonfly", kDragonfly, "ugal"}, load, accounts);
  rows.push_back(at_least("dragonfly, uniform, ugal / minimal", 0.9, ugal / minimal, ""));
}

}  // namespace

std::vector<Row> check_adaptive() {
  std::vector<Row> rows;
  Accounts accounts;
  add_transpose(rows, accounts);
  add_group_adversarial(rows, accounts);
  add_uniform(rows, accounts);
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
