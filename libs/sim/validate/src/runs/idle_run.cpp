// SPDX-License-Identifier: Apache-2.0
#include "runs/idle_run.hpp"

#include "runs/checked_network.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/policy.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kUntil{20us};
constexpr TimePoint kLastOrder{100us};  // policies go on while the network empties
constexpr std::uint64_t kIdleSeed = 3;

struct Variant {
  std::string name;
  netsim::Hardware hardware;
};

std::vector<Variant> variants() {
  std::vector<Variant> result(4);
  result[0].name = "cut-through, ample buffers";
  result[1].name = "store-and-forward, buffers of one packet";
  result[1].hardware.switching = netsim::Switching::store_and_forward;
  result[1].hardware.input_buffer = result[1].hardware.packet;
  result[2].name = "cut-through, two packets in and three out";
  result[2].hardware.input_buffer = 2 * result[2].hardware.packet;
  result[2].hardware.output_buffer = 3 * result[2].hardware.packet;
  result[3].name = "cut-through, one packet in and two out";
  result[3].hardware.input_buffer = result[3].hardware.packet;
  result[3].hardware.output_buffer = 2 * result[3].hardware.packet;
  return result;
}

class Announced final : public netsim::Observer {
 public:
  explicit Announced(std::uint32_t hosts) : data_(hosts) {}
  void packet_delivered(const netsim::PacketDelivered& packet) override {
    data_[packet.destination] += packet.size;
  }
  void message_delivered(const netsim::MessageDelivered& /*message*/) override { ++messages_; }
  [[nodiscard]] const std::vector<DataSize>& data() const { return data_; }
  [[nodiscard]] std::int64_t messages() const { return messages_; }

 private:
  std::vector<DataSize> data_;
  std::int64_t messages_ = 0;
};

// Orders channels to sleep at any time, also while they send or are about to return credits. They
// wake when something waits for them.
class SleepAtRandom final : public policy::Policy {
 public:
  [[nodiscard]] Duration sample_period() const override { return 100ns; }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    std::vector<policy::Action> actions;
    for (const policy::ChannelSample& channel : sample.channels) {
      if (!armed_) actions.push_back({channel.id, policy::WakeWhenQueued{bytes(1)}});
      if (random_.below(32) == 0) actions.push_back({channel.id, policy::Sleep{}});
    }
    armed_ = true;
    return actions;
  }

 private:
  bool armed_ = false;
  RandomStream random_ = RandomStream(kIdleSeed, "validate/sleep");
};

std::unique_ptr<policy::Policy> policy_of(const IdleRun& run) {
  if (run.policy == "sleep-at-random") return std::make_unique<SleepAtRandom>();
  ParameterTexts parameters;
  if (run.policy == "epoch") parameters = {{"epoch", "3us"}};
  for (const char* name : {"dvs", "shutdown", "dvs-shutdown"}) {
    if (run.policy == name) parameters = {{"window", "3us"}};
  }
  if (run.policy == "on-demand") parameters = {{"idle", "300ns"}, {"period", "1us"}};
  return std::move(policy::make_policy(run.policy, parameters).value().policy);
}

void run_with_policy(netsim::Network& network, policy::Policy& policy) {
  while (network.now() < kLastOrder) {
    for (const policy::Action& action : policy.decide(network.sample())) {
      policy.on_outcome(network.apply(action));
    }
    network.run_until(std::min(kLastOrder, network.now() + policy.sample_period()));
  }
  network.run_until_idle();
  network.run_until(network.now() + 10us);  // the last bits on the last wire
}

}  // namespace

std::vector<IdleRun> idle_runs() {
  std::vector<IdleRun> result;
  for (const topology::Family& family : topology::families()) {
    for (const routing::Scheme& scheme : routing::schemes()) {
      if (!scheme.supports(family.name)) continue;
      for (const Variant& variant : variants()) {
        for (const ParameterTexts& parameters : shapes(family.name)) {
          const Setting setting{family.name, parameters, scheme.name};
          if (has_routing(setting)) result.push_back({setting, variant.name, variant.hardware});
        }
      }
    }
  }
  for (const char* policy : {"always-slowest", "epoch", "on-demand", "sleep-at-random"}) {
    for (const Variant& variant : variants()) {
      for (const char* scheme : {"minimal-adaptive", "ugal"}) {
        result.push_back({{"fbfly", shapes("fbfly")[1], scheme},
                          std::string(policy) + ", " + variant.name,
                          variant.hardware,
                          policy});
      }
    }
  }
  for (const char* policy : {"stages", "consolidate"}) {
    for (const char* scheme : {"sparse-mesh", "sparse-torus", "sparse-star"}) {
      result.push_back({{"fbfly", shapes("fbfly")[1], scheme},
                        std::string(policy) + ", " + variants()[0].name,
                        variants()[0].hardware,
                        policy});
    }
  }
  for (const char* policy : {"dvs", "shutdown", "dvs-shutdown"}) {
    for (const char* family : {"irregular", "mesh"}) {
      result.push_back({{family, shapes(family)[0], "up-down-nonminimal"},
                        std::string(policy) + ", " + variants()[0].name,
                        variants()[0].hardware,
                        policy});
    }
  }
  return result;
}

IdleResult run_until_idle(const IdleRun& run, Accounts& accounts) {
  const CheckedNetwork checked(
      run.setting, {gigabits_per_second(10), gigabits_per_second(20), gigabits_per_second(40)});
  const std::uint32_t hosts = checked.graph().host_count();
  const auto pattern = uniform(checked);
  // Two packets and a bit. Sleep does its worst where there is little traffic to wake channels.
  const std::string load = run.policy == "sleep-at-random" ? "15%" : "70%";
  const auto injection =
      traffic::make_injection("poisson", checked.host_rate(), {{"load", load}, {"size", "4513B"}})
          .value();
  const auto policy = policy_of(run);
  const traffic::IndependentHosts workload(*pattern, *injection, hosts);
  const auto source = workload.start({.seed = kIdleSeed, .until = kUntil});
  Announced announced(hosts);
  netsim::Network network(checked.config(run.hardware), *source, announced);
  network.start_meters();
  if (policy->needs_next_hops())
    policy->set_next_hops(netsim::next_hops_of(checked.graph(), checked.routing()).value());
  run_with_policy(network, *policy);
  accounts.add(network.close_meters());

  IdleResult result{traffic::offered(workload, kIdleSeed, kUntil),
                    {},
                    {},
                    announced.data(),
                    announced.messages(),
                    network.check_conservation()};
  for (std::uint32_t h = 0; h < hosts; ++h) {
    result.sent.push_back(network.use(checked.from_host(h)).sent);
    result.received.push_back(network.use(checked.to_host(h)).sent);
  }
  return result;
}

}  // namespace ebb::validate
