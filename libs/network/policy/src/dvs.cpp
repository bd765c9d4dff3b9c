// SPDX-License-Identifier: Apache-2.0
#include "dvs.hpp"

#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>

namespace ebb::policy::dvs {

Dvs::Dvs(const Parameters& parameters)
    : weight_(parameters.integer("weight")),
      low_(parameters.ratio("low")),
      high_(parameters.ratio("high")),
      window_(parameters.duration("window")) {}

std::vector<Action> Dvs::decide(const Sample& sample) {
  std::vector<Action> actions;
  for (const ChannelSample& channel : sample.channels) {
    const auto expected = forecast(channel);
    if (!expected || channel.state.changing || channel.state.mode == Mode::asleep) continue;
    const std::uint8_t level = index(channel.state.rate_level);
    if (is_below(*expected, low_) && level > 0) {
      actions.push_back(
          {channel.id, SetRateLevel{RateLevel{static_cast<std::uint8_t>(level - 1)}}});
    } else if (is_above(*expected, high_) && level + 1 < channel.rate_levels) {
      actions.push_back(
          {channel.id, SetRateLevel{RateLevel{static_cast<std::uint8_t>(level + 1)}}});
    }
  }
  return actions;
}

std::optional<std::int64_t> Dvs::forecast(const ChannelSample& channel) {
  auto& known = known_[channel.id].forecast;
  if (channel.state.mode == Mode::asleep) {
    known.reset();
  } else if (channel.window > Duration{}) {
    const std::int64_t now = utilisation(channel);
    known = (weight_ * known.value_or(now) + now) / (weight_ + 1);
  }
  return known;
}

std::vector<Parameter> parameters() {
  const Range<Ratio> shares{Ratio(1, 1000), Ratio(999, 1000)};
  return {
      {"weight", Range<std::int64_t>{0, 1000}, "3",
       "of the past in the forecast, against 1 for the last window"},
      {"low", shares, "40%", "expected utilisation below which a channel goes a rate level slower"},
      {"high", shares, "70%", "expected utilisation above which it goes a rate level faster"}};
}

Parameter window_parameter() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  return {"window", Range<Duration>{nanoseconds(1), hours(1)}, "20us",
          "time between two decisions, in which utilisation is measured"};
}

namespace {

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Dvs>(parameters);
}

}  // namespace

Entry entry() {
  Entry entry{.name = "dvs",
              .summary = "a rate level slower or faster by expected utilisation (voltage scaling)",
              .parameters = parameters(),
              .make = make};
  entry.parameters.push_back(window_parameter());
  return entry;
}

}  // namespace ebb::policy::dvs
