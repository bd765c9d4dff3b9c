// SPDX-License-Identifier: Apache-2.0
#include "support/fake_openflow_switches.hpp"

#include "ebb/forwarding/table.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace ebb::test {

using openflow::BundleStep;
using topology::ChannelId;
using transport::Milliseconds;

namespace {

constexpr Milliseconds kPortTakes{5};  // to go down or come up
// Switches come one after the other, as after a loss of power and not as one program would.
constexpr Milliseconds kConnectEvery{10};
constexpr int kConnectAtOnce = 4;
constexpr Milliseconds kComeAgain{1000};
constexpr double kFrameBytes = 1000;
constexpr std::uint8_t kGroupModType = 15;

}  // namespace

FakeOpenFlowSwitches::FakeOpenFlowSwitches(transport::Loop& loop, const topology::Graph& graph,
                                           transport::Address controller, Load load,
                                           transport::StreamOptions streams)
    : loop_(loop),
      graph_(graph),
      controller_(std::move(controller)),
      load_(std::move(load)),
      streams_(std::move(streams)),
      switches_(graph.switch_count()),
      channels_(graph.channel_count(), Channel{.at = Clock::now()}) {
  for (std::uint32_t which = 0; which < graph.channel_count(); ++which)
    leads_to_.push_back(ChannelId{which});
  connect_some();
}

void FakeOpenFlowSwitches::connect_some() {
  for (int i = 0; i < kConnectAtOnce && next_ < switches_.size() && connect(next_); ++i) ++next_;
  if (next_ < switches_.size()) loop_.after(kConnectEvery, [this] { connect_some(); });
}

bool FakeOpenFlowSwitches::connect(std::uint32_t device) {
  auto stream = transport::Stream::connect(loop_, controller_, streams_);
  if (!stream) return false;
  Switch& one = switches_[device];
  one.stream = std::move(*stream);
  one.stream->on(
      {.opened = [device, this] { send(device, 0, openflow::Hello{}); },
       .received = [device, this](std::span<const std::byte> bytes) { received(device, bytes); },
       .closed = [device, this](const std::string&) { come_again(device); }});
  return true;
}

void FakeOpenFlowSwitches::come_again(std::uint32_t device) {
  loop_.after(kComeAgain, [device, this] {
    if (switches_[device].away) return;
    switches_[device] = {};
    if (!connect(device)) come_again(device);
  });
}

void FakeOpenFlowSwitches::leave(std::uint32_t device) {
  switches_[device].away = true;
  if (switches_[device].stream) switches_[device].stream->close();
}

void FakeOpenFlowSwitches::come_back(std::uint32_t device) {
  switches_[device] = {};
  if (!connect(device)) come_again(device);
}

void FakeOpenFlowSwitches::come_back_rebooted(std::uint32_t device) {
  for (const ChannelId end : graph_.outputs(graph_.switch_node(device))) {
    settle(end);
    settle(topology::reverse(end));
    channels_[index(end)].down = channels_[index(end)].bypassed = false;
    if (!graph_.is_host(graph_.target(end))) tell_port(topology::reverse(end));
  }
  come_back(device);
}

void FakeOpenFlowSwitches::deny_mastership(std::uint32_t device, bool denies) {
  if (denies) {
    denying_.insert(device);
  } else {
    denying_.erase(device);
  }
}

void FakeOpenFlowSwitches::cut(topology::LinkId link, bool is_cut) {
  for (const ChannelId end :
       {topology::forward(link), topology::reverse(topology::forward(link))}) {
    settle(end);
    channels_[index(end)].cut = is_cut;
  }
  for (const ChannelId end : {topology::forward(link), topology::reverse(topology::forward(link))})
    tell_port(end);
}

void FakeOpenFlowSwitches::swap_cables(topology::LinkId one, topology::LinkId two) {
  const ChannelId a = topology::forward(one);
  const ChannelId b = topology::forward(two);
  std::swap(leads_to_[index(a)], leads_to_[index(b)]);
  std::swap(leads_to_[index(topology::reverse(a))], leads_to_[index(topology::reverse(b))]);
}

void FakeOpenFlowSwitches::received(std::uint32_t device, std::span<const std::byte> bytes) {
  openflow::Framer& framer = switches_[device].framer;
  framer.feed(bytes);
  for (;;) {
    const auto whole = framer.next();
    if (!whole || whole->empty()) return;
    const auto message = openflow::decode(*whole);
    if (!message) continue;
    std::visit([&](const auto& body) { answer(device, message->xid, body); }, message->body);
  }
}

void FakeOpenFlowSwitches::send(std::uint32_t device, std::uint32_t xid, openflow::Body body) {
  const auto bytes = openflow::encode({xid, std::move(body)});
  if (bytes && switches_[device].stream) switches_[device].stream->send(*bytes);
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::EchoRequest& echo) {
  send(device, xid, openflow::EchoReply{echo.data});
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::FeaturesRequest& /*ask*/) {
  send(device, xid, openflow::FeaturesReply{.datapath = std::uint64_t{device} + 1, .tables = 1});
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::PortsRequest& /*ask*/) {
  openflow::Ports all;
  for (const ChannelId end : graph_.outputs(graph_.switch_node(device)))
    all.ports.push_back(port(end));
  send(device, xid, std::move(all));
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::PortStatsRequest& /*ask*/) {
  if (switches_[device].frozen) return;
  openflow::PortStats all;
  for (const ChannelId end : graph_.outputs(graph_.switch_node(device)))
    all.ports.push_back(counters(end));
  send(device, xid, std::move(all));
}

