// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include "ebb/units/text.hpp"

#include <absl/strings/escaping.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::report {
namespace {

// Positions of runs: all first repetitions, all second ones, ...
std::vector<std::size_t> by_repetition(const std::vector<results::Run>& runs) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // repetition, position
  for (std::size_t i = 0; i < runs.size(); ++i) order.emplace_back(seen[runs[i].setup]++, i);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> positions;
  positions.reserve(order.size());
  for (const auto& [repetition, position] : order) positions.push_back(position);
  return positions;
}

}  // namespace

Result<SeriesChoice> choose_series(const results::Store& store,
                                   const std::vector<results::Run>& runs, std::size_t most_bytes) {
  SeriesChoice choice;
  std::size_t bytes = 0;
  for (const std::size_t position : by_repetition(runs)) {
    const auto series = store.series(runs[position].id);
    if (!series) return fail(series.error());
    if (!*series || (*series)->frames() == 0) continue;
    const std::size_t size = document_size(**series);
    const bool fits = bytes + size <= most_bytes;
    if (fits) choice.runs.push_back(position);
    if (!fits) ++choice.left_out;
    if (fits) bytes += size;
  }
  std::sort(choice.runs.begin(), choice.runs.end());
  return choice;
}

namespace {

using results::Channel;
using results::Series;
using results::StateTime;

constexpr std::size_t kQuantities = 4;
constexpr double kFull = 255;

char byte_of(double share) {
  return static_cast<char>(std::lround(std::clamp(share, 0.0, 1.0) * kFull));
}

std::string base64(const std::string& bytes) { return absl::Base64Escape(bytes); }

// States of several classes under one numbering: words first, then rates ascending.
class StateNames {
 public:
  StateNames(const std::vector<StateTime>& states, const std::vector<Channel>& channels) {
    std::set<std::string_view> classes;
    for (const Channel& channel : channels) classes.insert(channel.meter_class);
    for (const StateTime& state : states) {
      if (!classes.contains(state.meter_class)) continue;  // switch cores have no links
      by_class_[state.meter_class].push_back(state.name);
      if (std::find(names_.begin(), names_.end(), state.name) == names_.end())
        names_.push_back(state.name);
    }
    std::stable_sort(names_.begin(), names_.end(),
                     [](const auto& a, const auto& b) { return rate(a) < rate(b); });
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  [[nodiscard]] std::size_t number(const Channel& channel, std::uint8_t state) const {
    const auto& own = by_class_.at(channel.meter_class);
    if (state >= own.size()) return 0;
    const auto at = std::find(names_.begin(), names_.end(), own[state]);
    return static_cast<std::size_t>(at - names_.begin());
  }

  // The fastest state of the channel.
  [[nodiscard]] DataRate full_rate(const Channel& channel) const {
    return rate(by_class_.at(channel.meter_class).back());
  }

 private:
  static DataRate rate(const std::string& name) {
    return parse<DataRate>(name).value_or(DataRate{});
  }

  std::map<std::string, std::vector<std::string>> by_class_;
  std::vector<std::string> names_;
};

Json channels_json(const std::vector<Channel>& channels) {
  Json made = Json::array();
  for (const Channel& channel : channels)
    made.push_back({{"from", channel.from}, {"to", channel.to}});
  return made;
}

Json ends_json(const Series& series) {
  Json ends = Json::array();
  for (const TimePoint end : series.ends) ends.push_back(end.time_since_epoch().count());
  return ends;
}

double frame_seconds(const Series& series, TimePoint start, std::size_t frame) {
  const TimePoint from = frame == 0 ? start : series.ends[frame - 1];
  return static_cast<double>((series.ends[frame] - from).count()) * 1e-12;
}

std::string carried(const Series& series, TimePoint start, const std::vector<Channel>& channels,
                    const StateNames& states) {
  std::vector<double> bits_per_second;
  bits_per_second.reserve(channels.size());
  for (const Channel& channel : channels)
    bits_per_second.push_back(static_cast<double>(states.full_rate(channel).count()));
  std::string bytes;
  for (std::size_t i = 0; i < series.sent_bits.size(); ++i) {
    const double most =
        bits_per_second[i % channels.size()] * frame_seconds(series, start, i / channels.size());
    bytes.push_back(byte_of(most > 0 ? series.sent_bits[i] / most : 0));
  }
  return base64(bytes);
}

std::string shares(const std::vector<float>& values, double most) {
  std::string bytes;
  for (const float value : values) bytes.push_back(byte_of(most > 0 ? value / most : 0));
  return base64(bytes);
}

std::string state_numbers(const Series& series, const std::vector<Channel>& channels,
                          const StateNames& states) {
  std::string bytes;
  for (std::size_t i = 0; i < series.states.size(); ++i) {
    bytes.push_back(
        static_cast<char>(states.number(channels[i % channels.size()], series.states[i])));
  }
  return base64(bytes);
}

}  // namespace

std::size_t document_size(const Series& series) {
  constexpr std::size_t kChannel = 30;  // {"from":"s12","to":"h345"},
  constexpr std::size_t kFrame = 12;    // an end in picoseconds
  return kQuantities * series.frames() * series.channels * 4 / 3 + kChannel * series.channels +
         kFrame * series.frames();
}

Json series_json(std::size_t run, const Series& series, TimePoint start,
                 const std::vector<Channel>& channels, const std::vector<StateTime>& states) {
  const StateNames names(states, channels);
  const auto most = std::max_element(series.queued_bits.begin(), series.queued_bits.end());
  const double most_queued = most == series.queued_bits.end() ? 0 : *most;
  return {{"run", run},
          {"start_ps", start.time_since_epoch().count()},
          {"ends_ps", ends_json(series)},
          {"channels", channels_json(channels)},
          {"states", names.names()},
          {"carried", carried(series, start, channels, names)},
          {"busy", shares(series.busy_share, 1)},
          {"state", state_numbers(series, channels, names)},
          {"queued", shares(series.queued_bits, most_queued)},
          {"queued_most_bit", most_queued}};
}

}  // namespace ebb::report
