// SPDX-License-Identifier: Apache-2.0
//
// Worst cases on a dragonfly: g groups of a switches with p hosts and h global ports each, two
// groups joined by L links at least.
//
// Minimal. All a p hosts of a group send to one other group, over L links: "Technology-Driven,
// Highly-Scalable Dragonfly Topology". With more links there are two other bounds. A packet takes
// the fewest links, so where some switches have a link to that group and others do not (L < a), the
// p hosts of a switch that has one go by it, unless their destination has one too, and so do p
// hosts elsewhere whose destinations are at its other end: 2 p over one link. And the p hosts of a
// switch that all send to the next switch of their group share one local link.
//
// Valiant and UGAL. Every group sends to the one that is so many groups on, each switch to that of
// the same number. Packets go by one of the g - 2 groups between, over a global link into it and
// one out of it, and over local links. Turning the circle of groups maps the network onto itself,
// so what the hosts of one group send shows the loads of all channels. The worst of these shifts is
// found by trying; docs/models/worst-case.md has closed forms of the usual one.

#include "worst_cases.hpp"

#include "ebb/units/quantity.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ebb::routing::worst {
namespace {

// The global links of a group, in the palm tree of topology's dragonfly.cpp: ports in cycles of
// g - 1, each to the groups 1, 2, ... back on the circle; the last cycle, if there are ports left,
// to the nearest on both sides and to the opposite one.
struct Groups {
  std::int64_t p = 0;
  std::int64_t a = 0;
  std::int64_t h = 0;
  std::int64_t g = 0;
  std::int64_t cycles = 1;      // L: every two groups are joined by so many links
  std::int64_t near_pairs = 0;  // of the last cycle: groups on either side
  bool opposite = false;        // and the one opposite

  [[nodiscard]] std::int64_t last_cycle() const { return 2 * near_pairs + (opposite ? 1 : 0); }
  [[nodiscard]] std::int64_t ports() const { return cycles * (g - 1) + last_cycle(); }
  // Groups back on the circle.
  [[nodiscard]] std::int64_t distance(std::int64_t port) const {
    const std::int64_t x = port % (g - 1);
    if (port / (g - 1) < cycles || x < near_pairs) return x + 1;
    if (opposite && x == near_pairs) return g / 2;
    return g - (last_cycle() - x);
  }
  // The port at the other end.
  [[nodiscard]] std::int64_t partner(std::int64_t port) const {
    const std::int64_t cycle = port / (g - 1);
    const std::int64_t size = cycle < cycles ? g - 1 : last_cycle();
    return cycle * (g - 1) + size - 1 - port % (g - 1);
  }
};

Groups groups_of(const Parameters& parameters) {
  Groups one{parameters.integer("p"), parameters.integer("a"), parameters.integer("h"),
             parameters.integer("g")};
  const std::int64_t ports = one.a * one.h;
  if (one.g == 0) one.g = ports + 1;
  if (parameters.integer("fill") == 1) {
    const std::int64_t rest = ports % (one.g - 1);
    one.cycles = ports / (one.g - 1);
    one.near_pairs = rest / 2;
    one.opposite = rest % 2 == 1 && one.g % 2 == 0;
  }
  return one;
}

// Load of every channel of a group, local ones [from * a + to] first, then global ports.
using ChannelLoads = std::vector<double>;

// All groups send to the one so many groups on. Every step spreads evenly over what routing offers.
class GroupShift {
 public:
  explicit GroupShift(const Groups& groups)
      : groups_(groups), links_(static_cast<std::size_t>(groups.g)), landed_(at(groups.a)) {
    for (std::int64_t port = 0; port < groups.ports(); ++port) {
      links_[at(groups.distance(port))].push_back(
          {port / groups.h, groups.partner(port) / groups.h, groups.a * groups.a + port});
    }
  }

  [[nodiscard]] ChannelLoads minimal(std::int64_t groups_on) {
    begin();
    for (std::int64_t s = 0; s < groups_.a; ++s) {
      leg(s, s, groups_on, static_cast<double>(groups_.p));
      land(s);
    }
    return loads_;
  }

  [[nodiscard]] ChannelLoads valiant(std::int64_t groups_on) {
    begin();
    const double each = static_cast<double>(groups_.p) / static_cast<double>(groups_.g - 2);
    for (std::int64_t s = 0; s < groups_.a; ++s) {
      for (std::int64_t by = 1; by < groups_.g; ++by) {
        if (by == groups_on) continue;
        leg(s, kAnySwitch, by, each);
        const std::vector<double> between = take_landed();
        for (std::int64_t t = 0; t < groups_.a; ++t) {
          if (between[at(t)] > 0)
            leg(t, s, (groups_on - by + groups_.g) % groups_.g, between[at(t)]);
        }
        land(s);
      }
    }
    return loads_;
  }

 private:
  static constexpr std::int64_t kAnySwitch = -1;

  struct GlobalLink {
    std::int64_t near = 0;
    std::int64_t far = 0;
    std::int64_t channel = 0;
  };

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  void begin() { loads_.assign(at(groups_.a * groups_.a + groups_.ports()), 0); }

  [[nodiscard]] std::vector<double> take_landed() {
    std::vector<double> taken(landed_.size(), 0);
    taken.swap(landed_);
    return taken;
  }

  // From where packets came into the group to their switch.
  void land(std::int64_t to) {
    const std::vector<double> from = take_landed();
    for (std::int64_t s = 0; s < groups_.a; ++s) {
      if (s != to) loads_[at(s * groups_.a + to)] += from[at(s)];
    }
  }

