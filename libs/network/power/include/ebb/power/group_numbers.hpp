// SPDX-License-Identifier: Apache-2.0
//
// The power groups of one switch, numbered: those of a kind stand together, one kind after the
// other. Which of them a port depends on, and which has to be awake before which; the simulator and
// the replay of counters charge groups by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::power {

// A group of a part, as far as it says who depends on whom.
struct GroupKind {
  std::uint32_t ports = 0;           // that one of them serves; 0: all, so that there is one
  std::uint32_t count = 1;           // of each switch
  std::optional<std::size_t> after;  // the kind that has to be awake before this one wakes
};

class GroupNumbers {
 public:
  GroupNumbers() = default;
  explicit GroupNumbers(std::vector<GroupKind> kinds);

  // Of a switch.
  [[nodiscard]] std::size_t size() const { return kind_of_.size(); }
  [[nodiscard]] std::size_t kind_of(std::size_t number) const { return kind_of_[number]; }
  [[nodiscard]] std::size_t first(std::size_t kind) const { return first_[kind]; }
  // What has to be awake before a group can wake.
  [[nodiscard]] std::optional<std::size_t> before(std::size_t number) const;
  // The groups that a port depends on directly: those that no other comes after.
  template <class Visit>  // (number)
  void for_each_of_port(std::size_t port, const Visit& visit) const {
    for (const std::size_t kind : of_ports_) visit(first_[kind] + served(kind, port));
  }

 private:
  // Which of a kind serves a port.
  [[nodiscard]] std::size_t served(std::size_t kind, std::size_t port) const {
    return kinds_[kind].ports == 0 ? 0 : port / kinds_[kind].ports;
  }

  std::vector<GroupKind> kinds_;
  std::vector<std::size_t> of_ports_;  // kinds that no other kind comes after
  std::vector<std::size_t> kind_of_;   // by number
  std::vector<std::size_t> first_;     // by kind: its first number
};

}  // namespace ebb::power
