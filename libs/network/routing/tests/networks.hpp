// SPDX-License-Identifier: Apache-2.0
//
// Small networks of every family, and what tests want to know of a route.
#pragma once

#include "ebb/routing/congestion.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ebb::routing {

struct Case {
  std::string scheme;
  std::string family;
  std::vector<std::pair<std::string, std::string>> parameters;
};

inline std::string text_of(const Case& one) {
  std::string text = one.scheme + " on " + one.family;
  for (const auto& [key, value] : one.parameters) {
    text += ' ';
    text += key;
    text += '=';
    text += value;
  }
  return text;
}

inline void PrintTo(const Case& one, std::ostream* out) { *out << text_of(one); }

inline Graph build(const Case& one) {
  auto graph = topology::build(one.family, one.parameters, {gigabits_per_second(40)});
  if (!graph) ADD_FAILURE() << text_of(one) << ": " << to_string(graph.error());
  return std::move(graph).value();
}

inline std::unique_ptr<Routing> route(const Case& one, const Graph& graph) {
  auto routing = make_routing(one.scheme, graph);
  if (!routing) ADD_FAILURE() << text_of(one) << ": " << to_string(routing.error());
  return std::move(routing).value();
}

inline NodeId switch_of(const Graph& graph, NodeId host) {
  return graph.target(graph.outputs(host).front());
}

// What a switch knows, written by a test: nothing but what was put in.
class LoadedNetwork final : public CongestionView {
 public:
  std::map<ChannelId, DataSize> queues;
  std::map<std::pair<ChannelId, std::uint8_t>, DataSize> missing;  // by virtual channel
  std::set<ChannelId> shut;
  std::set<std::uint32_t> congested;
  DataSize in_a_round_trip;

  [[nodiscard]] DataSize queued(ChannelId channel) const override {
    const auto known = queues.find(channel);
    return known == queues.end() ? DataSize{} : known->second;
  }
  [[nodiscard]] DataSize missing_credits(const Candidate& one) const override {
    const auto known = missing.find({one.channel, one.vc});
    return known == missing.end() ? DataSize{} : known->second;
  }
  [[nodiscard]] DataSize round_trip(ChannelId /*channel*/) const override {
    return in_a_round_trip;
  }
  [[nodiscard]] DataSize packet() const override { return bytes(1000); }
  [[nodiscard]] bool is_shut(const Candidate& one) const override {
    return shut.contains(one.channel);
  }
  [[nodiscard]] bool is_reported_congested(std::uint32_t number) const override {
    return congested.contains(number);
  }
};

// Links from every switch to switch `to`; a route of exactly so many is minimal.
inline std::vector<int> distances_to(const Graph& graph, NodeId to) {
  std::vector<int> links(graph.switch_count(), -1);
  std::vector<NodeId> queue = {to};
  links[index(to)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId channel : graph.outputs(queue[i])) {
      const NodeId next = graph.target(channel);
      if (graph.is_host(next) || links[index(next)] >= 0) continue;
      links[index(next)] = links[index(queue[i])] + 1;
      queue.push_back(next);
    }
  }
  return links;
}

// Every scheme on small shapes of every family it knows: whole, partial, with parallel links, with
// lines of one, two, three and more switches.
std::vector<Case> small_cases();

// For INSTANTIATE_TEST_SUITE_P.
inline std::string name_of(const testing::TestParamInfo<Case>& one) {
  std::string name = std::to_string(one.index) + "_" + text_of(one.param);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace ebb::routing
