// SPDX-License-Identifier: Apache-2.0
#include "flow_records.hpp"

#include "ebb/units/text.hpp"
#include "ebb/units/time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::counters {
namespace {

// Caches export a flow at least every half an hour; steps may be short.
constexpr std::int64_t kMostStepsOfAFlow = 100'000;
constexpr double kBitsOfAByte = 8;

std::int64_t step_at(UnixTime at, UnixTime step) { return at / step; }  // times are not negative

double in_seconds(UnixTime time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

bool FlowSums::add(const FlowRecord& flow, const Location& where) {
  if ((flow.until - flow.from) / step_ > kMostStepsOfAFlow) return false;
  auto found = devices_.find(flow.device);
  if (found == devices_.end()) {
    found = devices_.emplace(std::string(flow.device), Device{}).first;
    found->second.begin = flow.from;
  }
  Device& device = found->second;
  device.begin = std::min(device.begin, flow.from);
  device.end = std::max(device.end, flow.until);
  // A flow that ends with a step has no frame in the next one.
  const UnixTime last = flow.until > flow.from ? flow.until - UnixTime(1) : flow.until;
  for (std::int64_t step = step_at(flow.from, step_); step <= step_at(last, step_); ++step)
    device.steps.insert(step);
  const auto interface = [&](std::uint32_t index) -> Interface& {
    return device.interfaces.try_emplace(index, Interface{{}, {}, where}).first->second;
  };
  if (flow.input != 0) {
    spread(interface(flow.input).in, flow, flow.bytes);
    if (flow.back > 0) spread(interface(flow.input).out, flow, flow.back);
  }
  if (flow.output != 0) {
    spread(interface(flow.output).out, flow, flow.bytes);
    if (flow.back > 0) spread(interface(flow.output).in, flow, flow.back);
  }
  return true;
}

void FlowSums::spread(BitsByStep& sums, const FlowRecord& flow, std::uint64_t bytes) const {
  const double bits = kBitsOfAByte * static_cast<double>(bytes);
  if (flow.until <= flow.from) {
    sums[step_at(flow.from, step_)] += bits;
    return;
  }
  const double rate = bits / in_seconds(flow.until - flow.from);
  for (UnixTime from = flow.from; from < flow.until;) {
    const std::int64_t step = step_at(from, step_);
    const UnixTime end = std::min(flow.until, step_ * (step + 1));
    sums[step] += rate * in_seconds(end - from);
    from = end;
  }
}

// Of a step, between the first and the last frame of a device.
double FlowSums::seconds_seen(const Device& device, std::int64_t step) const {
  const UnixTime from = std::max(device.begin, step_ * step);
  const UnixTime until = std::min(device.end, step_ * (step + 1));
  return std::max(0.0, in_seconds(until - from));
}

void FlowSums::hand_over(Collector& collector, const Device& device, const std::string& interface,
                         Direction direction, const BitsByStep& sums, const Location& first) const {
  if (sums.empty()) return;  // records may be of one direction alone
  const TrackId track = collector.track(interface, direction, Width::unknown);
  for (const std::int64_t step : device.steps) {
    const double seen = seconds_seen(device, step);
    if (2 * seen < in_seconds(step_)) continue;  // the begin or the end of the files
    const auto found = sums.find(step);
    collector.rate(track, step_ * step, found == sums.end() ? 0 : found->second / seen, first);
  }
}

Result<void> FlowSums::hand_over(Collector& collector) const {
  const auto other = collector.known_step();
  if (other && *other != step_) {
    return fail(
        fmt::format("flow records are summed in steps of {}, other counters come every {}: "
                    "give --step",
                    ebb::to_text(Duration(step_)), ebb::to_text(Duration(*other))));
  }
  if (!other) collector.use_step(step_);
  for (const auto& [name, device] : devices_) {
    for (const auto& [index, interface] : device.interfaces) {
      const std::string of =
          name.empty() ? std::to_string(index) : fmt::format("{}:{}", name, index);
      hand_over(collector, device, of, Direction::in, interface.in, interface.first);
      hand_over(collector, device, of, Direction::out, interface.out, interface.first);
    }
  }
  return {};
}

}  // namespace ebb::counters
