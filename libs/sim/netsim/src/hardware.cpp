// SPDX-License-Identifier: Apache-2.0

#include "ebb/netsim/hardware.hpp"

#include "vl_arbiter.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

// Credits are counted in 32 bits, latencies of links in 32 bits of picoseconds.
constexpr DataSize kLargestBuffer = bytes(1 << 27);
constexpr Duration kLongestLatency = 1ms;
constexpr Duration kLongestDelayPerMetre = 100ns;
constexpr std::int32_t kHeaviestLane = 255;  // as in the tables of InfiniBand
constexpr std::int64_t kMostFlits = 32'767;
constexpr std::uint32_t kMostOpenMessages = 1024;

using Require = std::function<void(bool holds, const char* path, std::string message)>;

// What must fit into a buffer.
void check_buffers(const Hardware& hardware, const Require& require) {
  const bool wormhole = hardware.switching == Switching::wormhole;
  const DataSize least = wormhole ? hardware.flit : hardware.packet;
  const std::string what = fmt::format("a {} of {}", wormhole ? "flit" : "packet", to_text(least));
  require(hardware.input_buffer >= least, "input_buffer",
          fmt::format("a buffer must hold {}", what));
  require(hardware.input_buffer <= kLargestBuffer, "input_buffer",
          fmt::format("a buffer has at most {}", to_text(kLargestBuffer)));
  require(hardware.output_buffer == DataSize{} || hardware.output_buffer >= least, "output_buffer",
          fmt::format("a buffer must hold {}, or be 0B", what));
  require(hardware.output_buffer <= kLargestBuffer, "output_buffer",
          fmt::format("a buffer has at most {}", to_text(kLargestBuffer)));
}

void check_flits(const Hardware& hardware, const Require& require) {
  if (hardware.switching != Switching::wormhole) return;
  require(hardware.flit > DataSize{}, "flit", "a flit has at least one bit");
  if (hardware.flit == DataSize{}) return;
  require(hardware.packet.count() / hardware.flit.count() < kMostFlits, "flit",
          fmt::format("a packet has at most {} flits", kMostFlits));
  require(hardware.output_buffer == DataSize{}, "output_buffer",
          "with wormhole switching flits leave from the input buffer: 0B");
}

void check_pause(const Hardware& hardware, const Require& require) {
  if (hardware.flow_control != FlowControl::pause) {
    require(!hardware.xoff, "xoff", "needs 'flow_control: pause'");
    require(!hardware.xon, "xon", "needs 'flow_control: pause'");
    return;
  }
  require(hardware.switching != Switching::wormhole, "flow_control",
          "wormhole switching needs credits: a pause stops packets, not flits");
  require(hardware.output_selection != OutputSelection::credits, "output_selection",
          "with 'flow_control: pause' there are no credits to choose by");
  if (hardware.xoff) {
    require(*hardware.xoff >= hardware.packet, "xoff",
            fmt::format("at least a packet of {}", to_text(hardware.packet)));
    require(*hardware.xoff <= hardware.input_buffer, "xoff",
            fmt::format("at most the buffer of {}", to_text(hardware.input_buffer)));
  }
  if (!hardware.xon) return;
  require(!hardware.xoff || *hardware.xon < *hardware.xoff, "xon", "must be less than xoff");
  require(*hardware.xon < hardware.input_buffer, "xon", "must be less than the buffer");
}

void check_bubble(const Hardware& hardware, const Require& require) {
  if (hardware.flow_control != FlowControl::bubble) return;
  require(hardware.switching != Switching::wormhole, "flow_control",
          "bubble flow control keeps room for a packet: not with wormhole switching");
  require(hardware.input_buffer >= 2 * hardware.packet, "input_buffer",
          fmt::format("with bubble flow control a buffer must hold two packets of {}",
                      to_text(hardware.packet)));
  require(hardware.output_buffer == DataSize{}, "output_buffer",
          "with bubble flow control packets leave from the input buffer: 0B");
}

void check_lanes(const Hardware& hardware, const Require& require) {
  require(!hardware.virtual_lanes.empty() && hardware.virtual_lanes.size() <= kMostLanes,
          "virtual_lanes", fmt::format("between 1 and {} virtual lanes", kMostLanes));
  for (const VirtualLane& lane : hardware.virtual_lanes) {
    require(lane.weight >= 1 && lane.weight <= kHeaviestLane, "virtual_lanes",
            fmt::format("weights are between 1 and {}", kHeaviestLane));
  }
  for (const std::uint8_t lane : hardware.service_lanes) {
    require(lane < hardware.virtual_lanes.size(), "service_lanes",
            fmt::format("there is no lane {}; there are {}", lane, hardware.virtual_lanes.size()));
  }
}

