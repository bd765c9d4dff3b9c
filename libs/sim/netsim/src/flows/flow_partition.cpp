// SPDX-License-Identifier: Apache-2.0
#include "flow_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace ebb::netsim {
namespace {

// That a message uses at the same time: some if it has packets for them, more if it has many.
constexpr std::int64_t kSomePaths = 4;
constexpr std::int64_t kMostPaths = 32;
constexpr std::int64_t kPacketsPerPath = 512;
// Turns of single packets would cost as much as packets do: a message has some packets in each of
// them, and no more turns than this on a channel.
constexpr std::int64_t kTurnPackets = 4;
constexpr std::int64_t kMostTurns = 64;

}  // namespace

FlowPartition::FlowPartition(NetworkState& net, Outbox& outbox, std::uint32_t number,
                             Observer& observer)
    : Partition(net, outbox, number, observer),
      net_(net),
      shares_(flows_, net.channels.size()),
      events_(flows_),
      ends_(transfers_),
      router_(part_, outputs_),
      announcements_(part_, router_),
      interfaces_(part_),
      notifications_(part_),
      packet_bits_(net.config.hardware.packet.count()),
      buffer_bits_(net.config.hardware.input_buffer.count()),
      negligible_bits_(std::clamp<std::int64_t>(buffer_bits_ / 64, 1, 512)),
      congested_bits_(std::min(buffer_bits_,
                               2 * packet_bits_ + net.config.hardware.low_power_penalty.count())) {
  waiting_.resize(net.channels.size());
}

void FlowPartition::run_until(TimePoint end) {
  share();
  part_.calendar.run_until(end, [&](NodeId receiver, EventKind what, std::uint32_t which) {
    handle(receiver, what, which);
  });
  count_all();
}

void FlowPartition::run_until_idle() {
  share();
  part_.calendar.run(
      [&](NodeId receiver, EventKind what, std::uint32_t which) { handle(receiver, what, which); });
  count_all();
}

// Whoever looks at channels and hosts between runs finds them up to date.
void FlowPartition::count_all() {
  for (const ChannelId channel : part_.channels) count_channel(channel);
  for (std::size_t i = 0; i < ends_.size(); ++i) count_open(transfers_[ends_[i]]);
  part_.observer.data_delivered(std::exchange(delivered_, {}));
}

policy::Outcome FlowPartition::apply(const policy::Action& action) {
  policy::Outcome outcome;
  act_on(ChannelId{index(action.channel)}, [&] { outcome = outputs_.apply(action); });
  return outcome;
}

// Rates are computed once for all that happens at one moment.
void FlowPartition::handle(NodeId receiver, EventKind what, std::uint32_t which) {
  const ChannelId channel{which};
  const TimePoint now = part_.now();
  switch (what) {
    case EventKind::try_send:
      if (net_.channels[channel].next_try != now) break;  // it was put forward
      net_.channels[channel].next_try = kNever;
      try_send(channel);
      break;
    case EventKind::check:
      if (net_.triggers[channel].next_check != now) break;
      net_.triggers[channel].next_check = kNever;
      act_on(channel, [&] { outputs_.check(channel); });
      break;
    case EventKind::ramp_end:
      if (net_.triggers[channel].ramp_end != now) break;
      act_on(channel, [&] { outputs_.end_ramp(channel); });
      break;
    case EventKind::arrival:
      hear(receiver, PacketIndex{which});
      break;
    case EventKind::flow_start:
      start_heads(TransferIndex{which});
      break;
    case EventKind::flow_head:
      advance_head(FlowIndex{which});
      break;
    case EventKind::flow_look:
      if (next_look_ != now) break;
      next_look_ = kNever;
      look_at_events();
      break;
    case EventKind::flow_delivered:
      deliver(TransferIndex{which});
      break;
    case EventKind::congestion_notification:
      notifications_.receive(which);
      break;
    default:
      break;  // credits and pauses are of packets
  }
  if (part_.calendar.next_time() > now) share();
}

// The channel carries, or its host may have something to send.
void FlowPartition::try_send(ChannelId which) {
  const Channel& channel = net_.channels[which];
  if (net_.fixed(which).from_host) start_messages(which);
  if (channel.free_at > part_.now()) {
    if (channel.free_at != kNever && net_.has_waiting(which, part_.now()))
      part_.calendar.try_send_at(which, channel.free_at);
    return;
  }
  if (channel.wake_stalled) outputs_.end_wake_stall(which);
  shares_.set_capacity(which, capacity(which));
  take_waiting(which);
}

