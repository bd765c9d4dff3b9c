// SPDX-License-Identifier: Apache-2.0
#include "sim_hardware.hpp"

#include "day.hpp"

#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::config {

std::optional<Duration> between(const files::Value& value, Duration least, Duration most,
                                files::Diagnostics& errors) {
  const auto duration = value.quantity<Duration>(errors);
  if (!duration) return std::nullopt;
  if (*duration >= least && *duration <= most) return duration;
  value.report(errors, fmt::format("must be between {} and {}, got {}", ebb::to_text(least),
                                   ebb::to_text(most), ebb::to_text(*duration)));
  return std::nullopt;
}

namespace {

constexpr Duration kLongestPhase = std::chrono::hours(24);
constexpr Duration kShortest{1};
constexpr std::int64_t kHeaviestLane = 255;
constexpr std::int64_t kMostLane = 15;
constexpr std::int64_t kMostOpenMessages = 1024;

// A time of the schedule; nothing for `auto`, a key that is not there, and after an error.
std::optional<Duration> read_phase(files::Section& section, std::string_view key, Duration least) {
  const auto value = section.find(key);
  const auto text = value ? value->text(section.errors()) : std::nullopt;
  if (!text || *text == kAuto) return std::nullopt;
  const bool begins_like_a_time =
      !text->empty() &&
      (std::isdigit(static_cast<unsigned char>(text->front())) != 0 || text->front() == '-');
  if (begins_like_a_time) return between(*value, least, kLongestPhase, section.errors());
  value->report(section.errors(), fmt::format("expected '{}' or a time like '100us', got '{}'",
                                              kAuto, files::shown(*text)));
  return std::nullopt;
}

void read_phase(files::Section& section, std::string_view key, Duration least, Duration& target,
                bool& automatic) {
  const auto given = read_phase(section, key, least);
  if (!given) return;
  target = *given;
  automatic = false;
}

template <class T>
void read_value(files::Section& section, std::string_view key, T& target) {
  target = section.find<T>(key).value_or(target);
}

// One of the words that stand for the values of an enumeration, if the key is there.
template <class Enum>
void read_word(files::Section& section, std::string_view key, Enum& target, Enum last) {
  if (!section.find(key)) return;
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    words.emplace_back(to_text(static_cast<Enum>(i)));
  }
  const auto word = section.require_one_of(key, words);
  const auto found = std::find(words.begin(), words.end(), word.value_or(""));
  if (found != words.end()) target = static_cast<Enum>(found - words.begin());
}

void read_nic(files::Section& hardware, netsim::NicHardware& nic) {
  const auto value = hardware.find("nic");
  if (!value) return;
  files::Section section(*value, hardware.errors());
  read_value(section, "doorbell", nic.doorbell);
  read_value(section, "dma_setup", nic.dma_setup);
  read_value(section, "dma_rate", nic.dma_rate);
  section.finish();
}

netsim::VirtualLane read_lane(const files::Value& value, files::Diagnostics& errors) {
  netsim::VirtualLane lane;
  files::Section section(value, errors);
  if (section.find("priority"))
    lane.high = section.require_one_of("priority", {"high", "low"}) == "high";
  const auto weight = section.find_integer("weight", 1, kHeaviestLane);
  if (weight) lane.weight = static_cast<std::int32_t>(*weight);
  section.finish();
  return lane;
}

void read_lanes(files::Section& section, netsim::Hardware& hardware) {
  read_value(section, "high_limit", hardware.high_limit);
  if (const auto value = section.find("virtual_lanes")) {
    hardware.virtual_lanes.clear();
    for (const files::Value& lane :
         value->list(section.errors()).value_or(std::vector<files::Value>{}))
      hardware.virtual_lanes.push_back(read_lane(lane, section.errors()));
  }
  const auto value = section.find("service_lanes");
  if (!value) return;
  for (const files::Value& lane :
       value->list(section.errors()).value_or(std::vector<files::Value>{})) {
    const auto number = lane.integer(0, kMostLane, section.errors());
    hardware.service_lanes.push_back(static_cast<std::uint8_t>(number.value_or(0)));
  }
}

void read_drain(files::Section& section, std::optional<Duration>& from) {
  const auto value = section.find("drain_from");
  const auto text = value ? value->text(section.errors()) : std::nullopt;
  if (!text || *text == kNever) return;
  from = between(*value, Duration{}, kLongestPhase, section.errors());
}

