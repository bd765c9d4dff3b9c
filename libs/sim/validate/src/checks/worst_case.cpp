// SPDX-License-Identifier: Apache-2.0
//
// routing::worst_cases derives, without a simulator, how much of its worst permutation each family
// carries (docs/models/worst-case.md). Here that permutation is sent through the packet simulator,
// at a few loads around the derived capacity. The network carries what the hosts of the slowest
// switch get on average, where non-minimal paths share links those of the slowest line or group,
// and saturates where that is greatest. Messages come in equal gaps, so chance is only in what
// routings draw. Within 5 %, fixed before measuring.
//
// Of ugal on a Dragonfly the derived capacity is that of one share of minimal paths for all pairs.
// ugal-queue comes to it. ugal, which sees what waits at the other switches of its group, uses some
// groups more than others and carries more: there the derived capacity is a lower bound.
#include "ebb/routing/worst_case.hpp"

#include "checks.hpp"
#include "runs/checked_network.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;
using topology::ChannelId;

struct WorstSetting {
  Setting setting;
  std::vector<std::uint32_t> dims = {};          // where the permutation is one of grids
  FixedPattern::Destination one_link = nullptr;  // where it is in no list
  std::uint32_t switches = 1;                    // whose hosts share what limits them
  bool at_least = false;                         // the derived capacity is a lower bound
};

// (x, y, z) to (z, y + 1, x) on 3 x 3 x 3 switches of 2 hosts: in dimension order all of a line
// (., y, z) come to (z, y, z), and go on to (z, y + 1, z) by one link.
std::uint32_t by_one_link_of_a_cube(std::uint32_t host) {
  const std::uint32_t x = host / 2 % 3;
  const std::uint32_t y = host / 6 % 3;
  const std::uint32_t z = host / 18;
  return host % 2 + 2 * (z + 3 * ((y + 1) % 3) + 9 * x);
}

// On a torus of 4 x 4 with one host per switch: the other three of row 0 send to column 0, each to
// another row, over the two links that lead there.
std::optional<std::uint32_t> to_one_column(std::uint32_t host) {
  if (host == 0 || host >= 4) return std::nullopt;
  return 4 * host;
}

std::vector<WorstSetting> worst_settings() {
  const ParameterTexts line = {{"hosts", "8"}, {"dims", "8"}};
  const ParameterTexts square = {{"hosts", "4"}, {"dims", "4x4"}};
  const ParameterTexts groups = {{"p", "2"}, {"a", "4"}, {"h", "2"}};
  const ParameterTexts joined_twice = {{"p", "2"}, {"a", "4"}, {"h", "2"}, {"g", "5"}};
  const auto clos = [](const char* levels, const char* hosts, const char* down) {
    return ParameterTexts{{"ports", "8"}, {"levels", levels}, {"hosts", hosts}, {"down", down}};
  };
  const auto in_groups = [](const char* scheme, const ParameterTexts& parameters) {
    return WorstSetting{.setting = {"dragonfly", parameters, scheme}, .switches = 4};
  };
  return {
      {{"clos", clos("2", "32", "0"), "up-down"}},
      {{"clos", clos("2", "48", "6"), "up-down"}},
      {{"clos", clos("2", "24", "0"), "up-down"}},
      {{"clos", clos("3", "48", "0"), "up-down"}},
      {{"clos_chassis", {{"hosts", "64"}, {"chip_ports", "8"}}, "up-down"}},
      {{"clos_chassis", {{"hosts", "48"}, {"chip_ports", "8"}}, "up-down"}},
      {{"fbfly", line, "minimal-adaptive"}},
      {{"fbfly", line, "valiant"}},
      {{"fbfly", line, "ugal"}},
      {{"fbfly", square, "minimal-adaptive"}},
      {.setting = {"fbfly", square, "valiant"}, .switches = 4},
      {.setting = {"fbfly", square, "ugal"}, .switches = 4},
      {.setting = {"fbfly", {{"hosts", "2"}, {"dims", "3x3x3"}}, "dimension-order"},
       .one_link = by_one_link_of_a_cube},
      {{"torus", {{"hosts", "1"}, {"dims", "8"}}, "dimension-order"}, {8}},
      {{"torus", {{"hosts", "1"}, {"dims", "5x5"}}, "dimension-order"}, {5, 5}},
      {.setting = {"torus", {{"hosts", "1"}, {"dims", "4x4"}}, "dimension-order"},
       .one_link = to_one_column},
      {{"mesh", {{"hosts", "2"}, {"dims", "8"}}, "dimension-order"}},
      {{"mesh", {{"hosts", "1"}, {"dims", "4x4"}}, "dimension-order"}},
      in_groups("minimal", groups),
      in_groups("valiant", groups),
      in_groups("ugal-queue", groups),
      {.setting = {"dragonfly", groups, "ugal"}, .switches = 4, .at_least = true},
      in_groups("minimal", joined_twice),
      in_groups("valiant", joined_twice),
      {{"complete", {{"switches", "5"}, {"hosts", "4"}}, "shortest-path"}},
      {{"tree", {{"switches", "5"}, {"hosts", "4"}, {"parallel", "2"}}, "shortest-path"}},
  };
}