void check_nic(const Hardware& hardware, const Require& require) {
  require(hardware.open_messages >= 1 && hardware.open_messages <= kMostOpenMessages,
          "open_messages", fmt::format("between 1 and {}", kMostOpenMessages));
  const NicHardware& nic = hardware.nic;
  require(nic.doorbell >= Duration{} && nic.doorbell <= kLongestLatency, "nic",
          "doorbell: between 0 and 1 ms");
  require(nic.dma_setup >= Duration{} && nic.dma_setup <= kLongestLatency, "nic",
          "dma_setup: between 0 and 1 ms");
}

}  // namespace

Errors validate(const Hardware& hardware) {
  Errors errors;
  const Require require = [&](bool holds, const char* path, std::string message) {
    if (!holds) errors.push_back({std::move(message), {.file = {}, .path = path}});
  };
  require(hardware.packet > DataSize{}, "packet", "a packet has at least one bit");
  require(hardware.low_power_penalty <= kLargestBuffer, "low_power_penalty",
          fmt::format("at most {}", to_text(kLargestBuffer)));
  require(hardware.switch_latency >= Duration{} && hardware.switch_latency <= kLongestLatency,
          "switch_latency", "between 0 and 1 ms");
  require(hardware.link_latency > Duration{} && hardware.link_latency <= kLongestLatency,
          "link_latency", "more than 0 and at most 1 ms");
  require(
      hardware.delay_per_metre >= Duration{} && hardware.delay_per_metre <= kLongestDelayPerMetre,
      "delay_per_metre", "between 0 and 100 ns");
  check_buffers(hardware, require);
  check_flits(hardware, require);
  check_pause(hardware, require);
  check_bubble(hardware, require);
  check_lanes(hardware, require);
  check_nic(hardware, require);
  return errors;
}

namespace {

// From the first bit on the wire until the switch counts the packet.
Duration counted_after(const Hardware& hardware, const PausedLink& link) {
  const bool whole = hardware.switching == Switching::store_and_forward;
  return link.latency + hardware.switch_latency +
         (whole ? serialization_time(hardware.packet, link.rate) : Duration{});
}

// The link into a switch that needs the most headroom.
PausedLink neediest(const Hardware& hardware, const topology::Graph& graph) {
  PausedLink most;
  DataSize needed;
  for (std::uint32_t i = 0; i < graph.channel_count() / 2; ++i) {
    const topology::Link& link = graph.link(topology::LinkId{i});
    const PausedLink one{graph.full_rate(link), hardware.latency(link)};
    if (const DataSize need = headroom(hardware, one); need > needed) {
      needed = need;
      most = one;
    }
  }
  return most;
}

std::string arithmetic(const Hardware& hardware, const PausedLink& link) {
  return fmt::format(
      "after a pause {} can still come: {} for {} (2 x link {}, switch {}, a packet and a pause "
      "frame on the wire{}), and a packet of {}",
      to_text(headroom(hardware, link)), to_text(link.rate),
      to_text(counted_after(hardware, link) + pause_delay(hardware, link)), to_text(link.latency),
      to_text(hardware.switch_latency),
      hardware.switching == Switching::store_and_forward ? ", a packet that comes in" : "",
      to_text(hardware.packet));
}

}  // namespace

Duration pause_delay(const Hardware& hardware, const PausedLink& link) {
  return serialization_time(hardware.packet, link.rate) +
         serialization_time(kPauseFrame, link.rate) + link.latency;
}

DataSize headroom(const Hardware& hardware, const PausedLink& link) {
  const Duration deaf = counted_after(hardware, link) + pause_delay(hardware, link);
  return bytes(data_carried(link.rate, deaf).count() / 8 + 1) + hardware.packet;  // rounded up
}

PauseLevels pause_levels(const Hardware& hardware, const PausedLink& link) {
  const DataSize xoff = hardware.xoff.value_or(hardware.input_buffer - headroom(hardware, link));
  return {xoff, hardware.xon.value_or(std::max(DataSize{}, xoff - 2 * hardware.packet))};
}

Errors validate_pause(const Hardware& hardware, const topology::Graph& graph) {
  if (hardware.flow_control != FlowControl::pause || graph.channel_count() == 0) return {};
  const PausedLink link = neediest(hardware, graph);
  const DataSize least = headroom(hardware, link) + 2 * hardware.packet;
  Errors errors;
  const auto refuse = [&](const char* path, std::string message) {
    errors.push_back({std::move(message), {.file = {}, .path = path}});
  };
  if (hardware.input_buffer < least) {
    refuse("input_buffer", fmt::format("must hold {}, two packets and the headroom; {}",
                                       to_text(least), arithmetic(hardware, link)));
  } else if (hardware.xoff && *hardware.xoff > hardware.input_buffer - headroom(hardware, link)) {
    refuse("xoff",
           fmt::format("at most {}; {}", to_text(hardware.input_buffer - headroom(hardware, link)),
                       arithmetic(hardware, link)));
  }
  return errors;
}

}  // namespace ebb::netsim