// What no network can be built from. A key that was left out has no place of its own.
void check(files::Section& section, const netsim::Hardware& hardware) {
  const files::Value& whole = section.value();
  for (Error& error : netsim::validate(hardware)) {
    const files::Value place = section.find(error.where.path).value_or(whole);
    section.errors().add(std::move(error.message), place.line(), place.column(),
                         whole.path() + "." + error.where.path);
  }
}

}  // namespace

std::string_view to_text(netsim::Switching switching) {
  constexpr std::array kWords = {"cut-through", "store-and-forward", "wormhole"};
  return kWords[static_cast<std::size_t>(switching)];
}

std::string_view to_text(netsim::OutputSelection selection) {
  constexpr std::array kWords = {"queue", "credits", "least-used", "first", "random"};
  return kWords[static_cast<std::size_t>(selection)];
}

std::string_view to_text(netsim::CreditPath credits) {
  constexpr std::array kWords = {"reverse-channel", "own-wires"};
  return kWords[static_cast<std::size_t>(credits)];
}

std::string_view to_text(netsim::FlowControl flow_control) {
  constexpr std::array kWords = {"credits", "pause", "bubble"};
  return kWords[static_cast<std::size_t>(flow_control)];
}

void read_hardware(files::Section& sim, netsim::Hardware& hardware) {
  const auto value = sim.find("hardware");
  if (!value) return;
  files::Section section(*value, sim.errors());
  read_word(section, "switching", hardware.switching, netsim::Switching::wormhole);
  read_value(section, "packet", hardware.packet);
  read_value(section, "flit", hardware.flit);
  read_value(section, "input_buffer", hardware.input_buffer);
  read_value(section, "output_buffer", hardware.output_buffer);
  read_value(section, "low_power_penalty", hardware.low_power_penalty);
  if (section.find("gated_buffers"))
    hardware.gated_buffers = section.require_one_of("gated_buffers", {"true", "false"}) == "true";
  read_word(section, "output_selection", hardware.output_selection,
            netsim::OutputSelection::random);
  read_word(section, "credits", hardware.credits, netsim::CreditPath::own_wires);
  read_word(section, "flow_control", hardware.flow_control, netsim::FlowControl::bubble);
  hardware.xoff = section.find<DataSize>("xoff");
  hardware.xon = section.find<DataSize>("xon");
  read_drain(section, hardware.drain_from);
  read_value(section, "switch_latency", hardware.switch_latency);
  read_value(section, "link_latency", hardware.link_latency);
  read_value(section, "delay_per_metre", hardware.delay_per_metre);
  read_nic(section, hardware.nic);
  if (const auto number = section.find_integer("open_messages", 1, kMostOpenMessages))
    hardware.open_messages = static_cast<std::uint32_t>(*number);
  read_lanes(section, hardware);
  section.finish();
  check(section, hardware);
}

void read_schedule(files::Section& sim, SimSpec& spec) {
  const auto value = sim.find("schedule");
  if (!value) return;
  files::Section section(*value, sim.errors());
  netsim::Schedule& schedule = spec.schedule;
  SimSpec::Automatic& automatic = spec.automatic;
  schedule.warm_up = read_phase(section, "warm_up", Duration{});
  read_phase(section, "warm_up_limit", kShortest, schedule.warm_up_limit, automatic.warm_up_limit);
  read_phase(section, "measure", kShortest, schedule.measure, automatic.measure);
  read_phase(section, "tail_limit", Duration{}, schedule.tail_limit, automatic.tail_limit);
  read_day_keys(section, spec);
  section.finish();
}

std::optional<Duration> read_change_time(files::Section& parts, std::string_view key) {
  const auto value = parts.find(key);
  return value ? between(*value, Duration{}, kLongestPhase, parts.errors()) : std::nullopt;
}

void read_series(files::Section& sim, std::optional<Duration>& every) {
  const auto value = sim.find("series");
  if (!value) return;
  files::Section section(*value, sim.errors());
  if (const auto length = section.require("every"))
    every = between(*length, kShortest, kLongestPhase, sim.errors());
  section.finish();
}

}  // namespace ebb::config
