// SPDX-License-Identifier: Apache-2.0
//
// A policy decides the states of channels from samples: values in, values out. Time comes with the
// data; there is no clock, file, thread or log to reach. Given the same samples and outcomes in the
// same order, a policy gives the same actions, in a simulator, on a live fabric and in a replay.
//
// The driver of a world owns time and order:
//
//   world.start(policy->sample_period());
//   if (policy->needs_next_hops()) policy->set_next_hops(next_hops);
//   for each sample, the first at the start:
//     for (const Action& action : policy->decide(sample)) world.apply(action);
//     policy->on_outcome(outcome);   // for each answer, when it is known; the order is recorded
//
// The registry knows every policy by name. Adding one: a source file, a line in src/policies.hpp, a
// line in src/registry.cpp, a test.
//
//   auto made = make_policy("epoch", {{"target", "75%"}});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/ability.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::policy {

class Policy {
 public:
  Policy() = default;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  // How often the driver should sample; constant over the life of the policy, positive.
  [[nodiscard]] virtual Duration sample_period() const = 0;

  // By what it saves power; one of them is enough. Nothing, as always-on: it saves none. A world in
  // which no channel has any of them refuses the policy (ability.hpp).
  [[nodiscard]] virtual Abilities acts_by() const { return {}; }

  // The shortest idle time after which it lets a channel save power by itself; nothing: it arms no
  // such trigger. A world that looks at its channels less often refuses the policy.
  [[nodiscard]] virtual std::optional<Duration> shortest_idle() const { return std::nullopt; }

  // Whether what it promises needs the two channels of a link to have rates and states of their
  // own.
  [[nodiscard]] virtual bool needs_independent_channels() const { return false; }

  // Whether decisions need to know which channels can stand in for each other.
  [[nodiscard]] virtual bool needs_next_hops() const { return false; }

  // Why it would never change anything in a network that begins like this, as a sentence that goes
  // on after its name; nothing: it may.
  [[nodiscard]] virtual std::optional<std::string> objection(
      const Sample& /*first*/, std::span<const NextHopSet> /*next_hops*/) const {
    return std::nullopt;
  }

  // Whether the first sample is all that it decides by: later ones only show it channels that could
  // not follow then, or left their state.
  [[nodiscard]] virtual bool decides_once() const { return false; }

  // Once, before the first sample, if the policy needs them. They satisfy check(). A policy
  // that needs them and gets none leaves every channel alone.
  virtual void set_next_hops(std::span<const NextHopSet> /*next_hops*/) {}

  // Actions ascend by channel; those of one channel are to be applied in the order given.
  // The sample satisfies check().
  [[nodiscard]] virtual std::vector<Action> decide(const Sample& sample) = 0;

  virtual void on_outcome(const Outcome& /*outcome*/) {}

  // Why it decides no more, once it has failed; nothing: it has not. Policies of the registry never
  // fail. One that somebody else runs may, and a world that goes on without it then brings every
  // channel back to full power.
  [[nodiscard]] virtual std::optional<std::string> failure() const { return std::nullopt; }

  // A policy that decides link by link says so by giving copies of itself: what it asks of a
  // channel follows from the samples of that channel and of its reverse, and from the outcomes of
  // that channel, alone. A world may then divide the network, and give each part a copy that sees
  // the channels of the part with their reverse channels; what it asks of channels elsewhere is
  // ignored there. Nothing, unless it says so: it must see all channels.
  [[nodiscard]] virtual std::unique_ptr<Policy> copy_for_part() const { return nullptr; }

 protected:
  Policy(const Policy&) = default;
};

// A policy in the registry: its name, a line of help, its parameters and its factory.
struct Entry {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::unique_ptr<Policy> (*make)(const Parameters&) = nullptr;
};

// In the order `ebb list` prints them.
[[nodiscard]] std::span<const Entry> policies();
[[nodiscard]] Result<const Entry*> find_policy(std::string_view name);

// A policy ready to decide, and the resolved parameters that a transcript and a result keep.
struct Made {
  std::string name;
  ParameterTexts parameters;
  std::unique_ptr<Policy> policy;
};
[[nodiscard]] Result<Made> make_policy(std::string_view name, const ParameterTexts& parameters);

}  // namespace ebb::policy
