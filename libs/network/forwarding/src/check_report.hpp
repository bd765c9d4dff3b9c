// SPDX-License-Identifier: Apache-2.0
//
// What both checks of tables share: the graph of channel dependencies, and the report.
//
// A frame that sits at the end of one channel in a class waits for room on the next: the first
// channel depends on the second. Without a cycle in these dependencies there is no deadlock (Dally
// and Seitz). There is a bit for each class of each output of the switch at a channel's end: 115 MB
// for 1.2 million channels with 3 classes between switches of 71 ports.
#pragma once

#include "ebb/forwarding/check.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::forwarding {

struct ClassedChannel {
  topology::ChannelId channel{};
  std::uint8_t cos = 0;

  bool operator==(const ClassedChannel&) const = default;
};

class ChannelDependencies {
 public:
  ChannelDependencies(const topology::Graph& graph, std::uint32_t classes);

  // `then` leaves where `first` ends. May be called from several threads.
  void add(ClassedChannel first, ClassedChannel then);
  // The channels of a cycle, in order; nothing: there is none. The same for the same additions.
  [[nodiscard]] std::optional<std::vector<ClassedChannel>> cycle() const;

 private:
  struct Visit;
  struct Row {
    std::size_t first = 0;    // word of its class 0
    std::uint32_t words = 0;  // of each class
    std::uint32_t port = 0;   // at the switch that the channel leaves
  };

  [[nodiscard]] std::size_t node(ClassedChannel one) const {
    return std::size_t{index(one.channel)} * classes_ + one.cos;
  }
  [[nodiscard]] ClassedChannel channel_of(std::size_t node) const {
    return {topology::ChannelId{static_cast<std::uint32_t>(node / classes_)},
            static_cast<std::uint8_t>(node % classes_)};
  }
  [[nodiscard]] std::uint32_t words_for(topology::ChannelId channel) const;
  // The next node that a visited one waits for; nothing: no more.
  [[nodiscard]] std::optional<std::size_t> next(Visit& visit) const;

  const topology::Graph& graph_;
  std::uint32_t classes_;
  std::vector<Row> rows_;  // by channel
  std::vector<std::uint64_t> waits_;
};

[[nodiscard]] BackupPaths backup_paths_of(std::span<const Table> tables);
// With what is known before looking.
[[nodiscard]] CheckReport report_for(const topology::Graph& graph, std::span<const Table> tables);
void add_error(CheckReport& report, Error error);
void add_ambiguities(const topology::Graph& graph, const AddressPlan& plan,
                     std::span<const Table> tables, CheckReport& report);
// `lost`: links that some frames have no backup for.
void add_backup_paths(const topology::Graph& graph, const std::vector<bool>& lost,
                      const ChannelDependencies& dependencies, CheckReport& report);

}  // namespace ebb::forwarding
