// SPDX-License-Identifier: Apache-2.0
//
// The inside of a Connection: greeting, liveness, and who gets which message.
#pragma once

#include "ebb/openflow/connection.hpp"
#include "ebb/openflow/framer.hpp"
#include "ebb/transport/liveness.hpp"

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
  virtual void fail(const Refusal& refusal) = 0;
};

class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(transport::Loop& loop, transport::Stream stream, Timing timing, ConnectionEvents events);

  void start();
  // Without an event or an answer.
  void shut();

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
  void finish(std::uint32_t first, const Refusal* refusal);
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

}  // namespace ebb::openflow
