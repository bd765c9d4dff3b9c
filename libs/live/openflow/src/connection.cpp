// SPDX-License-Identifier: Apache-2.0
#include "ebb/openflow/connection.hpp"

#include "exchange.hpp"

#include <limits>

namespace ebb::openflow {
namespace {

// Bytes before it is known who speaks: two of the longest messages. What we echo is no more.
constexpr std::uint64_t kMostUnknown = std::uint64_t{128} << 10U;

}  // namespace

Exchange::Exchange(transport::Loop& loop, transport::Stream stream, Timing timing,
                   ConnectionEvents events)
    : loop_(loop),
      stream_(std::move(stream)),
      timing_(timing),
      events_(std::move(events)),
      liveness_(
          loop, timing.keepalive, [this] { (void)send(reserve(1), openflow::EchoRequest{}); },
          [this] { end("the switch did not answer whether it is alive"); }) {}

void Exchange::start() {
  const auto weak = weak_from_this();
  stream_.on({.received =
                  [weak](std::span<const std::byte> bytes) {
                    if (const auto self = weak.lock()) self->received(bytes);
                  },
              .closed =
                  [weak](const std::string& reason) {
                    if (const auto self = weak.lock()) self->end(reason);
                  }});
  timer_ = loop_.after(timing_.greeting, [weak] {
    if (const auto self = weak.lock()) self->end("the switch did not say who it is in time");
  });
  (void)send(reserve(1), openflow::Hello{});
}

void Exchange::shut() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  if (timer_) loop_.cancel(*timer_);
  liveness_.stop();
  for (const auto& [first, under_way] : under_way_) loop_.cancel(under_way.limit);
  stream_.close();
}

void Exchange::end(const std::string& reason) {
  if (state_ == State::closed) return;
  const auto self = shared_from_this();  // an answer may drop the connection
  shut();
  const auto unanswered = std::move(under_way_);
  under_way_.clear();
  for (const auto& [first, under_way] : unanswered)
    under_way.operation->fail({Why::closed, reason});
  events_.closed(reason);
}

std::uint32_t Exchange::reserve(std::uint32_t count) {
  if (next_xid_ > std::numeric_limits<std::uint32_t>::max() - count) next_xid_ = 1;
  const std::uint32_t first = next_xid_;
  next_xid_ += count;
  return first;
}

void Exchange::begin(std::uint32_t first, std::uint32_t count,
                     std::shared_ptr<Operation> operation) {
  const auto limit = loop_.after(timing_.answer, [weak = weak_from_this(), first] {
    const RequestError error{Why::timed_out, "the switch did not answer in time"};
    if (const auto self = weak.lock()) self->finish(first, &error);
  });
  under_way_.emplace(first, UnderWay{count, std::move(operation), limit});
}

Result<void> Exchange::send(std::uint32_t xid, const Body& body) {
  const auto bytes = openflow::encode({xid, body});
  if (!bytes) return fail(bytes.error());
  stream_.send(*bytes);
  return {};
}

void Exchange::ask(const Body& body, std::shared_ptr<Operation> operation) {
  const std::uint32_t xid = reserve(1);
  begin(xid, 1, std::move(operation));
  const auto sent = send(xid, body);
  if (sent) return;
  loop_.after(Milliseconds{0}, [weak = weak_from_this(), xid, text = sent.error().front().message] {
    const RequestError error{Why::not_sent, text};
    if (const auto self = weak.lock()) self->finish(xid, &error);
  });
}

void Exchange::finish(std::uint32_t first, const RequestError* error) {
  auto found = under_way_.extract(first);
  if (found.empty()) return;
  loop_.cancel(found.mapped().limit);
  if (error != nullptr) found.mapped().operation->fail(*error);
}

void Exchange::received(std::span<const std::byte> bytes) {
  liveness_.heard();
  heard_ += bytes.size();
  if (state_ != State::ready && heard_ > kMostUnknown)
    return end("the switch says too much before it says who it is");
  framer_.feed(bytes);
  while (state_ != State::closed) {
    const auto frame = framer_.next();
    if (!frame) return end(frame.error().front().message);
    if (frame->empty()) return;
    const auto message = openflow::decode(*frame);
    if (!message) return end(message.error().front().message);
    handle(*message);
  }
}

void Exchange::handle(const openflow::Message& message) {
  if (const auto* echo = std::get_if<openflow::EchoRequest>(&message.body)) {
    (void)send(message.xid, openflow::EchoReply{echo->data});
    return;
  }
  if (const auto* hello = std::get_if<openflow::Hello>(&message.body)) return greet(*hello);
  if (state_ == State::identifying) return identify(message);
  route(message);
}

