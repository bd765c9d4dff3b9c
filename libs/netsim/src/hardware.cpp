// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/hardware.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

// Credits are counted in 32 bits, latencies of links in 32 bits of picoseconds.
constexpr DataSize kLargestBuffer = bytes(1 << 27);
constexpr Duration kLongestLatency = 1ms;
constexpr Duration kLongestDelayPerMetre = 100ns;

}  // namespace

Errors mistakes(const Hardware& hardware) {
  Errors errors;
  const auto require = [&](bool holds, const char* path, std::string message) {
    if (!holds) errors.push_back({std::move(message), {.file = {}, .path = path}});
  };
  const std::string packet = to_text(hardware.packet);
  require(hardware.packet > DataSize{}, "packet", "a packet has at least one bit");
  require(hardware.input_buffer >= hardware.packet, "input_buffer",
          fmt::format("a buffer must hold a packet of {}", packet));
  require(hardware.input_buffer <= kLargestBuffer, "input_buffer",
          fmt::format("a buffer has at most {}", to_text(kLargestBuffer)));
  require(hardware.output_buffer == DataSize{} || hardware.output_buffer >= hardware.packet,
          "output_buffer", fmt::format("a buffer must hold a packet of {}, or be 0B", packet));
  require(hardware.output_buffer <= kLargestBuffer, "output_buffer",
          fmt::format("a buffer has at most {}", to_text(kLargestBuffer)));
  require(hardware.rest_counts_as <= kLargestBuffer, "rest_counts_as",
          fmt::format("at most {}", to_text(kLargestBuffer)));
  require(hardware.switch_latency >= Duration{} && hardware.switch_latency <= kLongestLatency,
          "switch_latency", "between 0 and 1 ms");
  require(hardware.link_latency > Duration{} && hardware.link_latency <= kLongestLatency,
          "link_latency", "more than 0 and at most 1 ms");
  require(
      hardware.delay_per_metre >= Duration{} && hardware.delay_per_metre <= kLongestDelayPerMetre,
      "delay_per_metre", "between 0 and 100 ns");
  return errors;
}

}  // namespace ebb::netsim
