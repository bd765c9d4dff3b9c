// SPDX-License-Identifier: Apache-2.0
//
// All frames to one host whose sources look alike to every rule: their default paths form a tree. A
// switch of it that loses its output sends them elsewhere; from there they must arrive without it.
#pragma once

#include "check_report.hpp"

#include "ebb/forwarding/check.hpp"
#include "ebb/forwarding/lookup.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ebb::forwarding {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;
using topology::NodeId;

// What all threads share.
struct Checked {
  const Graph& graph;
  const AddressPlan& plan;
  std::span<const Lookup> lookups;  // by switch
  const TableMaker* maker;          // null: any path that arrives is right
  BackupPaths backup_paths = BackupPaths::none;
  ChannelDependencies* dependencies;  // null: without backup_paths
};

class DestinationCheck {
 public:
  explicit DestinationCheck(const Checked& checked);

  // From each of these switches, for frames whose source looks like that host. `item` orders
  // errors.
  void look(std::size_t item, std::uint32_t source, std::uint32_t host,
            std::span<const std::uint32_t> senders);
  // At its own switch.
  void look_at_home(std::size_t item, std::uint32_t source, std::uint32_t host);

  std::uint64_t questions = 0;
  std::vector<std::pair<std::size_t, Error>> errors;  // by item; the first kMostErrors
  std::vector<bool> lost;                             // by link: some frames have no backup for it

 private:
  enum class Visit : std::uint8_t { unknown, on_the_path, arrives, fails };

  void begin(std::size_t item, std::uint32_t source, std::uint32_t host);
  [[nodiscard]] Frame frame(bool rerouted, std::optional<ChannelId> input) const;
  // The rule that a switch follows; null when it is a mistake, which has been told.
  const Rule* ask(std::uint32_t at, bool rerouted, std::optional<ChannelId> input);
  const Rule* look_up(std::uint32_t at, const Frame& frame);
  [[nodiscard]] bool as_intended(std::uint32_t at, const Rule& rule, const Frame& frame) const;
  // Follows the tables until a switch whose answer is known, and notes the answer of each on the
  // path.
  void walk(std::uint32_t from);

  [[nodiscard]] bool delivers(const Rule& rule) const;
  void note_transit();
  // What frames on the output of a switch wait for at its end.
  void note_waiting(std::uint32_t from, const Rule& rule);
  void lose_output(std::uint32_t at, const Rule& rule);
  [[nodiscard]] bool is_meant_to_go_back(std::uint32_t at) const;
  void reroute_all(std::uint32_t at, const Rule& rule, const FastReroute* reroute,
                   std::optional<ChannelId> input);
  void divert(std::uint32_t at, const Rule& rule, std::optional<ChannelId> input);
  void check_backup(std::uint32_t at, const Frame& frame,
                    std::optional<TableMaker::NextHop> backup);
  // From a reroute on, without the link that was lost.
  void follow(std::uint32_t from, ClassedChannel taken, bool rerouted, LinkId dead);
  // Whether a switch follows the rule that it followed for the destination before: then what waits
  // for what there is known. Neighbouring destinations mostly share their paths.
  [[nodiscard]] bool as_before(std::uint32_t at, bool rerouted) const;
  void complain(std::uint32_t at, const std::string& what);

  const Checked& checked_;
  std::vector<std::vector<ChannelId>> host_inputs_;    // by switch
  std::vector<std::vector<ChannelId>> switch_inputs_;  // by switch: that backup_paths ask for
  std::size_t item_ = 0;
  std::uint32_t source_ = 0;
  std::uint32_t host_ = 0;
  bool failed_ = false;                         // a frame to this host does not arrive
  std::vector<Visit> visit_;                    // by switch
  std::vector<const Rule*> known_[2];           // by rerouted tag and switch: null if not asked yet
  std::vector<const Rule*> before_[2];          // the same for the destination before
  std::vector<bool> transit_;                   // by switch: frames come from other switches
  std::vector<std::vector<ChannelId>> inputs_;  // by switch: over which they come
  std::vector<bool> sends_;                     // by switch
  std::vector<std::uint32_t> path_;
  std::vector<std::uint32_t> visited_;
};

}  // namespace ebb::forwarding
