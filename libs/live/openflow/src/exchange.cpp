// SPDX-License-Identifier: Apache-2.0
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
          loop, timing.patience, [this] { (void)send(reserve(1), openflow::EchoRequest{}); },
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
    const Refusal refusal{Why::timed_out, "the switch did not answer in time"};
    if (const auto self = weak.lock()) self->finish(first, &refusal);
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
    const Refusal refusal{Why::not_sent, text};
    if (const auto self = weak.lock()) self->finish(xid, &refusal);
  });
}

void Exchange::finish(std::uint32_t first, const Refusal* refusal) {
  auto found = under_way_.extract(first);
  if (found.empty()) return;
  loop_.cancel(found.mapped().limit);
  if (refusal != nullptr) found.mapped().operation->fail(*refusal);
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

}  // namespace ebb::openflow
