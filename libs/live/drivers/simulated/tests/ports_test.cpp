// SPDX-License-Identifier: Apache-2.0
#include "ebb/simulated/ports.hpp"

#include "../../tests/contract.hpp"

#include "ebb/netsim/network.hpp"
#include "ebb/routing/scheme.hpp"

namespace ebb::drivers::contract {
namespace {

constexpr int kBurst = 5;    // packets
constexpr int kBursts = 10;  // of a test at most, one each second

// A triangle of switches with a host each: switch 0 has port 1 to its host, 2 and 3 to the others.
topology::Graph triangle() {
  topology::GraphBuilder builder(3, 3, {{megabits_per_second(10), megabits_per_second(100)}});
  for (std::uint32_t s = 0; s < 3; ++s)
    builder.connect(builder.host_node(s), builder.switch_node(s));
  for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 2U)})
    builder.connect(builder.switch_node(a), builder.switch_node(b));
  return std::move(builder).build({});
}

// To host 0, so by port 1.
std::vector<traffic::Message> bursts() {
  std::vector<traffic::Message> messages;
  for (int i = 1; i <= kBursts; ++i) {
    for (int k = 0; k < kBurst; ++k)
      messages.push_back({TimePoint(std::chrono::seconds(i)), 1, 0, bytes(2048)});
  }
  return messages;
}

netsim::ChannelModel sleepy() {
  netsim::ChannelModel model;
  model.rate_levels = {{.rate = megabits_per_second(10)}, {.rate = megabits_per_second(100)}};
  model.rate_change = std::chrono::microseconds(1);
  model.sleep = {.power = {}, .wake = std::chrono::microseconds(100)};
  return model;
}

class TestedSimulatedDriver final : public TestedDriver {
 public:
  static std::string missing() { return ""; }

  std::shared_ptr<PortDriver> connect(PortEvents events) override {
    auto driver = std::make_shared<simulated::Ports>(loop, links_, graph_, 0, std::move(events));
    driver_ = driver;
    return driver;
  }
  void send(PortNumber port, int frames) override {
    EXPECT_EQ(port, 1U);
    EXPECT_EQ(frames, kBurst);
    network_.run_until(TimePoint(std::chrono::milliseconds(1000 * ++sent_ + 500)));
  }
  // The other end goes down.
  void cut(PortNumber port) override { EXPECT_EQ(links_.set_end(other_end(port), false), ""); }
  void mend(PortNumber port) override { EXPECT_EQ(links_.set_end(other_end(port), true), ""); }
  void fall_silent() override { driver_.lock()->answers = false; }
  std::optional<DataRate> rate_of(PortNumber port) override {
    links_.pass_time();
    return links_.rate(*forwarding::output_at(graph_, 0, port));
  }

 private:
  [[nodiscard]] topology::ChannelId other_end(PortNumber port) const {
    return topology::reverse(*forwarding::output_at(graph_, 0, port));
  }

  topology::Graph graph_ = triangle();
  std::unique_ptr<routing::Routing> routing_ =
      routing::make_routing("shortest-path", graph_).value();
  netsim::Script script_{bursts(), 3};
  netsim::Observer observer_;
  netsim::Hardware hardware_;
  netsim::Network network_{{graph_, *routing_, {sleepy()}, hardware_, Power{}}, script_, observer_};
  simulated::SimulatedLinks links_{network_, graph_, {}};
  std::weak_ptr<simulated::Ports> driver_;
  int sent_ = 0;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Simulated, PortContract, TestedSimulatedDriver);

}  // namespace
}  // namespace ebb::drivers::contract
