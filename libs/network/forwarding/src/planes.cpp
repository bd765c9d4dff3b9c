// SPDX-License-Identifier: Apache-2.0
//
// The table of a switch in another plane: the same rules, by that plane's channels.
#include "ebb/forwarding/table.hpp"

#include <optional>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;

// From the first plane to another.
class Move {
 public:
  explicit Move(std::uint32_t channels) : channels_(channels) {}

  void operator()(ChannelId& channel) const { channel = ChannelId{index(channel) + channels_}; }
  void operator()(std::optional<ChannelId>& channel) const {
    if (channel) (*this)(*channel);
  }
  void operator()(std::vector<ChannelId>& channels) const {
    for (ChannelId& channel : channels) (*this)(channel);
  }

 private:
  std::uint32_t channels_;
};

}  // namespace

Table of_plane(Table of_first, const topology::Graph& one, std::uint32_t plane) {
  const Move move(plane * one.channel_count());
  of_first.of_switch += plane * one.switch_count();
  for (Rule& rule : of_first.rules) {
    move(rule.output);
    move(rule.input);
  }
  for (FastReroute& reroute : of_first.fast_reroutes) {
    move(reroute.output);
    move(reroute.untagged);
    move(reroute.backup);
  }
  move(of_first.core);
  return of_first;
}

}  // namespace ebb::forwarding
