// SPDX-License-Identifier: Apache-2.0
//
// What the components of switches and network cards do, and what it costs.
#include "meters.hpp"

#include <algorithm>
#include <array>

namespace ebb::netsim {

void count_input_cells(NetworkState& net, const Packet& packet, TimePoint begin, Duration leaving) {
  const FixedChannel& fixed = net.fixed(packet.input_channel);
  const DataRate rate = net.config.models[fixed.model].rate_levels[packet.input_rate_level].rate;
  const Duration arriving = serialization_time(ebb::bits(packet.bits), rate);
  const TimePoint arrived = packet.tail - net.config.hardware.switch_latency - arriving;
  count_cells(net, fixed.target, packet.bits, {arrived, arriving}, {begin, leaving});
}

// Cell k of n is powered from its first bit written to its last bit read:
//   sum over k = n (d - a) + (n + 1) / 2 * leaving - (n - 1) / 2 * arriving
void count_cells(NetworkState& net, NodeId node, std::uint32_t bits, Passage in, Passage out) {
  const std::int64_t cell = net.config.components->buffers.cell.count();
  const std::int64_t n = (bits + cell - 1) / cell;
  const Int128 twice = 2 * Int128{n} * (out.begin - in.begin).count() +
                       Int128{n + 1} * out.time.count() - Int128{n - 1} * in.time.count();
  net.work[node].cell_time_twice += std::max<Int128>(0, twice);
}

namespace {

using power::Components;

struct Context {
  const Components& parts;
  const NetworkState& net;
};

// What so many powered cells leak beyond as many gated ones. Rounded for all of them together: a
// cell leaks a few microwatts.
Power beyond_gated(const Components& parts, std::int64_t cells) {
  const Power leakage = parts.buffers.leakage.value * cells;
  return leakage - scale(leakage, parts.buffers.gated->value);
}

// Buffers that hold nothing. Gated, one cell of each FIFO is powered: the next to be written.
Power idle_buffers(const Context& context, std::uint32_t node) {
  const NetworkState& net = context.net;
  const Hardware& hardware = net.config.hardware;
  const std::int64_t cell = context.parts.buffers.cell.count();
  const auto cells_of = [&](DataSize buffer) { return (buffer.count() + cell - 1) / cell; };
  const auto links = static_cast<std::int64_t>(net.config.graph.outputs(NodeId{node}).size());
  const std::int64_t fifos = links * net.virtual_channels;
  const std::int64_t cells =
      fifos * (cells_of(hardware.input_buffer) + cells_of(hardware.output_buffer));
  const Power leakage = context.parts.buffers.leakage.value * cells;
  if (!net.gates_buffers()) return leakage;
  const std::int64_t powered = fifos * (net.has_output_buffers() ? 2 : 1);
  return leakage - beyond_gated(context.parts, cells - powered);
}

// Every bit passes the input buffer, and the output buffer where there is one.
Energy work_of_buffers(const Context& context, const NodeWork& work) {
  const power::BufferCells& buffers = context.parts.buffers;
  const std::int64_t passes = context.net.has_output_buffers() ? 2 : 1;
  const Energy moved = (buffers.write.value + buffers.read.value) * (passes * work.bits);
  if (!context.net.gates_buffers()) return moved;
  const Int128 leaked = Int128{buffers.leakage.value.count()} * work.cell_time_twice;
  const Ratio gated = buffers.gated->value;
  return moved + attojoules(leaked * (gated.den() - gated.num()) / gated.den() / 2);
}

Power nothing(const Context& /*context*/, std::uint32_t /*node*/) { return {}; }

// A kind of component: what it draws whatever happens, and what its work costs.
struct Kind {
  const char* name;
  bool of_hosts;
  Power (*idle)(const Context&, std::uint32_t node);
  Energy (*work)(const Context&, const NodeWork&);
};

constexpr auto kKinds = std::to_array<Kind>({
    {"buffers", false, idle_buffers, work_of_buffers},
    {"crossbar", false, nothing,
     [](const Context& c, const NodeWork& work) {
       return c.parts.crossbar_bit.value * work.bits +
              c.parts.crossbar_setup.value * static_cast<std::int64_t>(work.packets);
     }},
    {"arbiter", false, nothing,
     [](const Context& c, const NodeWork& work) {
       return c.parts.arbitration.value * static_cast<std::int64_t>(work.packets);
     }},
    {"tables", false, nothing,
     [](const Context& c, const NodeWork& work) {
       return c.parts.lookup.value * static_cast<std::int64_t>(work.packets);
     }},
    {"logic", false, [](const Context& c, std::uint32_t) { return c.parts.logic.value; },
     [](const Context&, const NodeWork&) { return Energy{}; }},
    {"nic", true, [](const Context& c, std::uint32_t) { return c.parts.nic_idle.value; },
     [](const Context& c, const NodeWork& work) {
       return c.parts.nic_bit.value * work.bits +
              c.parts.nic_packet.value * static_cast<std::int64_t>(work.packets);
     }},
});

}  // namespace

template <class Visit>
void Meters::for_each_component(Visit visit) const {
  const topology::Graph& graph = net_.config.graph;
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const std::uint32_t first = kKinds[k].of_hosts ? graph.switch_count() : 0;
    const std::uint32_t end = kKinds[k].of_hosts ? graph.node_count() : graph.switch_count();
    for (std::uint32_t node = first; node < end; ++node) {
      if (part_.owns(NodeId{node})) visit(k, node, node - first);
    }
  }
}

void Meters::add_components(std::vector<power::MeterClass>& classes,
                            std::vector<power::MeterStart>& meters) {
  const Context context{*net_.config.components, net_};
  const std::size_t first_class = classes.size();
  for (const Kind& kind : kKinds) classes.push_back({kind.name, {"on"}});
  first_component_meter_ = meters.size();
  for_each_component([&](std::size_t kind, std::uint32_t node, std::uint32_t number) {
    meters.push_back(
        {.number = number,
         .meter_class = power::ClassIndex{static_cast<std::uint8_t>(first_class + kind)},
         .power = kKinds[kind].idle(context, node),
         .state = power::StateIndex{0}});
  });
  work_before_.assign(net_.work.begin(), net_.work.end());
}

void Meters::charge_components() {
  const Context context{*net_.config.components, net_};
  auto meter = static_cast<std::uint32_t>(first_component_meter_);
  for_each_component([&](std::size_t kind, std::uint32_t node, std::uint32_t /*number*/) {
    const NodeWork work = net_.work[NodeId{node}] - work_before_[node];
    ledger_->charge(power::MeterIndex{meter++}, kKinds[kind].work(context, work));
  });
}

}  // namespace ebb::netsim