void FlowPartition::take_waiting(ChannelId channel) {
  FlowIndex next = std::exchange(waiting_[channel], {}).first;
  while (next != kNoFlow) {
    const FlowIndex which = std::exchange(next, flows_[next].next_waiting);
    Flow& flow = flows_[which];
    count(which);
    set_queued(flow.waiting, 0);
    if (watches_held()) {
      const Transfer& transfer = transfers_[flow.transfer];
      part_.observer.packet_held({net_.host_of_interface(transfer.source),
                                  transfer.message,
                                  channel,
                                  part_.now() - flow.head_at,
                                  {}});
    }
    advance_head(which);
  }
}

// As NetworkCards does: messages to different destinations at the same time, those to one one after
// the other.
void FlowPartition::start_messages(ChannelId which) {
  Nic& nic = net_.nic_of(which);
  if (net_.closed_loop != nullptr) part_.advance_host(nic);
  const bool armed = net_.channels[which].armed;
  if (announcements_.awaits(which)) {
    announcements_.announce_planned(
        which, [&](TimePoint at) { act_on(which, [&] { outputs_.expect(which, at); }); });
  }
  if ((armed || nic.fetches_early) && interfaces_.fetch_created(nic) && armed)
    act_on(which, [&] { outputs_.on_queued(which); });
  for (std::uint32_t lane = 0; lane < net_.lanes.count(); ++lane)
    open_messages(nic, static_cast<std::uint8_t>(lane));
}

void FlowPartition::open_messages(Nic& nic, std::uint8_t lane) {
  const std::uint32_t host = net_.host_of(nic.channel);
  TransmitState& sending = net_.transmit_state(host, lane);
  while (sending.open.size() < net_.config.hardware.open_messages) {
    const bool late = !sending.backlog.empty();
    const bool direct = nic.next && nic.next->at <= part_.now();
    if (!late && !direct) break;
    const SequencedMessage next = late ? sending.backlog.pop() : net_.take_next(nic);
    if (announcements_.awaits(nic.channel)) announce(nic.channel, lane, next);
    sending.add(next, packet_bits_);
    if (sending.open.back().first) start_transfer(host, lane, OpenMessage(sending.open.back()));
  }
  if (nic.next && nic.next->at > part_.now()) part_.calendar.try_send_at(nic.channel, nic.next->at);
}

// Messages share the channel of their host from when they are opened.
void FlowPartition::announce(ChannelId from_host, std::uint8_t lane,
                             const SequencedMessage& message) {
  const auto vc = static_cast<std::uint8_t>(lane * net_.channels_of_lane);
  announcements_.announce(from_host, message, vc, announcements_.ready(from_host));
}

void FlowPartition::hear(NodeId at, PacketIndex announcement) {
  const std::uint8_t vc = part_.packets[announcement].input_vc;
  const auto first_vc = static_cast<std::uint8_t>(vc - vc % net_.channels_of_lane);
  const ExpectedMessage message = announcements_.arrive(at, announcement, first_vc, scratch_);
  if (!announcements_.awaits(message.channel)) return;
  act_on(message.channel, [&] { outputs_.expect(message.channel, message.at); });
}

void FlowPartition::start_transfer(std::uint32_t host, std::uint8_t lane,
                                   const OpenMessage& message) {
  const NicHardware& nic = net_.config.hardware.nic;
  const TransferIndex which = transfers_.take();
  transfers_[which] = {.created = message.created,
                       .size_bits = message.left_bits,
                       .left_bits = message.left_bits,
                       .open_bits = message.left_bits,
                       .source = host,
                       .destination = message.destination,
                       .message = message.number,
                       .lane = lane};
  const Duration fetching = nic.dma_time(ebb::bits(std::min(message.left_bits, packet_bits_)));
  const TimePoint fetched = message.created + nic.doorbell + fetching;
  if (fetched <= part_.now()) return start_heads(which);
  part_.calendar.schedule(net_.config.graph.host_node(host), fetched, EventKind::flow_start,
                          index(which));
}

// No more heads if the one before had no choice.
void FlowPartition::start_heads(TransferIndex which) {
  Transfer& transfer = transfers_[which];
  const std::int64_t most = most_paths(transfer);
  transfer.counted = part_.now();
  while (transfer.flows < most && start_head(which)) {
  }
  weigh(transfer);
}

