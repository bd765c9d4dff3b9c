// SPDX-License-Identifier: Apache-2.0
//
// What policies share that open and close channels by how busy others are.
#pragma once

#include "ebb/policy/sample.hpp"
#include "ebb/units/parameters.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace ebb::policy {

// Of several channels together.
struct Use {
  Int128 busy = 0;
  Int128 window = 0;

  void add(const ChannelSample& channel) {
    busy += channel.busy.count();
    window += channel.window.count();
  }
};

struct Watermarks {
  explicit Watermarks(const Parameters& parameters)
      : high(parameters.ratio("high")), low(parameters.ratio("low")) {}

  [[nodiscard]] bool above(const Use& use) const {
    return use.busy * high.den() > use.window * high.num();
  }
  [[nodiscard]] bool below(const Use& use) const {
    return use.busy * low.den() < use.window * low.num();
  }

  Ratio high;
  Ratio low;
};

inline std::vector<Parameter> watermark_parameters(const std::string& high, const std::string& low,
                                                   const std::string& period) {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Ratio> shares{Ratio(1, 1000), Ratio(999, 1000)};
  return {
      {"high", shares, high, "utilisation above which sleeping channels are opened"},
      {"low", shares, low, "utilisation below which channels are closed"},
      {"period", Range<Duration>{nanoseconds(1), hours(1)}, period, "time between two decisions"}};
}

// Neither to nor from a host. A channel without a reverse is taken for one.
inline bool joins_switches(const Sample& sample, const ChannelSample& channel) {
  if (channel.to_host) return false;
  const auto back = find(sample, channel.reverse);
  return !back || !sample.channels[*back].to_host;
}

}  // namespace ebb::policy
