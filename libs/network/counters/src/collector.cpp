// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::counters {
namespace {

constexpr std::size_t kReadingsThatTellTheStep = 1 << 16;
constexpr double kBitsPerOctet = 8;
constexpr std::uint64_t kHalfOf64Bits = std::uint64_t{1} << 63;
constexpr std::uint64_t kOf32Bits = std::uint64_t{1} << 32;
// More than a year of steps of ten seconds: a track that is longer has a time that is wrong.
constexpr std::int64_t kMostSteps = 4'000'000;

double seconds(UnixTime time) { return std::chrono::duration<double>(time).count(); }

// Rounds towards the past, also before 1970.
std::int64_t step_of(UnixTime at, UnixTime step) {
  const std::int64_t whole = at / step;
  return at % step < UnixTime{} ? whole - 1 : whole;
}

// Pollers are late by a little: 299.7 s are five minutes.
UnixTime snapped(UnixTime between) {
  for (const int usual : {1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 86400}) {
    const UnixTime step = std::chrono::seconds(usual);
    if (std::chrono::abs(between - step) * 20 <= step) return step;
  }
  return between;
}

// Every channel has a load for each step between the first and the last of all interfaces.
std::string too_far_apart(const Loads& loads) {
  std::string early;
  std::string late;
  for (const Track& track : loads.tracks) {
    if (track.loads.empty()) continue;
    if (track.first == loads.begin()) early = track.interface;
    if (track.first + static_cast<std::int64_t>(track.loads.size()) == loads.end())
      late = track.interface;
  }
  return fmt::format("{} begins at {:.0f} s and {} ends at {:.0f} s: more than {} steps of {} s",
                     early, seconds(loads.step * loads.begin()), late,
                     seconds(loads.step * loads.end()), kMostSteps, seconds(loads.step));
}

}  // namespace

std::string_view to_text(AnomalyKind kind) {
  switch (kind) {
    case AnomalyKind::gap:
      return "gap";
    case AnomalyKind::reset:
      return "reset";
    case AnomalyKind::wrap:
      return "wrap";
    case AnomalyKind::duplicate:
      return "duplicate";
    case AnomalyKind::clock:
      return "clock";
    case AnomalyKind::no_value:
      return "no value";
  }
  return "";
}

std::int64_t Loads::begin() const {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Track& track : tracks) {
    if (!track.loads.empty()) first = std::min(first, track.first);
  }
  return tracks.empty() || first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
}

std::int64_t Loads::end() const {
  std::int64_t last = begin();
  for (const Track& track : tracks)
    last = std::max(last, track.first + static_cast<std::int64_t>(track.loads.size()));
  return last;
}

TrackId Collector::track(std::string_view interface, Direction direction, Width width) {
  std::string key(interface);
  key += direction == Direction::out ? '>' : '<';
  const auto [found, is_new] =
      names_.emplace(std::move(key), static_cast<std::uint32_t>(tracks_.size()));
  if (is_new) {
    tracks_.push_back({std::string(interface), direction, 0, {}});
    states_.push_back({.width = width});
    found_.emplace_back();
  }
  return TrackId{found->second};
}

void Collector::octets(TrackId track, UnixTime at, std::uint64_t octets, const Location& where) {
  take({.track = track, .at = at, .octets = octets, .line = where.line}, where);
}

void Collector::rate(TrackId track, UnixTime at, double bits_per_second, const Location& where) {
  take({.track = track, .at = at, .is_rate = true, .rate = bits_per_second, .line = where.line},
       where);
}

void Collector::nothing(TrackId track, UnixTime at, const Location& where) {
  find(AnomalyKind::no_value, track, where,
       fmt::format("no value at {} s", static_cast<std::int64_t>(seconds(at))));
}

void Collector::take(const Pending& reading, const Location& where) {
  ++readings_;
  if (step_ == UnixTime{}) {
    if (pending_files_.empty() || pending_files_.back() != where.file)
      pending_files_.push_back(where.file);
    pending_.push_back(reading);
    pending_.back().file = static_cast<std::uint32_t>(pending_files_.size() - 1);
    if (pending_.size() >= kReadingsThatTellTheStep) release();
    return;
  }
  if (reading.is_rate) {
    set(reading.track, reading.at, reading.rate, where);
  } else {
    grow(reading.track, reading.at, reading.octets, where);
  }
}

// The median of the times between two readings of a track.
std::optional<UnixTime> Collector::usual_step() const {
  std::vector<UnixTime> last(tracks_.size(), UnixTime::min());
  std::vector<UnixTime> between;
  for (const Pending& reading : pending_) {
    UnixTime& before = last[index(reading.track)];
    if (before != UnixTime::min() && reading.at > before) between.push_back(reading.at - before);
    before = reading.at;
  }
  if (between.empty()) return std::nullopt;
  const auto middle = between.begin() + static_cast<std::ptrdiff_t>(between.size() / 2);
  std::nth_element(between.begin(), middle, between.end());
  return snapped(*middle);
}

std::optional<UnixTime> Collector::known_step() {
  if (step_ == UnixTime{}) release();
  if (step_ == UnixTime{}) return std::nullopt;
  return step_;
}

void Collector::release() {
  const auto step = usual_step();
  if (step) use_step(*step);
}

