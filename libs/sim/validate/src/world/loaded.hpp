// SPDX-License-Identifier: Apache-2.0
//
// Runs under load, measured by netsim::run as a user would.
#pragma once

#include "world/accounts.hpp"
#include "world/world.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/traffic/independent_hosts.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ebb::validate {

struct Load {
  const traffic::Pattern& pattern;
  std::uint32_t senders = 0;  // hosts that send
  std::string load;           // share of their rate, as "95%"
  Duration warm_up{};
  Duration measure{};
  std::uint64_t seed = 1;
};

// Poisson messages of one packet each.
[[nodiscard]] netsim::Report run_loaded(const World& world, const netsim::Hardware& hardware,
                                        const Load& load, Accounts& accounts);

// Delivered data as a share of what the senders' links can carry; 0 when the network got stuck.
[[nodiscard]] double accepted(const netsim::Report& report, const World& world, const Load& load);

[[nodiscard]] std::unique_ptr<traffic::Pattern> uniform(const World& world);

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
