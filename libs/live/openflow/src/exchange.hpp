// SPDX-License-Identifier: Apache-2.0
//
// The inside of a Connection: greeting, liveness, and who gets which message.
#pragma once

#include "ebb/openflow/connection.hpp"
#include "ebb/openflow/message.hpp"
#include "ebb/transport/loop.hpp"

#include <fmt/format.h>

#include <map>

namespace ebb::openflow {

using openflow::Body;

// A request under way: all messages whose xid is one of its own are for it.
class Operation {
 public:
  enum class Next : std::uint8_t { waits, done };

  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  // A reply or an error, which may also be one in the middle.
  virtual Next take(std::uint32_t xid, const Body& body) = 0;
  virtual void fail(const RequestError& error) = 0;
};

class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(transport::Loop& loop, transport::Stream stream, Timing timing, ConnectionEvents events);

  void start();
  // Without an event or an answer.
  void shut();

  [[nodiscard]] const transport::Stream& stream() const { return stream_; }

  // The first of so many numbers in a row.
  [[nodiscard]] std::uint32_t reserve(std::uint32_t count);
  // Fails the operation later, not from inside, when a message cannot be written.
  void begin(std::uint32_t first, std::uint32_t count, std::shared_ptr<Operation> operation);
  [[nodiscard]] Result<void> send(std::uint32_t xid, const Body& body);
  // One number, one message.
  void ask(const Body& body, std::shared_ptr<Operation> operation);

 private:
  struct UnderWay {
    std::uint32_t count;
    std::shared_ptr<Operation> operation;
    transport::Loop::Timer limit;
  };
  enum class State : std::uint8_t { greeting, identifying, ready, closed };

  void received(std::span<const std::byte> bytes);
  void handle(const openflow::Message& message);
  void greet(const openflow::Hello& hello);
  void identify(const openflow::Message& message);
  void route(const openflow::Message& message);
  // Not an answer to anything.
  void announce(const Body& body);
  void finish(std::uint32_t first, const RequestError* error);
  void end(const std::string& reason);

  transport::Loop& loop_;
  transport::Stream stream_;
  Timing timing_;
  ConnectionEvents events_;
  openflow::Framer framer_;
  State state_ = State::greeting;
  std::uint64_t heard_ = 0;                      // bytes
  std::uint32_t next_xid_ = 1;                   // 0 is what the switch sends on its own
  std::map<std::uint32_t, UnderWay> under_way_;  // by the first number
  std::optional<transport::Loop::Timer> timer_;  // of the greeting
  transport::Liveness liveness_;
};

// The kinds of requests: one reply, a list in parts, and a change that a barrier confirms.

[[nodiscard]] inline RequestError refused(const openflow::ErrorMessage& error) {
  return {Why::refused, to_text(error), error};
}
[[nodiscard]] inline RequestError unexpected() {
  return {Why::refused, "the switch answered something else"};
}

// Exactly one message of the type Message.
template <class Message>
class OneReply final : public Operation {
 public:
  explicit OneReply(Callback<Message> then) : then_(std::move(then)) {}

  Next take(std::uint32_t /*xid*/, const Body& body) override {
    if (const auto* reply = std::get_if<Message>(&body)) {
      then_(*reply);
    } else if (const auto* error = std::get_if<openflow::ErrorMessage>(&body)) {
      fail(refused(*error));
    } else {
      fail(unexpected());
    }
    return Next::done;
  }
  void fail(const RequestError& error) override { then_(tl::unexpected(error)); }

 private:
  Callback<Message> then_;
};

// Messages of the type Part, each with some entries, until one says that it is the last.
template <class Part, class Entry, std::vector<Entry> Part::*kEntries>
class InParts final : public Operation {
 public:
  explicit InParts(Callback<std::vector<Entry>> then) : then_(std::move(then)) {}

  Next take(std::uint32_t /*xid*/, const Body& body) override {
    const auto* part = std::get_if<Part>(&body);
    if (part == nullptr) {
      const auto* error = std::get_if<openflow::ErrorMessage>(&body);
      fail(error != nullptr ? refused(*error) : unexpected());
      return Next::done;
    }
    const auto& entries = part->*kEntries;
    all_.insert(all_.end(), entries.begin(), entries.end());
    if (part->more && all_.size() <= kMost) return Next::waits;
    if (part->more) {
      fail({Why::refused, fmt::format("the switch sent more than {} entries", kMost)});
    } else {
      then_(std::move(all_));
    }
    return Next::done;
  }
  void fail(const RequestError& error) override { then_(tl::unexpected(error)); }

 private:
  static constexpr std::size_t kMost = 200'000;  // no switch holds so many rules

  std::vector<Entry> all_;
  Callback<std::vector<Entry>> then_;
};

// A message without a reply, and a barrier behind it.
class Confirmed final : public Operation {
 public:
  explicit Confirmed(Callback<void> then) : then_(std::move(then)) {}

  Next take(std::uint32_t /*xid*/, const Body& body) override {
    if (const auto* error = std::get_if<openflow::ErrorMessage>(&body)) {
      fail(refused(*error));
    } else if (std::holds_alternative<openflow::BarrierReply>(body)) {
      then_({});
    } else {
      fail(unexpected());
    }
    return Next::done;
  }
  void fail(const RequestError& error) override { then_(tl::unexpected(error)); }

 private:
  Callback<void> then_;
};

// All messages or none. The bundle is committed only after the switch has closed it without an
// error: Open vSwitch refuses a message that it cannot read when it is added, and would commit
// the others.
class Bundle final : public Operation {
 public:
  Bundle(std::weak_ptr<Exchange> exchange, std::size_t size, Callback<void> then);

  // Reserves the numbers and sends everything up to the closing of the bundle.
  static void start(const std::shared_ptr<Exchange>& exchange, const std::vector<Body>& messages,
                    const Callback<void>& then);

  Next take(std::uint32_t xid, const Body& body) override;
  void fail(const RequestError& error) override;

 private:
  // Numbers: opening, one per message, closing, committing, barrier, discarding.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(size_) + 5; }
  [[nodiscard]] std::uint32_t closing() const {
    return first_ + 1 + static_cast<std::uint32_t>(size_);
  }
  Result<void> send_all(Exchange& exchange, const std::vector<Body>& messages) const;
  Next take_step(Exchange& exchange, openflow::BundleStep step);
  void note(std::uint32_t xid, const openflow::ErrorMessage& error);
  void send_step(Exchange& exchange, std::uint32_t xid, openflow::BundleStep step) const;

  std::weak_ptr<Exchange> exchange_;
  std::size_t size_;
  Callback<void> then_;
  std::uint32_t first_ = 0;
  std::optional<RequestError> problem_;  // the first
};

}  // namespace ebb::openflow
