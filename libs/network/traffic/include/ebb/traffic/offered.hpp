// SPDX-License-Identifier: Apache-2.0
//
// What a finite run offers to the network: data sent by and for each host, counted exactly. A
// simulator that loses and invents nothing delivers just this, so it is the other side of
// conservation tests. Sums of integers: the same in any order, and parts of a run add up.
#pragma once

#include "ebb/traffic/message.hpp"
#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

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