void Collector::use_step(UnixTime step) {
  step_ = step;
  for (const Pending& reading : std::exchange(pending_, {})) {
    --readings_;  // counted when it came
    take(reading, {.file = pending_files_[reading.file], .line = reading.line});
  }
}

bool Collector::in_order(TrackId track, UnixTime at, const Location& where) {
  const State& state = states_[index(track)];
  if (!state.begun) return true;
  if (at > state.at && (at - state.at) / step_ < kMostSteps) return true;
  if (at == state.at) {
    find(AnomalyKind::duplicate, track, where,
         fmt::format("a second reading at {:.3f} s; the first counts", seconds(at)));
  } else {
    find(AnomalyKind::clock, track, where,
         fmt::format("{:.3f} s comes after {:.3f} s; the reading is left out", seconds(at),
                     seconds(state.at)));
  }
  return false;
}

std::optional<std::uint64_t> Collector::growth(TrackId track, std::uint64_t octets,
                                               const Location& where) {
  const State& state = states_[index(track)];
  if (octets >= state.octets) return octets - state.octets;
  const bool is_short =
      state.width == Width::bits_32 && state.octets < kOf32Bits && octets < kOf32Bits;
  if (is_short || state.octets >= kHalfOf64Bits) {
    find(AnomalyKind::wrap, track, where, fmt::format("from {} to {}", state.octets, octets));
    return is_short ? octets + kOf32Bits - state.octets : octets - state.octets;
  }
  find(AnomalyKind::reset, track, where,
       fmt::format("from {} to {}; the load between is not known", state.octets, octets));
  return std::nullopt;
}

void Collector::grow(TrackId track, UnixTime at, std::uint64_t octets, const Location& where) {
  if (!in_order(track, at, where)) return;
  State& state = states_[index(track)];
  if (state.begun) {
    const auto sent = growth(track, octets, where);
    const bool is_gap = 2 * (at - state.at) > 3 * step_;
    if (is_gap) {
      find(AnomalyKind::gap, track, where,
           fmt::format("nothing for {:.0f} s", seconds(at - state.at)));
    }
    if (sent && !is_gap) spread(track, state.at, at, *sent);
  } else {
    state.step = step_of(at, step_);
  }
  state.begun = true;
  state.at = at;
  state.octets = octets;
}

// Counted evenly over the time between two readings, which may belong to three steps.
void Collector::spread(TrackId track, UnixTime from, UnixTime to, std::uint64_t octets) {
  State& state = states_[index(track)];
  const double rate = kBitsPerOctet * static_cast<double>(octets) / seconds(to - from);
  while (from < to) {
    const std::int64_t step = step_of(from, step_);
    if (step != state.step) {
      close_step(track);
      state.step = step;
    }
    const UnixTime end = std::min(to, step_ * (step + 1));
    state.bits += rate * seconds(end - from);
    state.seen += end - from;
    from = end;
  }
}

// A step is known by what was seen of it, if that is half of it.
void Collector::close_step(TrackId track) {
  State& state = states_[index(track)];
  if (2 * state.seen >= step_)
    store(tracks_[index(track)], state.step, static_cast<float>(state.bits / seconds(state.seen)));
  state.bits = 0;
  state.seen = UnixTime{};
}

void Collector::set(TrackId track, UnixTime at, double rate, const Location& where) {
  if (!in_order(track, at, where)) return;
  State& state = states_[index(track)];
  if (state.begun && 2 * (at - state.at) > 3 * step_) {
    find(AnomalyKind::gap, track, where,
         fmt::format("nothing for {:.0f} s", seconds(at - state.at)));
  }
  state.begun = true;
  state.at = at;
  store(tracks_[index(track)], step_of(at, step_), static_cast<float>(rate));
}

void Collector::store(Track& track, std::int64_t step, float load) {
  if (track.loads.empty()) track.first = step;
  const std::int64_t which = step - track.first;
  if (which < 0 || which >= kMostSteps) return;
  const auto place = static_cast<std::size_t>(which);
  if (place >= track.loads.size()) {
    loads_ += place + 1 - track.loads.size();
    if (loads_ > most_loads_) return;
    track.loads.resize(place + 1, kUnknown);
  }
  track.loads[place] = load;
}

void Collector::find(AnomalyKind kind, TrackId track, const Location& where, std::string example) {
  std::uint32_t& which = found_[index(track)][static_cast<std::size_t>(kind)];
  if (which == 0) {
    anomalies_.push_back({kind, tracks_[index(track)].interface, 0, where, std::move(example)});
    which = static_cast<std::uint32_t>(anomalies_.size());
  }
  ++anomalies_[which - 1].times;
}

Result<Loads> Collector::finish() && {
  if (readings_ == 0) return fail("no readings");
  if (!known_step()) return fail("no interface was read twice");
  for (std::uint32_t which = 0; which < tracks_.size(); ++which) close_step(TrackId{which});
  if (loads_ > most_loads_) {
    return fail(
        fmt::format("more than {} loads in steps of {} s: a longer --step, or fewer "
                    "interfaces at a time",
                    most_loads_, seconds(step_)));
  }
  Loads loads{step_, std::move(tracks_), std::move(anomalies_), readings_};
  if (loads.end() - loads.begin() > kMostSteps) return fail(too_far_apart(loads));
  return loads;
}

}  // namespace ebb::counters