void Exchange::greet(const openflow::Hello& hello) {
  if (state_ != State::greeting) return;
  if (!openflow::speaks_1_3(hello)) {
    (void)send(0, openflow::ErrorMessage{});  // hello_failed: incompatible
    return end("the switch does not speak OpenFlow 1.3");
  }
  state_ = State::identifying;
  (void)send(reserve(1), openflow::FeaturesRequest{});
}

void Exchange::identify(const openflow::Message& message) {
  if (const auto* error = std::get_if<openflow::ErrorMessage>(&message.body)) {
    return end("the switch refused the greeting: " + to_text(*error));
  }
  const auto* features = std::get_if<openflow::FeaturesReply>(&message.body);
  if (features == nullptr) return announce(message.body);
  state_ = State::ready;
  loop_.cancel(*timer_);
  timer_.reset();
  liveness_.start();
  events_.ready(*features);
}

void Exchange::route(const openflow::Message& message) {
  auto found = under_way_.upper_bound(message.xid);
  if (found == under_way_.begin()) return announce(message.body);
  --found;
  const std::uint32_t first = found->first;
  if (message.xid - first >= found->second.count) return announce(message.body);
  const auto operation = found->second.operation;  // kept: its answer may close the connection
  if (operation->take(message.xid, message.body) == Operation::Next::done) finish(first, nullptr);
}

void Exchange::announce(const Body& body) {
  if (const auto* status = std::get_if<openflow::PortStatus>(&body))
    return events_.port_status(*status);
  if (const auto* packet = std::get_if<openflow::PacketIn>(&body))
    return events_.packet_in(*packet);
  if (const auto* removed = std::get_if<openflow::FlowRemoved>(&body))
    return events_.flow_removed(*removed);
  if (const auto* error = std::get_if<openflow::ErrorMessage>(&body)) return events_.error(*error);
}

using openflow::BundleStep;

Bundle::Bundle(std::weak_ptr<Exchange> exchange, std::size_t size, Callback<void> then)
    : exchange_(std::move(exchange)), size_(size), then_(std::move(then)) {}

void Bundle::start(const std::shared_ptr<Exchange>& exchange, const std::vector<Body>& messages,
                   const Callback<void>& then) {
  const auto bundle = std::make_shared<Bundle>(exchange, messages.size(), then);
  bundle->first_ = exchange->reserve(bundle->count());
  exchange->begin(bundle->first_, bundle->count(), bundle);
  const auto sent = bundle->send_all(*exchange, messages);
  // Closed all the same: the switch's answer makes us discard it.
  if (!sent) bundle->problem_ = RequestError{Why::not_sent, sent.error().front().message};
  bundle->send_step(*exchange, bundle->closing(), BundleStep::close);
}

Result<void> Bundle::send_all(Exchange& exchange, const std::vector<Body>& messages) const {
  send_step(exchange, first_, BundleStep::open);
  std::uint32_t xid = first_ + 1;
  for (const Body& body : messages) {
    const auto inside = openflow::encode({xid, body});
    if (!inside) return ebb::fail(inside.error());
    auto sent = exchange.send(xid, openflow::BundleAdd{.bundle = first_, .message = *inside});
    if (!sent) return sent;
    ++xid;
  }
  return {};
}

void Bundle::send_step(Exchange& exchange, std::uint32_t xid, BundleStep step) const {
  (void)exchange.send(xid, openflow::BundleControl{.bundle = first_, .step = step});
}

Operation::Next Bundle::take(std::uint32_t xid, const Body& body) {
  const auto exchange = exchange_.lock();
  if (!exchange) return Next::done;
  if (const auto* control = std::get_if<openflow::BundleControl>(&body))
    return take_step(*exchange, control->step);
  if (const auto* error = std::get_if<openflow::ErrorMessage>(&body)) {
    note(xid, *error);
    // Of a message: the answer to closing or committing is still to come.
    if (xid > first_ && xid < closing()) return Next::waits;
    if (xid == closing() + 1) return Next::waits;  // the barrier follows
    fail(*problem_);
    return Next::done;
  }
  if (!std::holds_alternative<openflow::BarrierReply>(body)) return Next::waits;
  if (problem_) {
    fail(*problem_);
  } else {
    then_({});
  }
  return Next::done;
}

Operation::Next Bundle::take_step(Exchange& exchange, BundleStep step) {
  if (step == BundleStep::closed && problem_)
    send_step(exchange, closing() + 3, BundleStep::discard);
  if (step == BundleStep::closed && !problem_) {
    send_step(exchange, closing() + 1, BundleStep::commit);
    (void)exchange.send(closing() + 2, openflow::BarrierRequest{});
  }
  if (step != BundleStep::discarded) return Next::waits;
  fail(*problem_);
  return Next::done;
}

