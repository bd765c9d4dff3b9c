// SPDX-License-Identifier: Apache-2.0
//
// How long it takes to decide which of 4,096 switches stay on, and how far from optimal the answer
// can be: eight planes of two levels at loads of a day, with switches that are all alike, and with
// leaves, switches and links that all differ. Prints a table; exit code 1 with --check when one
// decision takes longer than five seconds.
#include "ebb/consolidation/consolidation.hpp"
#include "ebb/core/random.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>

namespace {

using namespace ebb;
using namespace ebb::consolidation;

constexpr std::size_t kPlanes = 8;
constexpr std::size_t kLeaves = 341;
constexpr std::size_t kSpines = 171;
constexpr double kSecondsAllowed = 5;

struct Kind {
  std::string_view name;
  bool alike = true;
  std::uint32_t links = 1;  // of a leaf to a spine
};

// Up to a fourth more or less than the value.
std::int64_t about(std::int64_t value, bool alike, RandomStream& random) {
  return alike ? value
               : value * 3 / 4 +
                     static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(value / 2)));
}

Network network_of(const Kind& kind) {
  RandomStream random(1, "network");
  Network network;
  for (std::size_t p = 0; p < kPlanes; ++p) {
    Plane& plane = network.planes.emplace_back();
    plane.leaves = milliwatts(about(285'000 * kLeaves, kind.alike, random));
    plane.hosts.assign(kLeaves, gigabits_per_second(100 * kSpines));
    plane.to_leaves.assign(kLeaves, DataRate{});
    for (std::size_t s = 0; s < kSpines; ++s) {
      Group& spine = plane.groups.emplace_back();
      spine.switches = milliwatts(about(285'000, kind.alike, random));
      spine.link = milliwatts(9'333);
      for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
        const std::int64_t rate = about(100'000 / kind.links, kind.alike, random);
        spine.to_leaf.push_back({kind.links, megabits_per_second(rate)});
      }
    }
  }
  return network;
}

Demand demand_of(int percent, bool alike) {
  RandomStream random(2, "demand");
  Demand demand{{}, {}, Ratio(1, 5)};
  constexpr auto kFull = static_cast<std::int64_t>(kPlanes * kSpines * 100'000);
  for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
    const DataRate load = megabits_per_second(about(kFull * percent / 100, alike, random));
    demand.network.push_back(load);
    demand.hosts.push_back(load);
  }
  return demand;
}

// Whether all decisions were in time.
bool measure(const Kind& kind) {
  const Network network = network_of(kind);
  bool in_time = true;
  for (const int percent : {10, 20, 30, 40, 50, 60}) {
    const Demand demand = demand_of(percent, kind.alike);
    const std::clock_t begin = std::clock();  // of the processor: the machine is shared
    const Selection selection = select(network, demand);
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::size_t on = 0;
    for (const PlaneSelection& plane : selection.planes) {
      if (!plane.on) continue;
      on += kLeaves;
      for (const bool spine : plane.groups) on += spine ? 1 : 0;
    }
    const double power = to_watts(selection.power);
    const double above = 100 * (power / to_watts(selection.bound) - 1);
    fmt::print("{:9} {:5} {:3} % {:9} {:8.1f} kW {:12.2f} % {:8.2f} s\n", kind.name, kind.links,
               percent, on, power / 1e3, above, took);
    in_time = in_time && took < kSecondsAllowed;
    if (!suffices(network, demand, selection)) fmt::print("that is not enough\n");
  }
  return in_time;
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  fmt::print("{} switches in {} planes\n", kPlanes * (kLeaves + kSpines), kPlanes);
  fmt::print("switches  links  load        on       power above bound at most    time\n");
  bool in_time = true;
  for (const Kind& kind : {Kind{"alike", true, 1}, Kind{"alike", true, 2},
                           Kind{"different", false, 1}, Kind{"different", false, 2}})
    in_time = measure(kind) && in_time;
  return check && !in_time ? 1 : 0;
}
