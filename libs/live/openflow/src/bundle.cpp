// SPDX-License-Identifier: Apache-2.0
#include "bundle.hpp"

#include "operations.hpp"

namespace ebb::openflow {

using openflow::BundleStep;

Bundle::Bundle(std::weak_ptr<Exchange> exchange, std::size_t size, Then<void> then)
    : exchange_(std::move(exchange)), size_(size), then_(std::move(then)) {}

void Bundle::start(const std::shared_ptr<Exchange>& exchange, const std::vector<Body>& messages,
                   const Then<void>& then) {
  const auto bundle = std::make_shared<Bundle>(exchange, messages.size(), then);
  bundle->first_ = exchange->reserve(bundle->count());
  exchange->begin(bundle->first_, bundle->count(), bundle);
  const auto sent = bundle->send_all(*exchange, messages);
  // Closed all the same: the switch's answer makes us discard it.
  if (!sent) bundle->problem_ = Refusal{Why::not_sent, sent.error().front().message};
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

void Bundle::fail(const Refusal& refusal) { then_(tl::unexpected(refusal)); }

}  // namespace ebb::openflow
