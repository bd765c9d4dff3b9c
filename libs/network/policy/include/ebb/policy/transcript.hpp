// SPDX-License-Identifier: Apache-2.0
//
// What a policy saw and said, as JSON Lines: a header, the next-hop sets if the policy needs them,
// then each sample followed by its actions, and outcomes where they were learned. Keys come in one
// order, there are no spaces, numbers are integers in base units with the unit in the key: one
// value has one text, so equal decisions are equal bytes. docs/models/policies.md lists the keys.
//
//   Recorder recorder({made->name, made->parameters, made->policy->sample_period()}, *made->policy,
//                     [&](std::string_view line) { file << line; });
//   driver.run(recorder);   // a Recorder is a Policy
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ebb::policy {

inline constexpr int kTranscriptVersion = 3;

// Names of orders in transcripts, in the order of the variant. Texts, because readers offer them.
[[nodiscard]] std::span<const std::string> order_names();

struct TranscriptHeader {
  std::string policy;
  ParameterTexts parameters;  // resolved, in the policy's order
  Duration sample_period{};

  bool operator==(const TranscriptHeader&) const = default;
};

// One line each, without its line end.
[[nodiscard]] std::string to_line(const TranscriptHeader& header);
[[nodiscard]] std::string to_line(std::span<const NextHopSet> next_hops);
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
  [[nodiscard]] Abilities acts_by() const override { return policy_.acts_by(); }
  [[nodiscard]] bool needs_next_hops() const override { return policy_.needs_next_hops(); }
  void set_next_hops(std::span<const NextHopSet> next_hops) override;
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override;
  void on_outcome(const Outcome& outcome) override;
  [[nodiscard]] std::optional<std::string> failure() const override { return policy_.failure(); }

 private:
  void write(std::string line);

  Policy& policy_;
  Sink sink_;
};

// A transcript as values, and the test that a policy still says what it said: samples and outcomes
// are fed to a fresh policy in their order, and its actions must be the recorded ones byte for
// byte.

struct RecordedNextHops {
  std::vector<NextHopSet> next_hops;
};

struct RecordedSample {
  TimePoint at{};
  std::vector<ChannelSample> channels;
};

struct RecordedActions {
  TimePoint at{};
  std::vector<Action> actions;
};

struct Record {
  int line = 0;  // in the file, from 1
  std::variant<RecordedNextHops, RecordedSample, RecordedActions, Outcome> what;
};

struct Transcript {
  TranscriptHeader header;
  std::vector<Record> records;
};

// Next-hop sets are sound and stand directly after the header, every sample is sound and followed
// by its own actions, the samples do not go back in time, and an outcome does not come before the
// first sample. Errors carry the line.
[[nodiscard]] Errors check(const Transcript& transcript);

// The first place where the policy no longer says what was recorded.
struct Difference {
  int line = 0;
  std::optional<ChannelId> channel;  // none: the period differs
  std::string recorded;              // "nothing" when one side has no further action
  std::string replayed;

  bool operator==(const Difference&) const = default;
};
[[nodiscard]] std::string to_text(const Difference& difference);

struct ReplayReport {
  std::int64_t samples = 0;
  std::int64_t actions = 0;  // that were equal
  std::int64_t outcomes = 0;
  std::optional<Difference> difference;  // the replay ends there

  [[nodiscard]] bool equal() const { return !difference; }
};

// `policy` must be fresh. Fails when the transcript is not sound; a difference is a report.
[[nodiscard]] Result<ReplayReport> replay(const Transcript& transcript, Policy& policy);

// The same with the policy and the parameters that the header names.
[[nodiscard]] Result<ReplayReport> replay(const Transcript& transcript);

}  // namespace ebb::policy