  // Local links on a path over `link` from switch `from` to switch `to`.
  [[nodiscard]] static int locals(const GlobalLink& link, std::int64_t from, std::int64_t to) {
    return (link.near != from ? 1 : 0) + (to != kAnySwitch && link.far != to ? 1 : 0);
  }

  // The outputs of switch `from`: its own links of least cost, and other switches that have such.
  [[nodiscard]] std::vector<GlobalLink> cheapest(const std::vector<GlobalLink>& links,
                                                 std::int64_t from, std::int64_t to) const {
    int least = std::numeric_limits<int>::max();
    for (const GlobalLink& link : links) least = std::min(least, locals(link, from, to));
    std::vector<GlobalLink> found;
    for (const GlobalLink& link : links) {
      const bool known = link.near != from && !found.empty() && found.back().near == link.near;
      if (locals(link, from, to) == least && !known) found.push_back(link);
    }
    return found;
  }

  // From switch `from` to the group so many on, on a shortest path to its switch `to`.
  void leg(std::int64_t from, std::int64_t to, std::int64_t groups_on, double weight) {
    const auto& links = links_[at(groups_.g - groups_on)];
    const auto outputs = cheapest(links, from, to);
    const double part = weight / static_cast<double>(outputs.size());
    for (const GlobalLink& output : outputs) {
      if (output.near == from) {
        cross(output, part);
        continue;
      }
      loads_[at(from * groups_.a + output.near)] += part;
      const auto onward = cheapest(links, output.near, to);
      for (const GlobalLink& link : onward) cross(link, part / static_cast<double>(onward.size()));
    }
  }

  void cross(const GlobalLink& link, double weight) {
    loads_[at(link.channel)] += weight;
    landed_[at(link.far)] += weight;
  }

  const Groups& groups_;
  std::vector<std::vector<GlobalLink>> links_;  // by distance, then by near
  std::vector<double> landed_;                  // by switch
  ChannelLoads loads_;
};

double busiest(const ChannelLoads& loads) { return *std::max_element(loads.begin(), loads.end()); }

// Of the best division of the traffic between two kinds of paths: the greatest load of a channel is
// convex in it.
double busiest_of_mixed(const ChannelLoads& direct, const ChannelLoads& over) {
  const auto greatest = [&](double share_direct) {
    double most = 0;
    for (std::size_t c = 0; c < direct.size(); ++c)
      most = std::max(most, share_direct * direct[c] + (1 - share_direct) * over[c]);
    return most;
  };
  double low = 0;
  double high = 1;
  constexpr int kSteps = 90;  // each leaves two thirds
  for (int i = 0; i < kSteps; ++i) {
    const double third = (high - low) / 3;
    if (greatest(low + third) < greatest(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return greatest((low + high) / 2);
}

WorstCase minimal_on_dragonfly(const Groups& one) {
  const std::int64_t group_hosts = one.a * one.p;
  const double to_group = share(one.cycles, group_hosts);
  const bool uneven = one.cycles > 1 && one.cycles < one.a;
  const double over_link = share(1, (uneven ? 2 : 1) * one.p);
  // The last links of a group go to the nearest groups.
  if (to_group <= over_link || one.a == 1)
    return {"minimal", Paths::minimal, shift_text((one.near_pairs + 1) * group_hosts), to_group};
  return {"minimal", Paths::minimal, uneven ? kOneLink : shift_text(one.p), over_link};
}

// Ahead is as back. Of many groups those near the one of h, which is the usual worst, the nearest,
// and one that is joined by the fewest links.
std::vector<std::int64_t> shifts_of(const Groups& one) {
  constexpr std::int64_t kFew = 40;
  std::vector<std::int64_t> shifts;
  for (std::int64_t on = 1; on <= one.g / 2; ++on) {
    const bool near_h = on >= one.h - 1 && on <= one.h + 1;
    if (one.g <= kFew || on <= 2 || near_h || on == one.near_pairs + 1) shifts.push_back(on);
  }
  return shifts;
}

// Adding up the loads of a shift takes a g legs to the groups between and min(a, L) from each, and
// each looks at L links. More than some seconds of it are not spent.
bool too_large(const Groups& one) {
  constexpr Int128 kMostLooks = 100'000'000;
  const Int128 legs = Int128{one.a} * one.g * std::min(one.a, one.cycles);
  return legs * one.cycles > kMostLooks || Int128{one.a} * one.a > kMostLooks;
}

// The first of those that are equal but for rounding.
void take(double load, std::int64_t by, WorstCase& worst) {
  constexpr double kRounding = 1e-6;
  if (worst.permutation != kAnyPermutation && 1 / load > (1 - kRounding) * worst.capacity) return;
  worst.capacity = std::min(1.0, 1 / load);
  worst.permutation = shift_text(by);
}

}  // namespace

std::vector<WorstCase> of_dragonfly(const Parameters& parameters) {
  const Groups one = groups_of(parameters);
  std::vector<WorstCase> cases = {minimal_on_dragonfly(one)};
  if (one.g == 2 || too_large(one)) return cases;  // of two groups there is none to go over
  GroupShift shift(one);
  WorstCase valiant{"valiant", Paths::non_minimal};
  WorstCase ugal{"ugal", Paths::non_minimal};
  for (const std::int64_t on : shifts_of(one)) {
    const ChannelLoads over = shift.valiant(on);
    take(busiest(over), on * one.a * one.p, valiant);
    take(busiest_of_mixed(shift.minimal(on), over), on * one.a * one.p, ugal);
  }
  cases.push_back(valiant);
  cases.push_back(ugal);
  return cases;
}

}  // namespace ebb::routing::worst
