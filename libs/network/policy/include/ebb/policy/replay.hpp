// SPDX-License-Identifier: Apache-2.0
//
// A transcript as values, and the test that a policy still says what it said: samples and outcomes
// are fed to a fresh policy in their order, and its actions must be the recorded ones byte for
// byte.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/policy/transcript.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ebb::policy {

struct RecordedWays {
  std::vector<Way> ways;
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
  std::variant<RecordedWays, RecordedSample, RecordedActions, Outcome> what;
};

struct Transcript {
  TranscriptHeader header;
  std::vector<Record> records;
};

// Ways are sound and stand directly after the header, every sample is sound and followed by its own
// actions, the samples do not go back in time, and an outcome does not come before the first
// sample. Errors carry the line.
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