routing::WorstCase derived(const Setting& setting) {
  const std::string scheme = setting.scheme == "ugal-queue" ? "ugal" : setting.scheme;
  const auto cases = routing::worst_cases(setting.family, setting.parameters).value();
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const routing::WorstCase& one) {
    return one.routing == scheme;
  });
  EBB_CHECK(found != cases.end(), text_of(setting));
  return *found;
}

// "shift by=8" and "tornado" are patterns that everybody can simulate.
std::unique_ptr<traffic::Pattern> pattern_of(const routing::WorstCase& worst,
                                             const WorstSetting& one, std::uint32_t hosts) {
  if (one.one_link) {
    EBB_CHECK(worst.permutation == routing::kOneLink, worst.permutation);
    return std::make_unique<FixedPattern>(one.one_link);
  }
  traffic::Shape shape{.hosts = hosts};
  if (!one.dims.empty()) shape.hosts_per_switch = 1;
  shape.dims = one.dims;
  const std::size_t space = worst.permutation.find(' ');
  const std::size_t equals = worst.permutation.find('=');
  ParameterTexts parameters;
  if (space != std::string::npos) {
    parameters = {{worst.permutation.substr(space + 1, equals - space - 1),
                   worst.permutation.substr(equals + 1)}};
  }
  auto made = traffic::make_pattern(worst.permutation.substr(0, space), shape, parameters, 1);
  EBB_CHECK(made.has_value(), worst.permutation);
  return std::move(*made);
}

class Flows {
 public:
  Flows(const CheckedNetwork& checked, const traffic::Pattern& pattern, std::uint32_t switches)
      : checked_(checked), pattern_(pattern), sharing_(checked.graph().switch_count()) {
    RandomStream stream(1, "worst-case");  // permutations draw nothing
    for (std::uint32_t host = 0; host < checked.graph().host_count(); ++host) {
      if (!pattern.sends(host)) continue;
      const ChannelId arrives = checked.to_host(pattern.destination(host, 0, stream));
      sharing_[index(checked.switch_of(host)) / switches].push_back(arrives);
      ++count_;
    }
  }

  // What the hosts of the slowest switch, line or group get, as a share of the rate of their links.
  [[nodiscard]] double slowest(double offered, Accounts& accounts) const {
    const Load load{.pattern = pattern_,
                    .senders = count_,
                    .load = fmt::format("{:.2f}%", 100 * offered),
                    .warm_up = 200us,
                    .measure = 600us,
                    .injection = "periodic",
                    .tail_limit = 1us};
    const netsim::Report report = run_loaded(checked_, {}, load, accounts);
    if (report.stall) return 0;
    double least = 1;
    for (const std::vector<ChannelId>& flows : sharing_) {
      if (flows.empty()) continue;
      DataSize sent;
      for (const ChannelId arrives : flows) sent += report.channels[index(arrives)].sent;
      const auto hosts = static_cast<std::uint32_t>(flows.size());
      least = std::min(least, netsim::load(report, sent, checked_.host_rate(), hosts));
    }
    return least;
  }

 private:
  const CheckedNetwork& checked_;
  const traffic::Pattern& pattern_;
  std::vector<std::vector<ChannelId>>
      sharing_;  // by switch, line or group: to where its hosts send
  std::uint32_t count_ = 0;
};

Row row_of(const WorstSetting& one, Accounts& accounts) {
  const routing::WorstCase worst = derived(one.setting);
  const CheckedNetwork checked(one.setting);
  const auto pattern = pattern_of(worst, one, checked.graph().host_count());
  const Flows flows(checked, *pattern, one.switches);
  const double capacity = worst.capacity;
  double most = 0;
  for (const double around : {0.97, 1.0, 1.04, 1.1})
    most = std::max(most, flows.slowest(std::min(1.0, around * capacity), accounts));
  std::string name = fmt::format("{}: {}", text_of(one.setting), worst.permutation);
  if (one.at_least) return at_least(std::move(name), capacity, most, "of host rate");
  return within(std::move(name), capacity, most, 0.05, "of host rate");
}

}  // namespace

std::vector<Row> check_worst_case() {
  std::vector<Row> rows;
  Accounts accounts;
  for (const WorstSetting& one : worst_settings()) rows.push_back(row_of(one, accounts));
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
