// SPDX-License-Identifier: Apache-2.0
#include "world/dry_run.hpp"

#include "world/loaded.hpp"

#include "ebb/policy/registry.hpp"

#include <algorithm>
#include <chrono>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kUntil{20us};
constexpr std::uint64_t kSeed = 3;

struct Variant {
  std::string name;
  netsim::Hardware hardware;
};

std::vector<Variant> variants() {
  std::vector<Variant> result(3);
  result[0].name = "cut-through, ample buffers";
  result[1].name = "store-and-forward, buffers of one packet";
  result[1].hardware.switching = netsim::Switching::store_and_forward;
  result[1].hardware.input_buffer = result[1].hardware.packet;
  result[2].name = "cut-through, two packets in and three out";
  result[2].hardware.input_buffer = 2 * result[2].hardware.packet;
  result[2].hardware.output_buffer = 3 * result[2].hardware.packet;
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

void run_with_policy(netsim::Network& network, policy::Policy& policy) {
  while (network.now() < kUntil) {
    for (const policy::Action& action : policy.decide(network.sample())) {
      policy.learn(network.apply(action));
    }
    network.run_until(std::min(kUntil, network.now() + policy.sample_period()));
  }
  network.run_dry();
  network.run_until(network.now() + 10us);  // the last bits on the last wire
}

}  // namespace

std::vector<DryRun> dry_runs() {
  std::vector<DryRun> result;
  for (const topology::Family& family : topology::families()) {
    for (const routing::Scheme& scheme : routing::schemes()) {
      if (!scheme.supports(family.name)) continue;
      for (const Variant& variant : variants()) {
        for (const ParameterTexts& parameters : shapes(family.name)) {
          result.push_back(
              {{family.name, parameters, scheme.name}, variant.name, variant.hardware});
        }
      }
    }
  }
  for (const char* policy : {"always-slowest", "epoch", "sleep"}) {
    for (const Variant& variant : variants()) {
      for (const char* scheme : {"minimal-adaptive", "ugal"}) {
        result.push_back({{"fbfly", shapes("fbfly")[1], scheme},
                          std::string(policy) + ", " + variant.name,
                          variant.hardware,
                          policy});
      }
    }
  }
  return result;
}

Dried run_dry(const DryRun& dry_run, Accounts& accounts) {
  const World world(dry_run.setting,
                    {gigabits_per_second(10), gigabits_per_second(20), gigabits_per_second(40)});
  const std::uint32_t hosts = world.graph().host_count();
  const auto pattern = uniform(world);
  // Two packets and a bit.
  const auto injection =
      traffic::make_injection("poisson", world.host_rate(), {{"load", "70%"}, {"size", "4513B"}})
          .value();
  const ParameterTexts parameters = dry_run.policy == "epoch" ? ParameterTexts{{"epoch", "3us"}}
                                    : dry_run.policy == "sleep"
                                        ? ParameterTexts{{"idle", "300ns"}, {"period", "1us"}}
                                        : ParameterTexts{};
  const auto made = policy::make_policy(dry_run.policy, parameters).value();
  netsim::OpenLoop source(*pattern, *injection, hosts, kSeed, kUntil);
  Announced announced(hosts);
  netsim::Network network(world.build(dry_run.hardware), source, announced);
  network.start_meters();
  run_with_policy(network, *made.policy);
  accounts.add(network.close_meters());

  Dried result{traffic::offered(*pattern, *injection, hosts, kSeed, kUntil),
               {},
               {},
               announced.data(),
               announced.messages(),
               network.leftovers()};
  for (std::uint32_t h = 0; h < hosts; ++h) {
    result.sent.push_back(network.use(world.from_host(h)).sent);
    result.received.push_back(network.use(world.to_host(h)).sent);
  }
  return result;
}

}  // namespace ebb::validate
