// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/policy.hpp"
#include "ebb/policy/transcript.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::policy {
namespace {

// Follows the order of the records.
class Checker {
 public:
  [[nodiscard]] Errors run(const Transcript& transcript) {
    for (const Record& record : transcript.records) {
      line_ = record.line;
      if (open_ && !std::holds_alternative<RecordedActions>(record.what)) {
        report("a sample must be followed by its actions");
        open_ = false;
      }
      std::visit([&](const auto& what) { visit(what); }, record.what);
    }
    if (open_) report("the last sample has no actions: the transcript was cut");
    return std::move(errors_);
  }

 private:
  void visit(const RecordedNextHops& recorded) {
    if (line_ != 2) report("next-hop sets stand only directly after the header");
    add(policy::check(recorded.next_hops));
  }

  void visit(const RecordedSample& sample) {
    if (sampled_ && sample.at < at_) report("samples must not go back in time");
    add(policy::check(Sample{sample.at, sample.channels}));
    at_ = sample.at;
    sampled_ = open_ = true;
  }

  void visit(const RecordedActions& actions) {
    if (!open_) {
      report("actions without a sample before them");
    } else if (actions.at != at_) {
      report("the actions bear another time than their sample");
    }
    open_ = false;
  }

  void visit(const Outcome& /*outcome*/) {
    if (!sampled_) report("an outcome before the first sample");
  }

  void add(const Errors& errors) {
    for (const Error& error : errors)
      errors_.push_back({error.message, {.line = line_, .path = error.where.path}});
  }
  void report(std::string message) { errors_.push_back({std::move(message), {.line = line_}}); }

  Errors errors_;
  int line_ = 0;
  TimePoint at_{};
  bool sampled_ = false;  // a sample has been seen
  bool open_ = false;     // and its actions have not
};

Difference first_difference(int line, std::span<const Action> recorded,
                            std::span<const Action> replayed) {
  const auto [a, b] =
      std::mismatch(recorded.begin(), recorded.end(), replayed.begin(), replayed.end());
  const auto said = [](auto at, auto end) {
    return at == end ? std::string("nothing") : to_text(*at);
  };
  const ChannelId channel = a == recorded.end()   ? b->channel
                            : b == replayed.end() ? a->channel
                                                  : std::min(a->channel, b->channel);
  return {line, channel, said(a, recorded.end()), said(b, replayed.end())};
}

class Player {
 public:
  explicit Player(Policy& policy) : policy_(policy) {}

  [[nodiscard]] ReplayReport run(const Transcript& transcript) {
    compare_period(transcript.header);
    for (const Record& record : transcript.records) {
      if (report_.difference) break;
      std::visit([&](const auto& what) { play(record.line, what); }, record.what);
    }
    return std::move(report_);
  }

 private:
  // Samples are given, so another period would show in no action.
  void compare_period(const TranscriptHeader& header) {
    if (policy_.sample_period() == header.sample_period) return;
    const auto text = [](Duration period) {
      return fmt::format(R"("sample_period_ps":{})", period.count());
    };
    report_.difference =
        Difference{1, {}, text(header.sample_period), text(policy_.sample_period())};
  }

  void play(int /*line*/, const RecordedNextHops& recorded) {
    policy_.set_next_hops(recorded.next_hops);
  }

  void play(int /*line*/, const RecordedSample& sample) {
    said_ = policy_.decide({sample.at, sample.channels});
    ++report_.samples;
  }

  void play(int line, const RecordedActions& recorded) {
    if (to_line(recorded.at, recorded.actions) != to_line(recorded.at, said_)) {
      report_.difference = first_difference(line, recorded.actions, said_);
    } else {
      report_.actions += static_cast<std::int64_t>(said_.size());
    }
  }

  void play(int /*line*/, const Outcome& outcome) {
    policy_.on_outcome(outcome);
    ++report_.outcomes;
  }

  Policy& policy_;
  std::vector<Action> said_;
  ReplayReport report_;
};

}  // namespace

Errors check(const Transcript& transcript) { return Checker().run(transcript); }

std::string to_text(const Difference& difference) {
  const std::string channel =
      difference.channel ? fmt::format(", channel {}", index(*difference.channel)) : "";
  return fmt::format("line {}{}: recorded {}, replayed {}", difference.line, channel,
                     difference.recorded, difference.replayed);
}

Result<ReplayReport> replay(const Transcript& transcript, Policy& policy) {
  Errors errors = check(transcript);
  if (!errors.empty()) return fail(std::move(errors));
  return Player(policy).run(transcript);
}

Result<ReplayReport> replay(const Transcript& transcript) {
  const auto made = make_policy(transcript.header.policy, transcript.header.parameters);
  if (!made) return fail(made.error());
  return replay(transcript, *made->policy);
}

}  // namespace ebb::policy
