// SPDX-License-Identifier: Apache-2.0
//
// A run as the store keeps it: plain values, no handles. docs/results.md describes each.
// Then what a run was asked for, and the order in which runs are shown.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::results {

// A configuration key that was set for this run, as `--set` or a sweep sets it. Never the seed.
struct Parameter {
  std::string key;    // "traffic.injection.load"
  std::string value;  // "15%"

  bool operator==(const Parameter&) const = default;
};

struct Metric {
  std::string name;  // "power.relative"; metrics.hpp lists all
  std::string unit;
  double value = 0;

  bool operator==(const Metric&) const = default;
};

enum class Status : std::uint8_t { done, failed };
[[nodiscard]] std::string_view to_text(Status status);

struct Run {
  std::int64_t id = 0;        // of this file only: in the order in which runs were stored
  std::string key;            // of everything that decides the result (run_key.hpp)
  std::string setup;          // the same without the seed: equal for repetitions of one experiment
  std::string label;          // of the simulation or sweep, for people
  std::string configuration;  // resolved, as YAML text
  std::string version;        // of ebb
  std::uint64_t seed = 0;
  Status status = Status::done;
  std::string error;  // of a failed run, which has nothing below
  std::vector<Parameter> parameters;
  std::vector<Metric> metrics;

  bool operator==(const Run&) const = default;

  // The beginning of the key, enough to name a run.
  [[nodiscard]] std::string short_key() const { return key.substr(0, 8); }
  [[nodiscard]] std::optional<double> metric(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> parameter(std::string_view key) const;
};

// Ascending by `upper`; empty buckets are left out. A value lies in the first bucket whose upper
// end is not below it; buckets are at most 1.6 % wide.
struct Histogram {
  struct Bucket {
    Duration upper{};
    std::uint64_t count = 0;

    bool operator==(const Bucket&) const = default;
  };
  std::string name;  // "packet_latency", "message_latency", "lateness"
  std::vector<Bucket> buckets;

  bool operator==(const Histogram&) const = default;
};

// How long the meters of a class ("channel", "switch core") were in one of its states, added up.
struct StateTime {
  std::string meter_class;
  std::uint32_t state = 0;  // position in the class: 0 asleep, 1 changing, then rates ascending
  std::string name;         // "asleep", "changing", "10Gb/s"
  Duration time{};

  bool operator==(const StateTime&) const = default;
};

// One direction of a link while it was measured.
struct Channel {
  std::uint32_t number = 0;
  std::string from;
  std::string to;
  std::string meter_class;
  Duration busy{};
  DataSize sent;
  double energy_joules = 0;
  std::uint64_t transitions = 0;
  std::vector<Duration> state_times;  // by state of its class

  bool operator==(const Channel&) const = default;
};

// What channels did in equal parts ("frames") of the measured time; the last may be shorter.
// Vectors hold frame after frame, in each channel after channel: [frame * channels + channel].
struct Series {
  Duration every{};
  std::vector<TimePoint> ends;  // of the frames, in simulated time
  std::uint32_t channels = 0;
  std::vector<float> busy_share;     // of the frame's time
  std::vector<float> sent_bits;      // in the frame
  std::vector<float> queued_bits;    // at its end
  std::vector<float> energy_joules;  // in the frame
  std::vector<std::uint8_t> states;  // at its end, position in the channel's class

  bool operator==(const Series&) const = default;
  [[nodiscard]] std::size_t frames() const { return ends.size(); }
};

// Everything about a run.
struct Record {
  Run run;
  std::vector<Histogram> histograms;
  std::vector<StateTime> residency;
  std::vector<Channel> channels;  // empty unless asked for with `per_channel` or `series`
  std::optional<Series> series;

  bool operator==(const Record&) const = default;
};

// Settings `a.b=value` as parameters of a run, in their order. Of a key that is set twice the last
// one counts. The seed is left out.
[[nodiscard]] std::vector<Parameter> parameters_of(std::span<const std::string> settings);

// The load that a run was asked for: a key of its injection, or of its workload.
[[nodiscard]] constexpr bool is_load(std::string_view key) {
  return key == "traffic.injection.load" || key == "traffic.load";
}

// None when it was not set.
[[nodiscard]] inline std::optional<Parameter> load_of(const Run& run) {
  for (const Parameter& parameter : run.parameters) {
    if (is_load(parameter.key)) return parameter;
  }
  return std::nullopt;
}

// Digits compare by the number they form, everything else character by character.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

// The order in which runs are shown: by label, by parameters with their numbers read as numbers
// (5% before 15%), by seed.
[[nodiscard]] bool shown_before(const Run& a, const Run& b);

}  // namespace ebb::results
