// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/forwarding/reachability.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::controller {

// Asks for what a test says.
class ScriptedPolicy final : public policy::Policy {
 public:
  [[nodiscard]] Duration sample_period() const override { return std::chrono::milliseconds(100); }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    EXPECT_TRUE(check(sample).empty());
    seen.assign(sample.channels.begin(), sample.channels.end());
    return std::exchange(next, {});
  }
  void on_outcome(const policy::Outcome& outcome) override { outcomes.push_back(outcome); }
  [[nodiscard]] std::optional<std::string> failure() const override { return failed; }

  std::vector<policy::Action> next;
  std::vector<policy::ChannelSample> seen;
  std::vector<policy::Outcome> outcomes;
  std::optional<std::string> failed;
};

// Three switches, or more, joined to each other, a host each, with their tables.
class Triangle : public testing::Test {
 protected:
  explicit Triangle(const topology::RateTable& rates, const std::string& switches = "3")
      : graph(*topology::build("complete", {{"switches", switches}, {"hosts", "1"}}, rates)),
        plan(*forwarding::AddressPlan::make(graph)),
        tables(*forwarding::fabric_tables(graph, plan)),
        walker(graph, plan, tables) {}

  topology::ChannelId channel(std::uint32_t from, std::uint32_t to) const {
    for (const topology::ChannelId one : graph.outputs(graph.switch_node(from))) {
      if (graph.target(one) == graph.switch_node(to)) return one;
    }
    ADD_FAILURE() << "no such channel";
    return {};
  }

  topology::Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;
  forwarding::TableWalker walker;
};

}  // namespace ebb::controller
