// SPDX-License-Identifier: Apache-2.0
#include "sim_hardware.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

namespace ebb::config {
namespace {

// Beyond these no network is meant; they keep sums of times far from overflow.
constexpr DataSize kLargest = bytes(std::int64_t{1} << 40U);
constexpr Duration kLongestDelay = std::chrono::seconds(1);
constexpr Duration kLongestPhase = std::chrono::hours(24);
constexpr Duration kShortest{1};

template <class T>
std::optional<T> between(const Value& value, T least, T most, Diagnostics& errors) {
  const auto quantity = value.quantity<T>(errors);
  if (!quantity) return std::nullopt;
  if (*quantity >= least && *quantity <= most) return quantity;
  value.report(errors, fmt::format("must be between {} and {}, got {}", ebb::to_text(least),
                                   ebb::to_text(most), ebb::to_text(*quantity)));
  return std::nullopt;
}

template <class T>
void read_between(Section& section, std::string_view key, T least, T most, T& target) {
  const auto value = section.find(key);
  if (!value) return;
  if (const auto quantity = between(*value, least, most, section.errors())) target = *quantity;
}

void read_switching(Section& section, netsim::Switching& switching) {
  if (!section.find("switching")) return;
  const std::string cut(to_text(netsim::Switching::cut_through));
  const std::string store(to_text(netsim::Switching::store_and_forward));
  const auto word = section.require_one_of("switching", {cut, store});
  if (word)
    switching =
        *word == cut ? netsim::Switching::cut_through : netsim::Switching::store_and_forward;
}

// What is wrong with the values together.
void check(Section& section, const netsim::Hardware& hardware) {
  for (Error& error : netsim::mistakes(hardware)) {
    const auto key = section.find(error.where.path);
    (key ? *key : section.value()).report(section.errors(), std::move(error.message));
  }
}

}  // namespace

std::string_view to_text(netsim::Switching switching) {
  return switching == netsim::Switching::cut_through ? "cut-through" : "store-and-forward";
}

void read_hardware(Section& sim, netsim::Hardware& hardware) {
  const auto value = sim.find("hardware");
  if (!value) return;
  Section section(*value, sim.errors());
  read_switching(section, hardware.switching);
  read_between(section, "packet", bytes(1), kLargest, hardware.packet);
  read_between(section, "input_buffer", bytes(1), kLargest, hardware.input_buffer);
  read_between(section, "output_buffer", bytes(0), kLargest, hardware.output_buffer);
  read_between(section, "switch_latency", Duration{}, kLongestDelay, hardware.switch_latency);
  read_between(section, "link_latency", Duration{}, kLongestDelay, hardware.link_latency);
  read_between(section, "delay_per_metre", Duration{}, Duration(std::chrono::microseconds(1)),
               hardware.delay_per_metre);
  section.finish();
  check(section, hardware);
}

void read_schedule(Section& sim, netsim::Schedule& schedule) {
  const auto value = sim.find("schedule");
  if (!value) return;
  Section section(*value, sim.errors());
  Diagnostics unused("");
  const auto warm_up = section.find("warm_up");
  if (warm_up && warm_up->text(unused) != kAuto)
    schedule.warm_up = between(*warm_up, Duration{}, kLongestPhase, section.errors());
  read_between(section, "warm_up_limit", kShortest, kLongestPhase, schedule.warm_up_limit);
  read_between(section, "measure", kShortest, kLongestPhase, schedule.measure);
  read_between(section, "tail_limit", Duration{}, kLongestPhase, schedule.tail_limit);
  section.finish();
}

}  // namespace ebb::config
