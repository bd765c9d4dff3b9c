// SPDX-License-Identifier: Apache-2.0
//
// Readings of interfaces in the order of time become loads: one number per direction and step.
//
//   Collector collector({.step = std::chrono::minutes(5)});
//   const TrackId out = collector.track("s0:eth1", Direction::out, Width::bits_64);
//   collector.octets(out, time, 123'456, {"counters.csv", 2});
//   Loads loads = std::move(collector).finish().value();
//
// A step whose load is not known is a gap, and never a load of zero: between two readings that are
// more than one and a half steps apart, across a counter that began again at zero, and in a step of
// which less than half was seen. What was wrong is counted by kind and interface, the first of each
// with its place.
#pragma once

#include "ebb/core/result.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ebb::counters {

// Since 1970-01-01 00:00 UTC.
using UnixTime = std::chrono::milliseconds;

enum class Direction : std::uint8_t { out, in };  // seen from the device that counts

// Of an octet counter. A counter of 32 bits that is smaller than before has wrapped (IF-MIB
// ifInOctets, RFC 2863); one of unknown width or of 64 bits has been reset, unless it was in the
// upper half of 64 bits.
enum class Width : std::uint8_t { unknown, bits_32, bits_64 };

enum class TrackId : std::uint32_t {};
[[nodiscard]] constexpr std::uint32_t index(TrackId id) { return static_cast<std::uint32_t>(id); }

enum class AnomalyKind : std::uint8_t { gap, reset, wrap, duplicate, clock, no_value };
inline constexpr std::size_t kAnomalyKinds = 6;
[[nodiscard]] std::string_view to_text(AnomalyKind kind);

// Something that a reader saw and went on after.
struct Anomaly {
  AnomalyKind kind{};
  std::string interface;
  std::uint64_t times = 0;
  Location first;       // where it was seen first
  std::string example;  // what was seen there
};

inline constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
[[nodiscard]] inline bool is_known(float load) { return !std::isnan(load); }

// One direction of an interface: bit/s by step, from step `first` on; kUnknown in gaps.
struct Track {
  std::string interface;
  Direction direction{};
  std::int64_t first = 0;  // steps since 1970
  std::vector<float> loads;

  [[nodiscard]] float at(std::int64_t step) const {
    const std::int64_t which = step - first;
    const auto size = static_cast<std::int64_t>(loads.size());
    return which < 0 || which >= size ? kUnknown : loads[static_cast<std::size_t>(which)];
  }
};

struct Loads {
  UnixTime step{};
  std::vector<Track> tracks;
  std::vector<Anomaly> anomalies;
  std::uint64_t readings = 0;

  // Of all tracks: the first step, and the one after the last.
  [[nodiscard]] std::int64_t begin() const;
  [[nodiscard]] std::int64_t end() const;
};

struct CollectorOptions {
  std::optional<UnixTime> step;  // none: the usual time between two readings
  // Of all tracks together, gaps included: 8 GB. Times that are wrong shall not take all memory.
  std::uint64_t most_loads = 2'000'000'000;
};

class Collector {
 public:
  explicit Collector(CollectorOptions options)
      : step_(options.step.value_or(UnixTime{})), most_loads_(options.most_loads) {}

  // The same for the same interface and direction.
  [[nodiscard]] TrackId track(std::string_view interface, Direction direction, Width width);

  // A counter as it stood.
  void octets(TrackId track, UnixTime at, std::uint64_t octets, const Location& where);
  // The mean of a step, in bit/s; the step is the one that `at` lies in.
  void rate(TrackId track, UnixTime at, double bits_per_second, const Location& where);
  // Of a step for which the source has a row, and no value.
  void nothing(TrackId track, UnixTime at, const Location& where);

  [[nodiscard]] std::uint64_t readings() const { return readings_; }
  // Of the options, or told from what came so far; none: nothing came twice.
  [[nodiscard]] std::optional<UnixTime> known_step();
  // In place of telling it.
  void use_step(UnixTime step);

  // Fails when there is nothing to tell the step from, and when the loads are too many.
  [[nodiscard]] Result<Loads> finish() &&;

 private:
  struct State {
    Width width{};
    bool begun = false;
    UnixTime at{};
    std::uint64_t octets = 0;
    std::int64_t step = 0;  // that is being filled
    double bits = 0;
    UnixTime seen{};
  };
  struct Pending {
    TrackId track{};
    UnixTime at{};
    bool is_rate = false;
    std::uint64_t octets = 0;
    double rate = 0;
    std::uint32_t file = 0;
    int line = 0;
  };

  void take(const Pending& reading, const Location& where);
  void grow(TrackId track, UnixTime at, std::uint64_t octets, const Location& where);
  void set(TrackId track, UnixTime at, double rate, const Location& where);
  [[nodiscard]] bool in_order(TrackId track, UnixTime at, const Location& where);
  [[nodiscard]] std::optional<std::uint64_t> growth(TrackId track, std::uint64_t octets,
                                                    const Location& where);
  void spread(TrackId track, UnixTime from, UnixTime to, std::uint64_t octets);
  void close_step(TrackId track);
  void store(Track& track, std::int64_t step, float load);
  void find(AnomalyKind kind, TrackId track, const Location& where, std::string example);
  [[nodiscard]] std::optional<UnixTime> usual_step() const;
  void release();

  UnixTime step_;
  std::unordered_map<std::string, std::uint32_t> names_;  // interface and direction
  std::vector<Track> tracks_;
  std::vector<State> states_;
  std::vector<std::array<std::uint32_t, kAnomalyKinds>> found_;  // by track: anomaly + 1
  std::vector<Anomaly> anomalies_;
  std::vector<Pending> pending_;  // while the step is not known
  std::vector<std::string> pending_files_;
  std::uint64_t readings_ = 0;
  std::uint64_t most_loads_;
  std::uint64_t loads_ = 0;  // that were asked for
};

}  // namespace ebb::counters