std::int64_t FlowPartition::most_paths(const Transfer& transfer) const {
  const std::int64_t packets = (transfer.size_bits - 1) / packet_bits_ + 1;
  return std::clamp(packets / kPacketsPerPath, std::min(packets, kSomePaths), kMostPaths);
}

// Whether there may be another path.
bool FlowPartition::start_head(TransferIndex which) {
  const Transfer& transfer = transfers_[which];
  const std::uint32_t before = transfer.flows;
  had_choice_ = false;
  const FlowIndex flow = add_flow(which);
  advance_head(flow);
  return transfer.flows > before && (had_choice_ || flows_[flow].path.empty());
}

// Where much waits for an output of the first switch, packets would take another.
void FlowPartition::add_path_if_congested(FlowIndex which) {
  Flow& flow = flows_[which];
  Transfer& transfer = transfers_[flow.transfer];
  if (flow.congested || flow.path.size() < 2 || flow.done > 0) return;
  if (transfer.left_bits == 0 || transfer.flows >= most_paths(transfer)) return;
  const std::int64_t queued = flow.path[0].sent_bits - flow.path[1].sent_bits;
  flow.congested = queued > congested_bits_ - negligible_bits_;
  if (!flow.congested) return;
  (void)start_head(flow.transfer);
  weigh(transfer);
}

FlowIndex FlowPartition::add_flow(TransferIndex which) {
  Transfer& transfer = transfers_[which];
  const FlowIndex added = flows_.take();
  Flow& flow = flows_[added];
  std::vector<FlowHop> path = std::move(flow.path);
  path.clear();
  flow = {.transfer = which,
          .sibling = transfer.first,
          .counted = part_.now(),
          .head_at = part_.now(),
          .output = net_.nics[transfer.source].channel,
          .turn_bits = std::max(kTurnPackets * packet_bits_, transfer.size_bits / kMostTurns),
          .path = std::move(path)};
  transfer.first = added;
  ++transfer.flows;
  return added;
}

// Two heads that took the same path lead one flow. Whether they did; hops from `joined` on have not
// been joined yet.
bool FlowPartition::merge_if_repeated(FlowIndex which, std::uint32_t joined) {
  Flow& flow = flows_[which];
  Transfer& transfer = transfers_[flow.transfer];
  const auto same = [](const FlowHop& a, const FlowHop& b) { return a.channel == b.channel; };
  FlowIndex twin = kNoFlow;
  for_each_flow(transfer, [&](FlowIndex other, const Flow& before) {
    if (other == which || !before.arrived || before.done != flow.done) return;
    if (std::ranges::equal(before.path, flow.path, same)) twin = other;
  });
  if (twin == kNoFlow) return false;
  count(which);  // before hops change hands
  count(twin);
  for (std::uint32_t hop = 0; hop < joined; ++hop) {
    flows_[twin].path[hop].sent_bits += std::exchange(flow.path[hop].sent_bits, 0);
    if (hop >= flow.done) leave(which, hop);
  }
  look_at_buffers(flows_[twin]);
  FlowIndex* link = &transfer.first;
  while (*link != which) link = &flows_[*link].sibling;
  *link = flow.sibling;
  --transfer.flows;
  give_back(which);
  weigh(transfer);
  return true;
}

// The paths of a message together weigh as much as any message.
void FlowPartition::weigh(const Transfer& transfer) {
  for_each_flow(transfer, [&](FlowIndex /*which*/, Flow& flow) {
    flow.weight = ChannelShares::kWholeWeight / transfer.flows;
  });
}

// Until it is at its destination, or must wait. A channel that carries when the head looks ahead
// will be there when the head comes. One that does not is chosen again then: others may have woken
// another until then.
void FlowPartition::advance_head(FlowIndex which) {
  Flow& flow = flows_[which];
  const auto joined = static_cast<std::uint32_t>(flow.path.size());
  const auto carries = [&] { return net_.channels[flow.output].free_at <= part_.now(); };
  while (!flow.arrived) {
    const routing::RouteState route = flow.route;
    if (!flow.path.empty() && !flow.output_known) route_head(flow);
    if (!carries() && flow.head_at > part_.now()) {
      flow.route = route;
      join_hops(which, joined);
      const NodeId node = net_.source_of(flow.output);
      part_.calendar.schedule(node, flow.head_at, EventKind::flow_head, index(which));
      return;
    }
    flow.output_known = !carries();
    if (flow.output_known) {
      join_hops(which, joined);
      return wait_for_channel(which);
    }
    pass_channel(which);
  }
  if (!merge_if_repeated(which, joined)) join_hops(which, joined);
}