// The error of one message says more than that of the whole bundle, whichever comes first.
void Bundle::note(std::uint32_t xid, const openflow::ErrorMessage& error) {
  const bool of_a_message = xid > first_ && xid < closing();
  if (problem_ && (problem_->message || !of_a_message)) return;
  problem_ = refused(error);
  if (!of_a_message) return;
  problem_->message = xid - first_ - 1;
  problem_->text += fmt::format(" (message {} of {})", *problem_->message + 1, size_);
}

void Bundle::fail(const RequestError& error) { then_(tl::unexpected(error)); }

using openflow::AsyncMasks;
using openflow::BarrierRequest;
using openflow::Description;
using openflow::DescriptionRequest;
using openflow::FlowEntry;
using openflow::FlowStats;
using openflow::FlowStatsRequest;
using openflow::GroupCounters;
using openflow::GroupEntry;
using openflow::Groups;
using openflow::GroupsRequest;
using openflow::GroupStats;
using openflow::GroupStatsRequest;
using openflow::PacketOut;
using openflow::Port;
using openflow::PortCounters;
using openflow::PortMod;
using openflow::Ports;
using openflow::PortsRequest;
using openflow::PortStats;
using openflow::PortStatsRequest;
using openflow::Role;
using openflow::RoleReply;
using openflow::RoleRequest;
using openflow::SetAsync;

namespace {

using AllPorts = InParts<Ports, Port, &Ports::ports>;
using AllCounters = InParts<PortStats, PortCounters, &PortStats::ports>;
using AllFlows = InParts<FlowStats, FlowEntry, &FlowStats::flows>;
using AllGroupCounters = InParts<GroupStats, GroupCounters, &GroupStats::groups>;
using AllGroups = InParts<Groups, GroupEntry, &Groups::groups>;

void ask_confirmed(Exchange& exchange, const Body& body, const Callback<void>& then) {
  const std::uint32_t first = exchange.reserve(2);
  exchange.begin(first, 2, std::make_shared<Confirmed>(then));
  // Messages of this kind have one size, which fits.
  (void)exchange.send(first, body);
  (void)exchange.send(first + 1, BarrierRequest{});
}

}  // namespace

Connection::Connection(transport::Loop& loop, transport::Stream stream, Timing timing,
                       ConnectionEvents events)
    : exchange_(std::make_shared<Exchange>(loop, std::move(stream), timing, std::move(events))) {
  exchange_->start();
}

Connection::~Connection() { exchange_->shut(); }

void Connection::install(const std::vector<Body>& messages, const Callback<void>& then) {
  Bundle::start(exchange_, messages, then);
}

void Connection::ports(const Callback<std::vector<Port>>& then) {
  exchange_->ask(PortsRequest{}, std::make_shared<AllPorts>(then));
}

void Connection::port_stats(std::uint32_t port, const Callback<std::vector<PortCounters>>& then) {
  exchange_->ask(PortStatsRequest{port}, std::make_shared<AllCounters>(then));
}

void Connection::flow_stats(const FlowStatsRequest& which,
                            const Callback<std::vector<FlowEntry>>& then) {
  exchange_->ask(which, std::make_shared<AllFlows>(then));
}

void Connection::group_stats(const Callback<std::vector<GroupCounters>>& then) {
  exchange_->ask(GroupStatsRequest{}, std::make_shared<AllGroupCounters>(then));
}

void Connection::groups(const Callback<std::vector<GroupEntry>>& then) {
  exchange_->ask(GroupsRequest{}, std::make_shared<AllGroups>(then));
}

void Connection::description(const Callback<Description>& then) {
  exchange_->ask(DescriptionRequest{}, std::make_shared<OneReply<Description>>(then));
}

void Connection::port_mod(const PortMod& mod, const Callback<void>& then) {
  ask_confirmed(*exchange_, mod, then);
}

void Connection::set_async(const AsyncMasks& masks, const Callback<void>& then) {
  ask_confirmed(*exchange_, SetAsync{masks}, then);
}

void Connection::role(Role role, std::uint64_t generation, const Callback<RoleReply>& then) {
  exchange_->ask(RoleRequest{role, generation}, std::make_shared<OneReply<RoleReply>>(then));
}

void Connection::barrier(const Callback<void>& then) {
  exchange_->ask(BarrierRequest{}, std::make_shared<Confirmed>(then));
}

void Connection::packet_out(const PacketOut& packet) {
  (void)exchange_->send(exchange_->reserve(1), packet);
}

std::optional<std::vector<std::string>> Connection::peer_names() const {
  return exchange_->stream().peer_names();
}

}  // namespace ebb::openflow
