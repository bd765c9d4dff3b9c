// SPDX-License-Identifier: Apache-2.0
#include "transcript_records.hpp"

#include <array>
#include <limits>

namespace ebb::files {
namespace {

using policy::Action;
using policy::ChannelId;
using policy::RateLevel;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostId = std::numeric_limits<std::uint32_t>::max();

Duration span(Fields& fields, std::string_view key) {
  return Duration(fields.integer(key, 0, kMost));
}
TimePoint point(Fields& fields, std::string_view key) { return TimePoint(span(fields, key)); }
DataSize size(Fields& fields, std::string_view key, std::int64_t least = 0) {
  return bits(fields.integer(key, least, kMost));
}
RateLevel rate_level(Fields& fields) {
  return RateLevel{static_cast<std::uint8_t>(fields.integer("rate_level", 0, 254))};
}
ChannelId channel(Fields& fields, std::string_view key) {
  return ChannelId{static_cast<std::uint32_t>(fields.integer(key, 0, kMostId))};
}

policy::State state(Fields& fields) {
  static const std::array<std::string, 2> kModes = {"active", "asleep"};
  policy::State state{static_cast<policy::Mode>(fields.word("mode", kModes).value_or(0)),
                      rate_level(fields)};
  state.changing = fields.has("changing_until_ps");
  if (state.changing) state.until = point(fields, "changing_until_ps");
  return state;
}

policy::ChannelSample channel_sample(Fields& fields) {
  return {.id = channel(fields, "channel"),
          .reverse = channel(fields, "reverse"),
          .device = static_cast<std::uint32_t>(fields.integer("device", 0, kMostId)),
          .to_host = fields.integer("to_host", 0, 1) == 1,
          .tier = static_cast<std::uint8_t>(fields.integer("tier", 0, 255)),
          .rate_levels = static_cast<std::uint8_t>(fields.integer("rate_levels", 1, 255)),
          .slowest = microwatts(fields.integer("slowest_uw", 0, kMost)),
          .full = microwatts(fields.integer("full_uw", 0, kMost)),
          .window = span(fields, "window_ps"),
          .busy = span(fields, "busy_ps"),
          .wake_stall = span(fields, "wake_stall_ps"),
          .sent = size(fields, "sent_bits"),
          .queued = size(fields, "queued_bits"),
          .state = state(fields)};
}

// In the order of policy::Order.
policy::Order order(Fields& fields) {
  static const std::array<std::string, 8> kOrders = {"set_rate_level",
                                                     "sleep",
                                                     "wake",
                                                     "sleep_when_idle",
                                                     "wake_when_queued",
                                                     "speed_up_when_queued",
                                                     "slow_down_when_idle",
                                                     "disarm"};
  switch (fields.word("do", kOrders).value_or(7)) {
    case 0:
      return policy::SetRateLevel{rate_level(fields)};
    case 1:
      return policy::Sleep{};
    case 2:
      return policy::Wake{};
    case 3:
      return policy::SleepWhenIdle{span(fields, "idle_ps"), size(fields, "wake_bits", 1),
                                   span(fields, "max_coalescing_delay_ps")};
    case 4:
      return policy::WakeWhenQueued{size(fields, "queued_bits", 1)};
    case 5:
      return policy::SpeedUpWhenQueued{size(fields, "queued_bits", 1), rate_level(fields)};
    case 6:
      return policy::SlowDownWhenIdle{span(fields, "idle_ps"), rate_level(fields)};
    default:
      return policy::Disarm{};
  }
}

policy::NextHopSet next_hop_set(Fields& fields) {
  policy::NextHopSet row{
      .device = static_cast<std::uint32_t>(fields.integer("device", 0, kMostId)),
      .destination = static_cast<std::uint32_t>(fields.integer("destination", 0, kMostId)),
      .channels = {}};
  for (const std::int64_t channel : fields.integers("channels", 0, kMostId))
    row.channels.push_back(ChannelId{static_cast<std::uint32_t>(channel)});
  return row;
}

Action action(Fields& fields) { return {channel(fields, "channel"), order(fields)}; }

}  // namespace

policy::TranscriptHeader read_header(Fields& line) {
  policy::TranscriptHeader header;
  (void)line.integer("schema_version", policy::kTranscriptVersion, policy::kTranscriptVersion);
  header.policy = line.text("policy");
  for (Fields& entry : line.list("parameters"))
    header.parameters.emplace_back(entry.text("name"), entry.text("value"));
  header.sample_period = Duration(line.integer("sample_period_ps", 1, kMost));
  return header;
}

policy::RecordedNextHops read_next_hops(Fields& line) {
  policy::RecordedNextHops recorded;
  for (Fields& entry : line.list("next_hops")) recorded.next_hops.push_back(next_hop_set(entry));
  return recorded;
}

policy::RecordedSample read_sample(Fields& line) {
  policy::RecordedSample sample{.at = point(line, "at_ps"), .channels = {}};
  for (Fields& entry : line.list("channels")) sample.channels.push_back(channel_sample(entry));
  return sample;
}

policy::RecordedActions read_actions(Fields& line) {
  policy::RecordedActions actions{.at = point(line, "at_ps"), .actions = {}};
  for (Fields& entry : line.list("actions")) actions.actions.push_back(action(entry));
  return actions;
}

policy::Outcome read_outcome(Fields& line) {
  static const std::array<std::string, 5> kReasons = {"done", "changing", "not_supported",
                                                      "unknown_channel", "refused"};
  policy::Outcome outcome;
  outcome.at = point(line, "at_ps");
  Fields asked = line.object("asked");
  outcome.asked = action(asked);
  Fields applied = line.object("applied");
  outcome.applied = state(applied);
  outcome.reason = static_cast<policy::Reason>(line.word("reason", kReasons).value_or(0));
  return outcome;
}

}  // namespace ebb::files
