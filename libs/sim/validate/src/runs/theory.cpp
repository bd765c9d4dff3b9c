// SPDX-License-Identifier: Apache-2.0

#include "runs/theory.hpp"

#include "ebb/core/random.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ebb::validate {
namespace {

using topology::Graph;
using topology::NodeId;

// Every number of links that some choice of start and of candidates gives.
std::set<int> walk_all(const CheckedNetwork& checked, std::uint32_t from, std::uint32_t to) {
  const NodeId source = checked.graph().host_node(from);
  const NodeId destination = checked.graph().host_node(to);
  using Place = std::tuple<NodeId, std::uint32_t, std::uint8_t, std::uint8_t, int>;
  std::set<Place> seen;
  std::vector<std::tuple<NodeId, routing::RouteState, int>> open;
  for (const routing::RouteState& state : checked.routing().all_starts(source, destination)) {
    open.emplace_back(checked.switch_of(from), state, 0);
  }
  std::set<int> lengths;
  routing::Candidates outputs;
  while (!open.empty()) {
    const auto [at, state, links] = open.back();
    open.pop_back();
    if (!seen.insert({at, state.intermediate, state.phase, state.hops, links}).second) continue;
    checked.routing().candidates(at, destination, state, outputs);
    const routing::Candidates now = outputs;
    for (const routing::Candidate& one : now) {
      const NodeId next = checked.graph().target(one.channel);
      if (next == destination) {
        lengths.insert(links);
      } else if (!checked.graph().is_host(next)) {
        open.emplace_back(next, checked.routing().advance(at, one, state), links + 1);
      }
    }
  }
  return lengths;
}

// When every switch takes its first choice.
int walk_first(const CheckedNetwork& checked, std::uint32_t from, std::uint32_t to) {
  const NodeId source = checked.graph().host_node(from);
  const NodeId destination = checked.graph().host_node(to);
  routing::RouteState state = checked.routing().all_starts(source, destination).front();
  NodeId at = checked.switch_of(from);
  int links = 0;
  for (routing::Candidates outputs;; ++links) {
    checked.routing().candidates(at, destination, state, outputs);
    const NodeId next = checked.graph().target(outputs[0].channel);
    if (next == destination) return links;
    state = checked.routing().advance(at, outputs[0], state);
    at = next;
  }
}

// The shortest way with one global link at most, from the links of the graph.
int dragonfly_links(const Graph& graph, std::uint32_t group_size, NodeId from, NodeId to) {
  const auto group = [&](NodeId node) { return index(node) / group_size; };
  if (from == to) return 0;
  if (group(from) == group(to)) return 1;
  int least = 4;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    topology::Link link = graph.link(topology::LinkId{l});
    if (!graph.connects_switches(link)) continue;
    if (group(link.a) == group(to)) std::swap(link.a, link.b);
    if (group(link.a) != group(from) || group(link.b) != group(to)) continue;
    least = std::min(least, 1 + (link.a == from ? 0 : 1) + (link.b == to ? 0 : 1));
  }
  return least;
}

}  // namespace

bool has_many_lengths(const Setting& setting) {
  return setting.scheme == "valiant" || setting.scheme == "valiant-any" ||
         setting.scheme == "up-down-nonminimal" ||
         (setting.scheme == "up-down" && setting.family == "clos_chassis");
}

PathLengths::PathLengths(const CheckedNetwork& checked, const Setting& setting)
    : checked_(checked), setting_(setting) {
  for (const auto& [key, value] : setting.parameters) {
    if (key == "a") group_size_ = static_cast<std::uint32_t>(std::stoul(value));
  }
}