void FlowPartition::wait_for_channel(FlowIndex which) {
  Flow& flow = flows_[which];
  const ChannelId channel = flow.output;
  WaitingFlows& waiting = waiting_[channel];
  flow.next_waiting = kNoFlow;
  (waiting.first == kNoFlow ? waiting.first : flows_[waiting.last].next_waiting) = which;
  waiting.last = which;
  flow.waiting = {.channel = channel};
  set_queued(flow.waiting, std::max(packet_of(transfers_[flow.transfer]), sent_by(flow)));
  act_on(channel, [&] {
    outputs_.begin_wake_stall(channel, part_.now());
    if (net_.channels[channel].armed) outputs_.on_queued(channel);
  });
  const TimePoint free_at = net_.channels[channel].free_at;
  if (free_at != kNever) part_.calendar.try_send_at(channel, free_at);
}

void FlowPartition::pass_channel(FlowIndex which) {
  Flow& flow = flows_[which];
  Transfer& transfer = transfers_[flow.transfer];
  const FixedChannel& fixed = net_.fixed(flow.output);
  const Hardware& hardware = net_.config.hardware;
  const std::int64_t packet = packet_of(transfer);
  flow.path.push_back({.channel = flow.output, .joined = part_.now()});
  flow.head_full = false;
  flow.head_at = std::max(flow.head_at, part_.now()) + fixed.latency;
  if (!fixed.to_host) {
    flow.head_at += hardware.switch_latency;
    if (hardware.switching == Switching::store_and_forward)
      flow.head_at += net_.transmission_time(flow.output, static_cast<std::uint32_t>(packet));
  } else {
    flow.arrived = true;
    transfer.tail = std::max(transfer.tail, flow.head_at - part_.now());
  }
}

void FlowPartition::join_hops(FlowIndex which, std::uint32_t from) {
  Flow& flow = flows_[which];
  const std::int64_t packet = packet_of(transfers_[flow.transfer]);
  for (std::uint32_t hop = from; hop < flow.path.size(); ++hop) {
    const ChannelId channel = flow.path[hop].channel;
    shares_.set_capacity(channel, capacity(channel));
    shares_.join(which, hop);
    set_queued(flow.path[hop], packet);  // until its rate is known
  }
  look_at_buffers(flow);
}

// The switch treats it as a packet of the message.
void FlowPartition::route_head(Flow& flow) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31U;
  const Transfer& transfer = transfers_[flow.transfer];
  Packet head{.source = transfer.source,
              .destination = transfer.destination,
              .message = transfer.message,
              .bits = static_cast<std::uint32_t>(std::min(transfer.size_bits, kMost)),
              .route = flow.route,
              .input_channel = flow.path.back().channel,
              .routed = flow.path.size() > 1};
  const auto first_vc = static_cast<std::uint8_t>(transfer.lane * net_.channels_of_lane);
  flow.output =
      router_.route(net_.fixed(head.input_channel).target, head, first_vc, scratch_).channel;
  had_choice_ = had_choice_ || scratch_.size() > 1 || head.route.intermediate != 0;
  flow.route = head.route;
}

std::unique_ptr<Partition> flows(NetworkState& net, Outbox& outbox, std::uint32_t number,
                                 Observer& observer) {
  return std::make_unique<FlowPartition>(net, outbox, number, observer);
}

Errors FlowPartition::check_conservation() {
  Errors errors;
  const auto report = [&](std::string what) { errors.push_back({std::move(what), {}}); };
  if (in_network() > 0) report(fmt::format("{} messages in the network", in_network()));
  if (flows_.in_use() > 0) report(fmt::format("{} paths in use", flows_.in_use()));
  for (const ChannelId channel : part_.channels) {
    if (net_.has_waiting(channel, part_.now()))
      report(fmt::format("channel {} has data waiting", index(channel)));
    if (!shares_.flows_on(channel).empty())
      report(fmt::format("channel {} carries flows", index(channel)));
  }
  return errors;
}

}  // namespace ebb::netsim
