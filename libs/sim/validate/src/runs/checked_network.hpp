// SPDX-License-Identifier: Apache-2.0
//
// A network with its routing and channel models, as checks use it.
#pragma once

#include "checks.hpp"

#include "ebb/netsim/channel_model.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/host_source.hpp"
#include "ebb/units/parameters.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::validate {

struct Setting {
  std::string family;
  ParameterTexts parameters;
  std::string scheme;
};
// "fbfly hosts=2 dims=4x4, dimension-order".
[[nodiscard]] std::string text_of(const Setting& setting);
// False for shapes that the scheme refuses although it knows the family: `tables`, where the eight
// classes of service run out.
[[nodiscard]] bool has_routing(const Setting& setting);

// Routing refers to the graph, so a checked network stays where it is.
class CheckedNetwork {
 public:
  // Every channel runs at one of `rate_table`, draws 100 mW per Gb/s, changes in 1 us, sleeps at
  // 100 mW and wakes in 10 us. Settings are part of the program: one that does not exist is a bug.
  explicit CheckedNetwork(const Setting& setting,
                          topology::RateTable rate_table = {gigabits_per_second(40)});
  CheckedNetwork(topology::Graph graph, const std::string& scheme);
  CheckedNetwork(const CheckedNetwork&) = delete;
  CheckedNetwork& operator=(const CheckedNetwork&) = delete;

  [[nodiscard]] const topology::Graph& graph() const { return graph_; }
  [[nodiscard]] const routing::Routing& routing() const { return *routing_; }
  [[nodiscard]] const std::vector<netsim::ChannelModel>& models() const { return models_; }
  [[nodiscard]] DataRate host_rate() const { return graph_.rate_tables().front().back(); }
  [[nodiscard]] netsim::NetworkConfig config(const netsim::Hardware& hardware) const;

  // The switch of a host, the channel from it and the one to it.
  [[nodiscard]] topology::NodeId switch_of(std::uint32_t host) const;
  [[nodiscard]] topology::ChannelId from_host(std::uint32_t host) const;
  [[nodiscard]] topology::ChannelId to_host(std::uint32_t host) const;

 private:
  topology::Graph graph_;
  std::unique_ptr<routing::Routing> routing_;
  std::vector<netsim::ChannelModel> models_;
};

// What a switch draws beside its channels, in every run.
inline constexpr Power kSwitchCore = watts(3);

// Small shapes of every family.
[[nodiscard]] std::vector<ParameterTexts> shapes(const std::string& family);

// Switch-to-switch links from every switch to `to`, by breadth-first search.
[[nodiscard]] std::vector<int> distances_to(const topology::Graph& graph, topology::NodeId to);

// Runs under load, measured by netsim::run as a user would.

struct Load {
  const traffic::Pattern& pattern;
  std::uint32_t senders = 0;  // hosts that send
  std::string load;           // share of their rate, as "95%"
  Duration warm_up{};
  Duration measure{};
  std::uint64_t seed = 1;
  std::string injection = "poisson";
  Duration tail_limit = std::chrono::milliseconds(2);  // after what is measured
};

// Messages of one packet each.
[[nodiscard]] netsim::Report run_loaded(const CheckedNetwork& checked,
                                        const netsim::Hardware& hardware, const Load& load,
                                        Accounts& accounts);

// Delivered data as a share of what the senders' links can carry; 0 when the network got stuck.
[[nodiscard]] double accepted(const netsim::Report& report, const CheckedNetwork& checked,
                              const Load& load);

[[nodiscard]] std::unique_ptr<traffic::Pattern> uniform(const CheckedNetwork& checked);

// Every host always sends to the same one, or stays silent.
class FixedPattern final : public traffic::Pattern {
 public:
  using Destination = std::function<std::optional<std::uint32_t>(std::uint32_t)>;
  explicit FixedPattern(Destination destination) : destination_(std::move(destination)) {}

  [[nodiscard]] std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                                          RandomStream& /*stream*/) const override {
    return *destination_(source);
  }
  [[nodiscard]] bool sends(std::uint32_t source) const override {
    return destination_(source).has_value();
  }

 private:
  Destination destination_;
};

}  // namespace ebb::validate