std::set<int> PathLengths::of(std::uint32_t from, std::uint32_t to) const {
  const NodeId at = checked_.switch_of(from);
  const NodeId destination = checked_.switch_of(to);
  if (setting_.scheme == "up-down-nonminimal") return {*walk_all(checked_, from, to).begin()};
  if (has_many_lengths(setting_)) return walk_all(checked_, from, to);
  if (setting_.scheme == "up-down-tree") {
    return {checked_.routing().remaining_hops(at, checked_.graph().host_node(to), {})};
  }
  if (setting_.family == "dragonfly" && setting_.scheme == "tables")
    return {walk_first(checked_, from, to)};
  if (setting_.family == "dragonfly" && setting_.scheme != "shortest-path") {
    return {dragonfly_links(checked_.graph(), group_size_, at, destination)};
  }
  return {distances_to(checked_.graph(), destination)[index(at)]};
}

namespace {

constexpr std::uint32_t kChannels = 2;
constexpr std::uint32_t kHostBuffer = kChannels;

struct Packet {
  std::uint32_t buffer = 0;  // of its switch: of a virtual channel, or kHostBuffer
  std::uint32_t hops = 0;    // still ahead
};

struct Switch {
  std::uint64_t waiting = 0;                         // at the host
  std::array<std::uint32_t, kChannels + 1> used{};   // space in the buffers
  std::array<std::deque<Packet>, kChannels> output;  // by virtual channel
  std::uint32_t last = 0;                            // virtual channel served
};

// A packet on its way to a switch.
struct Sent {
  std::uint32_t to = 0;
  std::uint32_t channel = 0;
  std::uint32_t hops = 0;
};

class Model {
 public:
  explicit Model(const SlottedRing& ring) : ring_(ring), switches_(ring.switches) {}

  // How many packets arrive in this slot.
  std::uint64_t slot() {
    sent_.clear();
    for (std::uint32_t i = 0; i < ring_.switches; ++i) send(i);
    for (std::uint32_t i = 0; i < ring_.switches; ++i) inject(i);
    std::uint64_t arrived = 0;
    for (const Sent& packet : sent_) arrived += arrive(packet) ? 1 : 0;
    return arrived;
  }

 private:
  [[nodiscard]] bool is_last(std::uint32_t i) const { return i + 1 == ring_.switches; }

  void send(std::uint32_t i) {
    Switch& here = switches_[i];
    const std::uint32_t to = is_last(i) ? 0 : i + 1;
    for (std::uint32_t turn = 1; turn <= kChannels; ++turn) {
      const std::uint32_t channel = (here.last + turn) % kChannels;
      if (here.output[channel].empty() || switches_[to].used[channel] == ring_.buffer) continue;
      const Packet packet = here.output[channel].front();
      here.output[channel].pop_front();
      --here.used[packet.buffer];
      ++switches_[to].used[channel];
      here.last = channel;
      sent_.push_back({to, channel, packet.hops - 1});
      return;
    }
  }

  void inject(std::uint32_t i) {
    Switch& here = switches_[i];
    if (random_.unit() < ring_.offered) ++here.waiting;
    if (here.waiting == 0 || here.used[kHostBuffer] == ring_.buffer) return;
    --here.waiting;
    ++here.used[kHostBuffer];
    here.output[is_last(i) ? 1 : 0].push_back({kHostBuffer, ring_.hops});
  }

  bool arrive(const Sent& packet) {
    Switch& here = switches_[packet.to];
    if (packet.hops == 0) {
      --here.used[packet.channel];
      return true;
    }
    const std::uint32_t next = packet.channel == 1 || is_last(packet.to) ? 1 : 0;
    here.output[next].push_back({packet.channel, packet.hops});
    return false;
  }

  const SlottedRing& ring_;
  std::vector<Switch> switches_;
  std::vector<Sent> sent_;
  RandomStream random_ = RandomStream(1, "validate/slotted-ring");
};

}  // namespace

double accepted(const SlottedRing& ring) {
  Model model(ring);
  std::uint64_t arrived = 0;
  for (std::uint64_t t = 0; t < ring.slots; ++t) {
    const std::uint64_t now = model.slot();
    if (2 * t >= ring.slots) arrived += now;
  }
  const double slots = static_cast<double>(ring.slots) / 2;
  return static_cast<double>(arrived) / slots / static_cast<double>(ring.switches);
}

}  // namespace ebb::validate
