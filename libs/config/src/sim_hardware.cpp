// SPDX-License-Identifier: Apache-2.0
#include "sim_hardware.hpp"

#include "shown.hpp"

#include <fmt/format.h>

#include <cctype>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace ebb::config {
namespace {

constexpr Duration kLongestPhase = std::chrono::hours(24);
constexpr Duration kShortest{1};

std::optional<Duration> between(const Value& value, Duration least, Duration most,
                                Diagnostics& errors) {
  const auto duration = value.quantity<Duration>(errors);
  if (!duration) return std::nullopt;
  if (*duration >= least && *duration <= most) return duration;
  value.report(errors, fmt::format("must be between {} and {}, got {}", ebb::to_text(least),
                                   ebb::to_text(most), ebb::to_text(*duration)));
  return std::nullopt;
}

void read_phase(Section& section, std::string_view key, Duration least, Duration& target) {
  const auto value = section.find(key);
  if (!value) return;
  if (const auto phase = between(*value, least, kLongestPhase, section.errors())) target = *phase;
}

void read_warm_up(Section& section, std::optional<Duration>& target) {
  const auto value = section.find("warm_up");
  const auto text = value ? value->text(section.errors()) : std::nullopt;
  if (!text || *text == kAuto) return;
  const bool begins_like_a_time =
      !text->empty() &&
      (std::isdigit(static_cast<unsigned char>(text->front())) != 0 || text->front() == '-');
  if (begins_like_a_time) {
    target = between(*value, Duration{}, kLongestPhase, section.errors());
  } else {
    value->report(section.errors(), fmt::format("expected '{}' or a time like '100us', got '{}'",
                                                kAuto, shown(*text)));
  }
}

template <class T>
void read_value(Section& section, std::string_view key, T& target) {
  target = section.find<T>(key).value_or(target);
}

void read_switching(Section& section, netsim::Switching& switching) {
  if (!section.find("switching")) return;
  const std::string cut(to_text(netsim::Switching::cut_through));
  const std::string store(to_text(netsim::Switching::store_and_forward));
  const auto word = section.require_one_of("switching", {cut, store});
  if (word) {
    switching =
        *word == cut ? netsim::Switching::cut_through : netsim::Switching::store_and_forward;
  }
}

void read_congestion(Section& section, netsim::Congestion& congestion) {
  if (!section.find("congestion")) return;
  const std::string queue(to_text(netsim::Congestion::queue));
  const std::string credits(to_text(netsim::Congestion::credits));
  const auto word = section.require_one_of("congestion", {queue, credits});
  if (word) congestion = *word == queue ? netsim::Congestion::queue : netsim::Congestion::credits;
}

void read_drain(Section& section, std::optional<Duration>& from) {
  const auto value = section.find("drain_from");
  const auto text = value ? value->text(section.errors()) : std::nullopt;
  if (!text || *text == kNever) return;
  from = between(*value, Duration{}, kLongestPhase, section.errors());
}

// What no network can be built from. A key that was left out has no place of its own.
void check(Section& section, const netsim::Hardware& hardware) {
  const Value& whole = section.value();
  for (Error& error : netsim::mistakes(hardware)) {
    const Value place = section.find(error.where.path).value_or(whole);
    section.errors().add(std::move(error.message), place.line(), place.column(),
                         whole.path() + "." + error.where.path);
  }
}

}  // namespace

std::string_view to_text(netsim::Switching switching) {
  return switching == netsim::Switching::cut_through ? "cut-through" : "store-and-forward";
}

std::string_view to_text(netsim::Congestion congestion) {
  return congestion == netsim::Congestion::queue ? "queue" : "credits";
}

void read_hardware(Section& sim, netsim::Hardware& hardware) {
  const auto value = sim.find("hardware");
  if (!value) return;
  Section section(*value, sim.errors());
  read_switching(section, hardware.switching);
  read_value(section, "packet", hardware.packet);
  read_value(section, "input_buffer", hardware.input_buffer);
  read_value(section, "output_buffer", hardware.output_buffer);
  read_value(section, "rest_counts_as", hardware.rest_counts_as);
  read_congestion(section, hardware.congestion);
  read_drain(section, hardware.drain_from);
  read_value(section, "switch_latency", hardware.switch_latency);
  read_value(section, "link_latency", hardware.link_latency);
  read_value(section, "delay_per_metre", hardware.delay_per_metre);
  section.finish();
  check(section, hardware);
}

void read_schedule(Section& sim, netsim::Schedule& schedule) {
  const auto value = sim.find("schedule");
  if (!value) return;
  Section section(*value, sim.errors());
  read_warm_up(section, schedule.warm_up);
  read_phase(section, "warm_up_limit", kShortest, schedule.warm_up_limit);
  read_phase(section, "measure", kShortest, schedule.measure);
  read_phase(section, "tail_limit", Duration{}, schedule.tail_limit);
  section.finish();
}

void read_rate_change(Section& parts, std::optional<Duration>& rate_change) {
  if (const auto value = parts.find("rate_change"))
    rate_change = between(*value, Duration{}, kLongestPhase, parts.errors());
}

void read_series(Section& sim, std::optional<Duration>& every) {
  const auto value = sim.find("series");
  if (!value) return;
  Section section(*value, sim.errors());
  if (const auto length = section.require("every"))
    every = between(*length, kShortest, kLongestPhase, sim.errors());
  section.finish();
}

}  // namespace ebb::config
