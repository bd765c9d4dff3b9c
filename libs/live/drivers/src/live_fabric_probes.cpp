// SPDX-License-Identifier: Apache-2.0
//
// Whether links carry frames, both ways, and cables run as described: by probes.

#include "peer_session.hpp"
#include "probe_schedule.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::drivers {

using controller::LinkState;
using controller::Place;
using forwarding::PortNumber;
using topology::ChannelId;
using topology::LinkId;

namespace {

constexpr Duration kWakingProbeAgain = std::chrono::milliseconds(100);

// How often it is looked whose turn it is, and how often switches are asked what they have seen to.
transport::Milliseconds part_of(Duration cycle, std::int64_t parts) {
  const auto part = std::chrono::duration_cast<transport::Milliseconds>(cycle / parts);
  return std::clamp(part, transport::Milliseconds(5), transport::Milliseconds(1000));
}

}  // namespace

void LiveFabric::probed(std::uint32_t device, PortNumber at, std::span<const std::byte> frame) {
  const auto here = forwarding::output_at(description_.graph, device, at);
  if (!here) return;  // the switch makes ports up
  const auto probe =
      seal_.open({reinterpret_cast<const std::uint8_t*>(frame.data()), frame.size()});
  if (!probe) return;
  const auto from = forwarding::output_at(description_.graph, probe->from.device, probe->from.port);
  if (!from || !probes_->heard(*from, probe->number)) return;
  if (cabling_.heard({device, at}, probe->from)) whole_.reset();
  if (topology::reverse(*here) != *from) return wrong_cable({device, at}, *from);
  controller_.probe_heard(now(), *from);
  give_orders();
}

// Both the link that should end there and the one that does not end where it should.
void LiveFabric::wrong_cable(const Place& at, ChannelId from) {
  say_what_is_wrong();
  const std::string why = "its cable leads elsewhere";
  const auto here = forwarding::output_at(description_.graph, at.device, at.port);
  for (const ChannelId end : {*here, from}) {
    if (description_.graph.connects_switches(end)) controller_.miscabled(now(), end, why);
  }
  give_orders();
}

bool LiveFabric::is_whole() const {
  if (!whole_) whole_ = look_whether_whole();
  return *whole_;
}

bool LiveFabric::look_whether_whole() const {
  for (std::uint32_t device = 0; device < description_.graph.switch_count(); ++device) {
    if (!is_here(device) && !controller_.is_absent_by_order(device)) return false;
  }
  if (!cabling_.wrong().empty()) return false;
  // A dry run sends no probes: cables are taken to run as described.
  if (!options_.writes) return true;
  const std::set<Place>& silent = cabling_.silent();
  return std::none_of(silent.begin(), silent.end(), [&](const Place& place) {
    const PeerSession* here = member(place.device);
    if (here == nullptr) return false;
    const auto found = here->ports.find(place.port);
    return found != here->ports.end() && found->second.oper_up;
  });
}

void LiveFabric::say_what_is_wrong() {
  std::vector<std::string> wrong = cabling_.wrong();
  for (const std::string& line : wrong) {
    if (std::find(wrong_.begin(), wrong_.end(), line) == wrong_.end())
      report_({"wrong_cable", "", "wrong cable: " + line});
  }
  wrong_ = std::move(wrong);
}

void LiveFabric::send_probes() {
  for (const ChannelId channel : probes_->due(now())) take_turn(channel);
  give_orders();
  timers_[1] = loop_.after(part_of(probes_->cycle(), 16), [this] { send_probes(); });
}

void LiveFabric::take_turn(ChannelId channel) {
  const bool is_congested = look_whether_congested(channel);
  if (has_missed(channel) && !is_congested) {
    const topology::Graph& graph = description_.graph;
    cabling_.lost({index(graph.source(channel)), forwarding::port_of(graph, channel)});
    whole_.reset();
    controller_.probe_missed(now(), channel);
  }
  if (is_probed(channel)) {
    send_probe(channel);
  } else {
    probes_->forget(channel);
  }
}

