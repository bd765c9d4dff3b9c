// SPDX-License-Identifier: Apache-2.0
//
// Messages: what a host wants sent, created at a time, of a size, for another host, and the source
// from which a run takes them host by host. Hosts are the indices of the network, 0 .. hosts-1. How
// a message becomes packets is the simulator's business.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ebb::traffic {

inline constexpr std::uint8_t kMostServices = 16;

struct Message {
  TimePoint at;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;  // never the source
  DataSize size;
  std::uint8_t service = 0;  // level, below kMostServices; switches may treat it by itself
  // By which a closed loop knows it again: no two messages of a host that have more than one packet
  // share it. Otherwise the messages of a host are counted.
  std::uint32_t number = kCounted;

  static constexpr std::uint32_t kCounted = 0xffff'ffff;

  bool operator==(const Message&) const = default;
};

// What sizes say of how long a run must be: no run is longer than it needs to be for its largest
// message, and data that is sent at some moment belongs to a message of which on average so much is
// still to be sent: the mean residual E[S^2] / (2 E[S]) of renewal theory.
struct MessageSizes {
  DataSize longest;
  DataSize mean_residual;

  bool operator==(const MessageSizes&) const = default;
};

// Messages, host by host, as a run takes them.
class MessageSource {
 public:
  MessageSource() = default;
  MessageSource(const MessageSource&) = delete;
  MessageSource& operator=(const MessageSource&) = delete;
  virtual ~MessageSource() = default;

  // The next message of a host, in the order of time; nothing when there are no more. Two threads
  // may ask for different hosts at once.
  [[nodiscard]] virtual std::optional<Message> next(std::uint32_t host) = 0;

  // The source of a closed loop, where what a host sends depends on what it was sent; none of an
  // open one.
  [[nodiscard]] virtual class ClosedLoop* closed_loop() { return nullptr; }
};

// What a CPU of a host does from `begin` to `end`. It does one thing at a time.
struct HostWork {
  enum class Kind : std::uint8_t { computes, sends, receives };

  Kind kind = Kind::computes;
  std::uint8_t cpu = 0;
  TimePoint begin{};
  TimePoint end{};

  bool operator==(const HostWork&) const = default;
};

// Is told of work when it begins. Two threads may tell of different hosts at once.
class HostObserver {
 public:
  HostObserver() = default;
  HostObserver(const HostObserver&) = delete;
  HostObserver& operator=(const HostObserver&) = delete;
  virtual ~HostObserver() = default;

  virtual void host_works(std::uint32_t host, const HostWork& work) = 0;
};

// A message that a host will create at the time.
struct PlannedMessage {
  TimePoint at{};
  std::uint32_t destination = 0;
};

// What runs on hosts and talks by messages. Each call is about one host, and calls about different
// hosts may come from two threads at once.
class ClosedLoop {
 public:
  ClosedLoop() = default;
  ClosedLoop(const ClosedLoop&) = delete;
  ClosedLoop& operator=(const ClosedLoop&) = delete;
  virtual ~ClosedLoop() = default;

  // The message is at its destination, the host that this call is about, from `at` on, which may
  // lie ahead. Messages for a host come in the order of `at`.
  virtual void delivered(std::uint32_t source, std::uint32_t destination, std::uint32_t number,
                         TimePoint at) = 0;

  // All that happens on the host up to `now`. MessageSource::next then gives the messages that were
  // created, none of them later than `now`. Returns when something happens next; never, if it has
  // to be sent something first, is the latest time there is.
  [[nodiscard]] virtual TimePoint advance(std::uint32_t host, TimePoint now) = 0;

  // From now on the host says what it will send as long before as this, if it knows by then: what
  // follows a computation that it has begun.
  virtual void look_ahead(std::uint32_t /*host*/, Duration /*time*/) {}
  // The next of these, when its time has come; none otherwise.
  [[nodiscard]] virtual std::optional<PlannedMessage> next_planned(std::uint32_t /*host*/) {
    return std::nullopt;
  }

  // Tells from now on what hosts do; it must outlive the loop.
  virtual void observe(HostObserver* /*observer*/) {}
  // Who works on the host, such as "rank 3".
  [[nodiscard]] virtual std::string name_of(std::uint32_t /*host*/) const { return {}; }
};

}  // namespace ebb::traffic
