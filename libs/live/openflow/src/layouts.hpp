// SPDX-License-Identifier: Apache-2.0
//
// The layout of each message after its header, written once for both directions: a Writer writes
// what a Reader reads. Matches, actions and instructions are in actions.cpp.
#pragma once

#include "wire.hpp"

#include "ebb/openflow/action.hpp"
#include "ebb/openflow/message.hpp"

namespace ebb::openflow {

// The header of an unmasked field, as the actions move and load name it.
[[nodiscard]] std::uint32_t field_header(const FieldKind& kind);
// Null unless the header is that of a whole, unmasked field that ebb knows.
[[nodiscard]] const FieldKind* field_of_header(std::uint32_t header);

void write_field(Writer& writer, const Field& field);

// With its padding to 8 bytes.
void layout(Writer& writer, const Match& match);
void layout(Reader& reader, Match& match);

// A Reader's lists end with the reader.
void layout(Writer& writer, const Actions& actions);
void layout(Reader& reader, Actions& actions);
void layout(Writer& writer, const Instructions& instructions);
void layout(Reader& reader, Instructions& instructions);

constexpr std::uint16_t kVersionBitmap = 1;

inline void layout(Writer& writer, const Hello& hello) {
  if (hello.versions == 0) return;
  writer.number(kVersionBitmap);
  writer.number(std::uint16_t{8});
  writer.number(hello.versions);
}
// Elements that are not known are skipped, as the specification asks.
inline void layout(Reader& reader, Hello& hello) {
  hello.versions = 0;
  while (reader.more()) {
    const std::size_t start = reader.offset();
    const auto type = reader.take<std::uint16_t>();
    const auto length = reader.take<std::uint16_t>();
    if (length < 4) return reader.refuse_at(fmt::format("an element of {} bytes", length), start);
    Reader element = reader.part(length - 4U);
    if (type == kVersionBitmap) element.number(hello.versions);
    reader.pad(std::min<std::size_t>((8 - length % 8) % 8, reader.left()));
  }
}

template <class T>
concept OnlyData = Like<T, EchoRequest> || Like<T, EchoReply>;
void layout(auto& wire, OnlyData auto& echo) { wire.rest(echo.data); }

template <class T>
concept Empty = std::is_empty_v<std::remove_const_t<T>>;
void layout(auto& /*wire*/, Empty auto& /*message*/) {}

void layout(auto& wire, Like<ErrorMessage> auto& error) {
  wire.number(error.type);
  wire.number(error.code);
  if (error.type == kExperimenterError) wire.number(error.experimenter);
  wire.rest(error.data);
}

void layout(auto& wire, Like<FeaturesReply> auto& features) {
  wire.number(features.datapath);
  wire.number(features.buffers);
  wire.number(features.tables);
  wire.number(features.auxiliary);
  wire.pad(2);
  wire.number(features.capabilities);
  wire.number(features.reserved);
}

void layout(auto& wire, Like<SetConfig> auto& config) {
  wire.number(config.flags);
  wire.number(config.miss_send_length);
}

void layout(auto& wire, Like<PacketIn> auto& packet) {
  wire.number(packet.buffer);
  wire.number(packet.total_length);
  wire.number(packet.reason);
  wire.number(packet.table);
  wire.number(packet.cookie);
  layout(wire, packet.match);
  wire.pad(2);
  wire.rest(packet.data);
}

inline void layout(Writer& writer, const PacketOut& packet) {
  writer.number(packet.buffer);
  writer.number(packet.in_port);
  const std::size_t length_at = writer.size();
  writer.pad(8);
  layout(writer, packet.actions);
  writer.set_length(length_at, writer.size() - length_at - 8);
  writer.rest(packet.data);
}
inline void layout(Reader& reader, PacketOut& packet) {
  reader.number(packet.buffer);
  reader.number(packet.in_port);
  const auto length = reader.take<std::uint16_t>();
  reader.pad(6);
  Reader actions = reader.part(length);
  layout(actions, packet.actions);
  reader.rest(packet.data);
}

void layout(auto& wire, Like<FlowRemoved> auto& removed) {
  wire.number(removed.cookie);
  wire.number(removed.priority);
  wire.number(removed.reason);
  wire.number(removed.table);
  wire.number(removed.seconds);
  wire.number(removed.nanoseconds);
  wire.number(removed.idle_timeout);
  wire.number(removed.hard_timeout);
  wire.number(removed.packets);
  wire.number(removed.bytes);
  layout(wire, removed.match);
}

void layout(auto& wire, Like<Port> auto& port) {
  wire.number(port.number);
  wire.pad(4);
  wire.address(port.address);
  wire.pad(2);
  wire.text(port.name, 16);
  wire.number(port.config);
  wire.number(port.state);
  wire.number(port.current);
  wire.number(port.advertised);
  wire.number(port.supported);
  wire.number(port.peer);
  wire.number(port.current_speed);
  wire.number(port.max_speed);
}

void layout(auto& wire, Like<PortStatus> auto& status) {
  wire.choice(status.reason, PortChange::modified);
  wire.pad(7);
  layout(wire, status.port);
}

void layout(auto& wire, Like<PortMod> auto& mod) {
  wire.number(mod.port);
  wire.pad(4);
  wire.address(mod.address);
  wire.pad(2);
  wire.number(mod.config);
  wire.number(mod.mask);
  wire.number(mod.advertise);
  wire.pad(4);
}

void layout(auto& wire, Like<FlowMod> auto& mod) {
  wire.number(mod.cookie);
  wire.number(mod.cookie_mask);
  wire.number(mod.table);
  wire.choice(mod.command, FlowCommand::remove_strict);
  wire.number(mod.idle_timeout);
  wire.number(mod.hard_timeout);
  wire.number(mod.priority);
  wire.number(mod.buffer);
  wire.number(mod.out_port);
  wire.number(mod.out_group);
  wire.number(mod.flags);
  wire.pad(2);
  layout(wire, mod.match);
  layout(wire, mod.instructions);
}

// Items that begin with their own length of 16 bits.
template <class T>
void layout_sized(Writer& writer, const std::vector<T>& items, std::string_view /*what*/) {
  for (const T& item : items) {
    const std::size_t start = writer.size();
    writer.pad(2);
    layout(writer, item);
    writer.set_length(start, writer.size() - start);
  }
}
template <class T>
void layout_sized(Reader& reader, std::vector<T>& items, std::string_view what) {
  while (reader.more()) {
    const std::size_t start = reader.offset();
    const auto length = reader.take<std::uint16_t>();
    if (length < 2) return reader.refuse_at(fmt::format("{} of {} bytes", what, length), start);
    Reader part = reader.part(length - 2U);
    layout(part, items.emplace_back());
    part.expect_end();
  }
}

void layout(auto& wire, Like<Bucket> auto& bucket) {
  wire.number(bucket.weight);
  wire.number(bucket.watch_port);
  wire.number(bucket.watch_group);
  wire.pad(4);
  layout(wire, bucket.actions);
}

void layout(auto& wire, Like<GroupMod> auto& mod) {
  wire.choice(mod.command, GroupCommand::remove);
  wire.choice(mod.type, GroupType::fast_failover);
  wire.pad(1);
  wire.number(mod.group);
  layout_sized(wire, mod.buckets, "a bucket");
}

template <class T>
concept SaysRole = Like<T, RoleRequest> || Like<T, RoleReply>;
void layout(auto& wire, SaysRole auto& message) {
  wire.choice(message.role, Role::slave);
  wire.pad(4);
  wire.number(message.generation);
}

template <class T>
concept SaysMasks = Like<T, GetAsyncReply> || Like<T, SetAsync>;
void layout(auto& wire, SaysMasks auto& message) {
  for (auto* masks :
       {&message.masks.packet_in, &message.masks.port_status, &message.masks.flow_removed}) {
    for (auto& mask : *masks) wire.number(mask);
  }
}

void layout(auto& wire, Like<BundleControl> auto& control) {
  wire.number(control.bundle);
  wire.choice(control.step, BundleStep::discarded);
  wire.number(control.flags);
}

inline void layout(Writer& writer, const BundleAdd& add) {
  writer.number(add.bundle);
  writer.pad(2);
  writer.number(add.flags);
  writer.rest(add.message);
}
// Properties after the message are not kept.
inline void layout(Reader& reader, BundleAdd& add) {
  reader.number(add.bundle);
  reader.pad(2);
  reader.number(add.flags);
  const std::size_t length = reader.peek(2, 2);
  if (length < kHeaderBytes) reader.refuse(fmt::format("a message of {} bytes", length));
  Reader message = reader.part(length);
  message.rest(add.message);
  reader.pad(reader.left());
}

void layout(auto& wire, Like<Description> auto& description) {
  wire.text(description.manufacturer, 256);
  wire.text(description.hardware, 256);
  wire.text(description.software, 256);
  wire.text(description.serial, 32);
  wire.text(description.datapath, 256);
}

// Items of one size, as many as fit.
template <class T>
void layout_all(Writer& writer, const std::vector<T>& items) {
  for (const T& item : items) layout(writer, item);
}
template <class T>
void layout_all(Reader& reader, std::vector<T>& items) {
  while (reader.more()) layout(reader, items.emplace_back());
}

void layout(auto& wire, Like<Ports> auto& list) { layout_all(wire, list.ports); }

void layout(auto& wire, Like<PortStatsRequest> auto& request) {
  wire.number(request.port);
  wire.pad(4);
}
void layout(auto& wire, Like<PortCounters> auto& counters) {
  wire.number(counters.port);
  wire.pad(4);
  for (auto* counter : {&counters.rx_packets, &counters.tx_packets, &counters.rx_bytes,
                        &counters.tx_bytes, &counters.rx_dropped, &counters.tx_dropped,
                        &counters.rx_errors, &counters.tx_errors, &counters.rx_frame_errors,
                        &counters.rx_overruns, &counters.rx_crc_errors, &counters.collisions}) {
    wire.number(*counter);
  }
  wire.number(counters.seconds);
  wire.number(counters.nanoseconds);
}
void layout(auto& wire, Like<PortStats> auto& list) { layout_all(wire, list.ports); }

void layout(auto& wire, Like<FlowStatsRequest> auto& request) {
  wire.number(request.table);
  wire.pad(3);
  wire.number(request.out_port);
  wire.number(request.out_group);
  wire.pad(4);
  wire.number(request.cookie);
  wire.number(request.cookie_mask);
  layout(wire, request.match);
}
void layout(auto& wire, Like<FlowEntry> auto& flow) {
  wire.number(flow.table);
  wire.pad(1);
  wire.number(flow.seconds);
  wire.number(flow.nanoseconds);
  wire.number(flow.priority);
  wire.number(flow.idle_timeout);
  wire.number(flow.hard_timeout);
  wire.number(flow.flags);
  wire.pad(4);
  wire.number(flow.cookie);
  wire.number(flow.packets);
  wire.number(flow.bytes);
  layout(wire, flow.match);
  layout(wire, flow.instructions);
}
void layout(auto& wire, Like<FlowStats> auto& list) { layout_sized(wire, list.flows, "a flow"); }

void layout(auto& wire, Like<GroupEntry> auto& entry) {
  wire.choice(entry.type, GroupType::fast_failover);
  wire.pad(1);
  wire.number(entry.group);
  layout_sized(wire, entry.buckets, "a bucket");
}
void layout(auto& wire, Like<Groups> auto& list) { layout_sized(wire, list.groups, "a group"); }

void layout(auto& wire, Like<GroupStatsRequest> auto& request) {
  wire.number(request.group);
  wire.pad(4);
}
void layout(auto& wire, Like<BucketCounters> auto& bucket) {
  wire.number(bucket.packets);
  wire.number(bucket.bytes);
}
void layout(auto& wire, Like<GroupCounters> auto& group) {
  wire.pad(2);
  wire.number(group.group);
  wire.number(group.references);
  wire.pad(4);
  wire.number(group.packets);
  wire.number(group.bytes);
  wire.number(group.seconds);
  wire.number(group.nanoseconds);
  layout_all(wire, group.buckets);
}
void layout(auto& wire, Like<GroupStats> auto& list) {
  layout_sized(wire, list.groups, "the counters of a group");
}

void layout(auto& wire, Like<OtherMessage> auto& message) { wire.rest(message.body); }

}  // namespace ebb::openflow
