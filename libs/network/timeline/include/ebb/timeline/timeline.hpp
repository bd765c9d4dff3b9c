// SPDX-License-Identifier: Apache-2.0
//
// What happened when, as a file that trace viewers open: tracks in groups, slices of time on them
// with flows from one to another, and counters. It is written while things happen, so that a long
// run needs no memory for it.
//
//   const auto timeline = open_timeline("run.pftrace", {}).value();
//   const TrackId links = timeline->add_group("links");
//   const TrackId track = timeline->add_track(links, "s0 to s1");
//   timeline->add({.track = track, .begin = begin, .end = end, .name = "asleep"});
//   if (!timeline->finish()) ...  // could not be written
//
// Slices of one track do not overlap and are added in the order of time; those of different tracks
// in any order. Perfetto files have nanoseconds, rounded down; Chrome files picoseconds.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::timeline {

enum class Form : std::uint8_t { perfetto, chrome };

// By the ending of the file's name: .pftrace and .perfetto-trace, or .json.
[[nodiscard]] Result<Form> form_of(const std::string& path);

enum class TrackId : std::uint32_t {};
constexpr std::uint32_t index(TrackId id) { return static_cast<std::uint32_t>(id); }

// A slice from which an arrow leads to another that has the same number.
struct Flow {
  enum class End : std::uint8_t { none, begin, end };

  End end = End::none;
  std::uint64_t number = 0;
};

struct Slice {
  TrackId track{};
  TimePoint begin{};
  TimePoint end{};
  std::string_view name;
  Flow flow = {};
};

// A value from a nanosecond on, in billionths of the unit: watts come as nanowatts.
struct CounterValue {
  TrackId track{};
  std::int64_t at_ns = 0;
  std::int64_t nano = 0;
};

struct Settings {
  // Slices and values of counters. Then it is full: whoever writes it cuts it there.
  std::uint64_t most_events = 10'000'000;
  // What time it was at the beginning, in nanoseconds since 1970, where that means anything.
  std::optional<std::int64_t> began_unix_ns = {};
};

class Timeline {
 public:
  explicit Timeline(const Settings& settings) : settings_(settings) {}
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  virtual ~Timeline() = default;

  // Viewers show groups in the order in which they were added, and so the tracks of a group unless
  // `place` says where.
  [[nodiscard]] TrackId add_group(std::string_view name);
  [[nodiscard]] TrackId add_track(TrackId group, std::string_view name,
                                  std::optional<std::uint32_t> place = {});
  [[nodiscard]] TrackId add_counter(TrackId group, std::string_view name, std::string_view unit);

  void add(const Slice& slice);
  void add(const CounterValue& value);
  // It is full: a mark says so, and nothing that happened later is added.
  void cut(TrackId track, TimePoint at);
  [[nodiscard]] std::optional<TimePoint> cut_at() const { return cut_at_; }

  // Writes what is left. False when the file could not be written, now or before.
  [[nodiscard]] virtual bool finish() = 0;

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] bool full() const { return events_ >= settings_.most_events; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 protected:
  struct Track {
    TrackId id{};
    TrackId group{};          // itself, of a group
    std::uint32_t place = 0;  // in its group, or among groups
    std::string_view name;
    std::string_view unit;  // of counters
  };
  virtual void write_track(const Track& track) = 0;
  virtual void write(const Slice& slice) = 0;
  virtual void write(const CounterValue& value) = 0;
  virtual void write_mark(TrackId track, TimePoint at, std::string_view text) = 0;

 private:
  Settings settings_;
  std::optional<TimePoint> cut_at_;
  std::uint64_t events_ = 0;
  std::uint32_t tracks_ = 0;
};

[[nodiscard]] std::unique_ptr<Timeline> make_timeline(Form form, std::shared_ptr<std::ostream> out,
                                                      const Settings& settings);
// With the form that the name says.
[[nodiscard]] Result<std::unique_ptr<Timeline>> open_timeline(const std::string& path,
                                                              const Settings& settings);

}  // namespace ebb::timeline
