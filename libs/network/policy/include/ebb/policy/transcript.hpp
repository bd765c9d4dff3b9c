// SPDX-License-Identifier: Apache-2.0
//
// What a policy saw and said, as JSON Lines: a header, the ways if the policy wants them, then each
// sample followed by its actions, and outcomes where they were learned. Keys come in one order,
// there are no spaces, numbers are integers in base units with the unit in the key: one value has
// one text, so equal decisions are equal bytes. docs/models/policies.md lists the keys.
//
//   Recorder recorder({made->name, made->parameters, made->policy->sample_period()}, *made->policy,
//                     [&](std::string_view line) { file << line; });
//   driver.run(recorder);   // a Recorder is a Policy
#pragma once

#include "ebb/policy/policy.hpp"
#include "ebb/units/parameters.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::policy {

inline constexpr int kTranscriptVersion = 2;

struct TranscriptHeader {
  std::string policy;
  ParameterTexts parameters;  // resolved, in the policy's order
  Duration sample_period{};

  bool operator==(const TranscriptHeader&) const = default;
};

// One line each, without its line end.
[[nodiscard]] std::string to_line(const TranscriptHeader& header);
[[nodiscard]] std::string to_line(std::span<const Way> ways);
[[nodiscard]] std::string to_line(const Sample& sample);
[[nodiscard]] std::string to_line(TimePoint at, std::span<const Action> actions);
[[nodiscard]] std::string to_line(const Outcome& outcome);

// One action as it stands inside a line.
[[nodiscard]] std::string to_text(const Action& action);

// Takes whole lines, each with its line end, in order.
using Sink = std::function<void(std::string_view)>;

// Stands between a driver and a policy, so that no driver can forget to record something. Writes
// the header when it is made.
class Recorder final : public Policy {
 public:
  // `policy` must outlive the recorder.
  Recorder(const TranscriptHeader& header, Policy& policy, Sink sink);

  [[nodiscard]] Duration sample_period() const override { return policy_.sample_period(); }
  [[nodiscard]] bool wants_ways() const override { return policy_.wants_ways(); }
  void study(std::span<const Way> ways) override;
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override;
  void learn(const Outcome& outcome) override;

 private:
  void write(std::string line);

  Policy& policy_;
  Sink sink_;
};

}  // namespace ebb::policy