// It comes with nothing.
void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::FlowStatsRequest& /*ask*/) {
  send(device, xid, openflow::FlowStats{});
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::GroupsRequest& /*ask*/) {
  if (!switches_[device].hides_groups) send(device, xid, openflow::Groups{});
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::GroupStatsRequest& /*ask*/) {
  openflow::GroupStats all;
  for (const ChannelId end : graph_.outputs(graph_.switch_node(device))) {
    settle(end);
    all.groups.push_back({.group = forwarding::port_of(graph_, end),
                          .bytes = static_cast<std::uint64_t>(channels_[index(end)].wanted)});
  }
  send(device, xid, std::move(all));
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::BarrierRequest& /*ask*/) {
  send(device, xid, openflow::BarrierReply{});
}

// Who asks leads, unless a test says otherwise.
void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::RoleRequest& ask) {
  const bool denies = denying_.contains(device);
  constexpr std::uint64_t kFarAhead = std::uint64_t{1} << 62U;
  send(device, xid,
       openflow::RoleReply{denies ? openflow::Role::slave : openflow::Role::master,
                           denies ? kFarAhead : ask.generation});
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t xid,
                                  const openflow::BundleControl& control) {
  if (switches_[device].refuses > 0 && control.step == BundleStep::commit) {
    --switches_[device].refuses;
    return send(device, xid, openflow::ErrorMessage{.type = 17, .code = 15});
  }
  openflow::BundleControl done = control;
  done.step = static_cast<BundleStep>(static_cast<std::uint16_t>(control.step) + 1);
  send(device, xid, done);
}

// Of what is installed only the preference of a group matters here.
void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t /*xid*/,
                                  const openflow::BundleAdd& add) {
  ++switches_[device].installed;
  if (add.message.size() < 2 || add.message[1] != std::byte{kGroupModType}) return;
  const auto message = openflow::decode(add.message);
  const auto* group = message ? std::get_if<openflow::GroupMod>(&message->body) : nullptr;
  if (group == nullptr || group->buckets.empty()) return;
  const auto end = forwarding::output_at(graph_, device, group->group);
  if (!end) return;
  settle(*end);
  channels_[index(*end)].bypassed = group->buckets.front().watch_port != group->group;
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t /*xid*/,
                                  const openflow::PortMod& mod) {
  const auto end = forwarding::output_at(graph_, device, mod.port);
  if (!end || (mod.mask & openflow::kPortDown) == 0) return;
  loop_.after(kPortTakes, [end = *end, down = (mod.config & openflow::kPortDown) != 0, this] {
    settle(end);
    settle(topology::reverse(end));
    channels_[index(end)].down = down;
    tell_port(end);
    tell_port(topology::reverse(end));
  });
}

void FakeOpenFlowSwitches::answer(std::uint32_t device, std::uint32_t /*xid*/,
                                  const openflow::PacketOut& packet) {
  const auto* output =
      packet.actions.empty() ? nullptr : std::get_if<openflow::Output>(&packet.actions.front());
  const auto end =
      output == nullptr ? std::nullopt : forwarding::output_at(graph_, device, output->port);
  if (!end || !live(*end) || graph_.is_host(graph_.target(*end))) return;
  ++channels_[index(*end)].probes;
  if (channels_[index(*end)].lossy) return;
  const ChannelId out = leads_to_[index(*end)];
  const openflow::Field in_port{openflow::FieldId::in_port,
                                forwarding::port_of(graph_, topology::reverse(out))};
  send(index(graph_.target(out)), 0,
       openflow::PacketIn{.total_length = static_cast<std::uint16_t>(packet.data.size()),
                          .match = {{in_port}},
                          .data = packet.data});
}

bool FakeOpenFlowSwitches::live(ChannelId end) const {
  return !channels_[index(end)].down && !channels_[index(topology::reverse(end))].down &&
         !channels_[index(end)].cut;
}

openflow::Port FakeOpenFlowSwitches::port(ChannelId end) const {
  const forwarding::PortNumber number = forwarding::port_of(graph_, end);
  return {.number = number,
          .address = index(end),
          .name = fmt::format("p{}", number),
          .config = channels_[index(end)].down ? openflow::kPortDown : 0,
          .state = live(end) ? openflow::kLive : openflow::kLinkDown};
}

void FakeOpenFlowSwitches::settle(ChannelId end) {
  Channel& channel = channels_[index(end)];
  const auto now = Clock::now();
  const std::chrono::duration<double> passed = now - channel.at;
  channel.at = now;
  const auto rate =
      static_cast<double>(graph_.full_rate(graph_.link(topology::link_of(end))).count());
  const double bytes = passed.count() * load_() * rate / 8;
  channel.wanted += bytes;
  if (!channel.bypassed && live(end)) channel.bytes += bytes;
}

openflow::PortCounters FakeOpenFlowSwitches::counters(ChannelId end) {
  settle(end);
  settle(topology::reverse(end));
  const double sent = channels_[index(end)].bytes;
  const double received = channels_[index(topology::reverse(end))].bytes;
  return {
      .port = forwarding::port_of(graph_, end),
      .rx_packets = static_cast<std::uint64_t>(received / kFrameBytes),
      .tx_packets = static_cast<std::uint64_t>(sent / kFrameBytes) + channels_[index(end)].probes,
      .rx_bytes = static_cast<std::uint64_t>(received),
      .tx_bytes = static_cast<std::uint64_t>(sent)};
}

void FakeOpenFlowSwitches::tell_port(ChannelId end) {
  const std::uint32_t device = index(graph_.source(end));
  if (!switches_[device].muted) send(device, 0, openflow::PortStatus{.port = port(end)});
}

}  // namespace ebb::test