// Links that carry frames, or are about to, or did and failed. What is being drained must be quiet.
bool LiveFabric::is_probed(ChannelId channel) const {
  const LinkState state = controller_.link(topology::link_of(channel)).state();
  if (state == LinkState::draining || state == LinkState::asleep) return false;
  const topology::Graph& graph = description_.graph;
  const PeerSession* here = member(index(graph.source(channel)));
  if (here == nullptr || member(index(graph.target(channel))) == nullptr) return false;
  const auto port = here->ports.find(forwarding::port_of(graph, channel));
  return port != here->ports.end() && port->second.oper_up;
}

// Probes wait in the queue of their port like other frames, and are lost with them when it is full.
// A channel that is used up, and whose frames come in at the other end, has not failed. Compares
// with its last turn.
bool LiveFabric::look_whether_congested(ChannelId channel) {
  constexpr double kFull = 0.8;          // of its rate
  constexpr double kComesThrough = 0.5;  // of what was sent
  const topology::Graph& graph = description_.graph;
  const auto counters = [&](ChannelId end) {
    const PeerSession* here = member(index(graph.source(end)));
    if (here == nullptr) return PortTraffic{};
    const auto found = here->traffic.find(forwarding::port_of(graph, end));
    return found == here->traffic.end() ? PortTraffic{} : found->second;
  };
  const Carried now_carried{now(), counters(channel).sent_bytes,
                            counters(topology::reverse(channel)).received_bytes};
  const Carried before = std::exchange(carried_[index(channel)], now_carried);
  const LinkId link = topology::link_of(channel);
  const DataRate rate = graph.rate_table(graph.link(link))[index(controller_.rate(link).step())];
  const double seconds = std::chrono::duration<double>(now_carried.at - before.at).count();
  const auto sent = static_cast<double>(now_carried.sent - before.sent);
  const auto received = static_cast<double>(now_carried.received - before.received);
  if (now_carried.sent < before.sent || now_carried.received < before.received) return false;
  return 8 * sent > kFull * seconds * static_cast<double>(rate.count()) &&
         received > kComesThrough * sent;
}

// Only of switches that do what they are told: the first has seen to the probe, the second has said
// all that it had to say a while after.
bool LiveFabric::has_missed(ChannelId channel) const {
  const auto sent = probes_->outstanding(channel);
  if (!sent || !is_probed(channel)) return false;
  const topology::Graph& graph = description_.graph;
  return member(index(graph.source(channel)))->seen_to >= *sent &&
         member(index(graph.target(channel)))->seen_to >= *sent + probes_->cycle() / 4;
}

void LiveFabric::send_probe(ChannelId channel) {
  const topology::Graph& graph = description_.graph;
  const Place from{index(graph.source(channel)), forwarding::port_of(graph, channel)};
  const std::uint64_t number = probes_->send(now(), channel);
  controller_.probe_sent(now(), channel);
  member(from.device)->open_flow->send_probe(from.port, seal_.seal({from, number}));
}

// A link carries nothing before a probe has come through both ways: while it wakes, one is sent as
// soon as its ports are up, and again when that is not heard.
void LiveFabric::probe_waking(LinkId link) {
  if (!options_.writes) return;
  for (const ChannelId end :
       {topology::forward(link), topology::reverse(topology::forward(link))}) {
    if (waking_probes_ == 0 || !controller_.link(link).wants_probe(end)) continue;
    const auto sent = probes_->outstanding(end);
    if ((sent && now() - *sent < kWakingProbeAgain) || !is_probed(end)) continue;
    --waking_probes_;
    send_probe(end);
  }
}

// Thousands may wake at once; the probes of a second are as bounded as they are otherwise.
void LiveFabric::probe_all_waking() {
  waking_probes_ = ProbeSchedule::kMostASecond / 10;
  controller_.for_each_moving([&](LinkId link) { probe_waking(link); });
}

void LiveFabric::send_barriers() {
  for (const auto& [device, here] : members_) {
    if (here->barrier_asked) continue;
    here->barrier_asked = now();
    here->connection->barrier([this, device = device](const openflow::Reply<void>& answer) {
      PeerSession* one = member(device);
      if (one == nullptr || !one->barrier_asked) return;
      if (answer) one->seen_to = *one->barrier_asked;
      one->barrier_asked.reset();
    });
  }
  timers_[4] = loop_.after(part_of(probes_->cycle(), 4), [this] { send_barriers(); });
}

}  // namespace ebb::drivers
