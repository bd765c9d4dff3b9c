// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/pause.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::netsim {
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

Errors pause_mistakes(const Hardware& hardware, const topology::Graph& graph) {
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
