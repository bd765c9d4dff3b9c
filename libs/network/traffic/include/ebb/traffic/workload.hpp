// SPDX-License-Identifier: Apache-2.0
//
// What all hosts of a network send, open loop: messages are created at their times whatever the
// network does with earlier ones, so any two policies meet the same messages. A workload is
// constant once it is made; a run takes its messages from a source that the workload starts.
//
//   const IndependentHosts workload(*pattern, *injection, hosts);
//   const auto source = workload.start({.seed = 1, .until = TimePoint(1ms)});
//   while (const auto message = source->next(17)) ...
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::traffic {

// Some hosts of a network, or all of them.
class HostSet {
 public:
  HostSet() = default;  // all
  explicit HostSet(std::vector<bool> members) : some_(true), members_(std::move(members)) {}

  [[nodiscard]] bool all() const { return !some_; }
  [[nodiscard]] bool has(std::uint32_t host) const { return !some_ || members_[host]; }

 private:
  bool some_ = false;
  std::vector<bool> members_;
};

struct Start {
  std::uint64_t seed = 1;
  TimePoint until;     // messages are created before; at most kLatestEnd
  HostSet hosts = {};  // only these will be asked for: those of a rank, say
};

class Workload {
 public:
  explicit Workload(std::uint32_t hosts) : hosts_(hosts) {}
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  // Depends on the seed alone: other ends give more or fewer of the same messages, and which hosts
  // are asked for changes none. Refers to the workload. May rely on validate(until) being empty.
  [[nodiscard]] virtual std::unique_ptr<MessageSource> start(const Start& start) const = 0;

  // Why messages up to `until` cannot be had; empty when they can.
  [[nodiscard]] virtual Errors validate(TimePoint /*until*/) const { return {}; }

  // False for a host that stays silent for the whole run.
  [[nodiscard]] virtual bool sends(std::uint32_t /*host*/) const { return true; }

  // How long after its birth a message is of use; none: whenever it comes.
  [[nodiscard]] virtual std::optional<Duration> deadline() const { return std::nullopt; }

  // Of all messages that it can create; none: not known beforehand.
  [[nodiscard]] virtual std::optional<MessageSizes> sizes() const { return std::nullopt; }

  [[nodiscard]] std::uint32_t hosts() const { return hosts_; }

 private:
  std::uint32_t hosts_;
};

// All messages of a run at once, for those who look at a workload without simulating it: in the
// order of sources, those of a source in the order of time. Refuses more messages than
// memory takes.
[[nodiscard]] Result<std::vector<Message>> every_message(const Workload& workload,
                                                         std::uint64_t seed, TimePoint until);

// The same messages in the order of destinations, those for one in the order of births.
[[nodiscard]] std::vector<Message> by_destination(std::vector<Message> messages);

// What a finite run offers to the network: data sent by and for each host, counted exactly. A
// simulator that loses and invents nothing delivers just this, so it is the other side of
// conservation tests. Sums of integers: the same in any order, and parts of a run add up.
class Offered {
 public:
  explicit Offered(std::uint32_t hosts) : sent_(hosts), received_(hosts) {}

  void add(const Message& message);
  // Of a part of the same network and run.
  Offered& operator+=(const Offered& other);

  [[nodiscard]] std::uint32_t hosts() const { return static_cast<std::uint32_t>(sent_.size()); }
  [[nodiscard]] std::int64_t messages() const { return messages_; }
  [[nodiscard]] DataSize total() const { return total_; }
  [[nodiscard]] DataSize sent_by(std::uint32_t host) const { return sent_[host]; }
  [[nodiscard]] DataSize sent_to(std::uint32_t host) const { return received_[host]; }

  bool operator==(const Offered&) const = default;

 private:
  std::vector<DataSize> sent_;
  std::vector<DataSize> received_;
  DataSize total_;
  std::int64_t messages_ = 0;
};

// Every message of every host before `until`.
[[nodiscard]] Offered offered(const Workload& workload, std::uint64_t seed, TimePoint until);

}  // namespace ebb::traffic
