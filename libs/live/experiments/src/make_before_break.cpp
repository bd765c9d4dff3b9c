// SPDX-License-Identifier: Apache-2.0
//
// Row D4, "Performance Evaluation of Power-aware Multi-tree Ethernet for HPC Interconnects": links
// go off and on, and change their speed, and no traffic is lost. Nine switches with a host each, in
// two fabrics: one whose links an operator lets sleep, and one whose links follow their load.
#include "datagrams.hpp"
#include "running_fabric.hpp"

#include "ebb/experiments/experiments.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace ebb::experiments {
namespace {

using namespace std::chrono_literals;

const std::string kTopology = "{family: fbfly, hosts: 1, dims: 3x3, rates: [10Mb/s, 100Mb/s]}";
// Links may change as often as it likes.
const std::string kSafety =
    "safety: {min_awake_time: 0s, min_sleep_time: 0s, min_rate_time: 0s, failure_holdoff: 500ms,\n"
    "         transitions_per_hour: 100000}\n";

// Each host to the next four: traffic crosses every link, both ways.
std::vector<Pair> pairs_of(std::size_t hosts) {
  std::vector<Pair> pairs;
  for (std::size_t host = 0; host < hosts; ++host) {
    for (std::size_t further = 1; further <= 4; ++further)
      pairs.push_back({host, (host + further) % hosts});
  }
  return pairs;
}

struct Changed {
  std::size_t links = 0;
  std::size_t back = 0;
  Datagrams::Count datagrams;
};

// One link after the other, with the rest of the network awake.
Result<Changed> off_and_on(const runtime::LoadParts& load_parts) {
  const auto fabric = RunningFabric::start(kTopology, kSafety + "policy: always-on\n", load_parts);
  if (!fabric) return fail(fabric.error());
  if (const auto taken = (*fabric)->take_addresses(); !taken) return fail(taken.error());
  const auto load = Datagrams::start(**fabric, pairs_of((*fabric)->layout().hosts()),
                                     {.per_second = 200, .bytes = 200});
  if (!load) return fail(load.error());
  Changed changed;
  for (const char* link : {"s1-s2", "s4-s5", "s7-s8", "s3-s6", "s4-s7", "s5-s8"}) {
    for (const bool asleep : {true, false}) {
      const std::string state = fmt::format("{} {}:", link, asleep ? "asleep" : "active");
      const std::size_t before = (*fabric)->said(state);
      if (auto done = (*fabric)->drain(link, asleep); !done) return fail(done.error());
      if (!(*fabric)->wait_for(state, before + 1, 20s))
        return fail(fmt::format("'{}' was not said within 20 s", state));
    }
    ++changed.links;
  }
  changed.datagrams = (*load)->finish();
  return changed;
}

// Little traffic makes links slow, more makes them fast; what comes fits the slow rate.
Result<Changed> slow_and_fast(const runtime::LoadParts& load_parts) {
  const auto fabric = RunningFabric::start(
      kTopology, kSafety + "policy: {name: epoch, epoch: 500ms, target: 50%, channels: paired}\n",
      load_parts);
  if (!fabric) return fail(fabric.error());
  if (const auto taken = (*fabric)->take_addresses(); !taken) return fail(taken.error());
  const auto pairs = pairs_of((*fabric)->layout().hosts());
  const auto little = Datagrams::start(**fabric, pairs, {.per_second = 100, .bytes = 100});
  if (!little) return fail(little.error());
  if (!(*fabric)->wait_for("at 10Mb/s", 18, 20s))
    return fail("links did not slow down within 20 s");
  Changed changed;
  changed.datagrams = (*little)->finish();
  const auto more = Datagrams::start(**fabric, pairs, {.per_second = 250, .bytes = 1000});
  if (!more) return fail(more.error());
  if (!(*fabric)->wait_for("at 100Mb/s", 1, 20s)) return fail("no link became fast within 20 s");
  std::this_thread::sleep_for(5s);
  changed.datagrams.add((*more)->finish());
  for (const std::string& link : (*fabric)->links()) {
    changed.links += (*fabric)->said(link + " active: at 10Mb/s") > 0 ? 1 : 0;
    changed.back += (*fabric)->said(link + " active: at 100Mb/s") > 0 ? 1 : 0;
  }
  return changed;
}

// Software switches lose datagrams for which their machine has no processor, whatever a controller
// does. A way is short here: two queues of a slow link, which would hold 80 ms each.
Result<void> check_machine(const Datagrams::Count& count) {
  constexpr std::chrono::milliseconds kLate = 20ms;
  constexpr std::chrono::milliseconds kSlow = 250ms;
  if (count.received == count.sent || (count.latest < kLate && count.slowest < kSlow)) return {};
  const auto in_ms = [](std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  return fail(fmt::format(
      "the machine stalled, and nobody can tell who lost {} of {} datagrams: the sender was late "
      "by {:.0f} ms, a datagram took {:.0f} ms; run it again when the machine has less to do",
      count.sent - count.received, count.sent, in_ms(count.latest), in_ms(count.slowest)));
}

}  // namespace

Result<Measured> make_before_break(const runtime::LoadParts& load_parts) {
  const auto slept = off_and_on(load_parts);
  if (!slept) return fail(slept.error());
  const auto changed = slow_and_fast(load_parts);
  if (!changed) return fail(changed.error());
  Datagrams::Count count = slept->datagrams;
  count.add(changed->datagrams);
  if (auto kept_up = check_machine(count); !kept_up) return fail(kept_up.error());
  return Measured{{"lost", static_cast<double>(count.sent - count.received)},
                  {"sent", static_cast<double>(count.sent)},
                  {"slept", static_cast<double>(slept->links)},
                  {"slowed", static_cast<double>(changed->links)},
                  {"sped_up", static_cast<double>(changed->back)}};
}

}  // namespace ebb::experiments
