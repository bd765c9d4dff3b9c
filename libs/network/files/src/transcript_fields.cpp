// SPDX-License-Identifier: Apache-2.0
#include "transcript_fields.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ebb::files {
namespace {

using Json = nlohmann::json;

// Numbers with a point or an exponent are no integers, whatever their value.
std::optional<std::int64_t> whole(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

}  // namespace

Fields::Fields(const Json* value, std::string path, int line, Diagnostics& errors)
    : object_(value != nullptr && value->is_object() ? value : nullptr),
      path_(std::move(path)),
      line_(line),
      errors_(&errors) {
  if (value != nullptr && object_ == nullptr) errors.add("expected an object", line, 0, path_);
}

bool Fields::has(std::string_view key) const { return find(key) != nullptr; }

std::int64_t Fields::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  const Json* value = require(key);
  if (value == nullptr) return least;
  const auto number = whole(*value);
  if (number && *number >= least && *number <= most) return *number;
  report(key, fmt::format("expected a whole number from {} to {}", least, most));
  return least;
}

std::vector<std::int64_t> Fields::integers(std::string_view key, std::int64_t least,
                                           std::int64_t most) {
  const Json* value = require(key);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    report(key, "expected a list");
    return {};
  }
  std::vector<std::int64_t> numbers;
  numbers.reserve(value->size());
  for (const Json& entry : *value) {
    const auto number = whole(entry);
    if (number && *number >= least && *number <= most) {
      numbers.push_back(*number);
    } else {
      report(key, fmt::format("expected whole numbers from {} to {}", least, most));
      break;
    }
  }
  return numbers;
}

std::string Fields::text(std::string_view key) {
  const Json* value = require(key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  report(key, "expected a text");
  return {};
}

std::optional<std::size_t> Fields::word(std::string_view key, std::span<const std::string> words) {
  const Json* value = require(key);
  if (value == nullptr) return std::nullopt;
  const auto found = value->is_string() ? std::find(words.begin(), words.end(),
                                                    value->get_ref<const std::string&>())
                                        : words.end();
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::string given = value->is_string() ? value->get<std::string>() : value->type_name();
  report(key, unknown_name("word", shown(given), words));
  return std::nullopt;
}

Fields Fields::object(std::string_view key) {
  return {require(key), path_of(key), line_, *errors_};
}

std::vector<Fields> Fields::list(std::string_view key) {
  std::vector<Fields> entries;
  const Json* value = require(key);
  if (value != nullptr && !value->is_array()) report(key, "expected a list");
  if (value == nullptr || !value->is_array()) return entries;
  entries.reserve(value->size());
  for (const Json& entry : *value) {
    if (errors_->full()) break;
    entries.emplace_back(&entry, fmt::format("{}[{}]", path_of(key), entries.size()), line_,
                         *errors_);
  }
  return entries;
}

void Fields::report(std::string_view key, std::string message) {
  errors_->add(std::move(message), line_, 0, path_of(key));
}

const Json* Fields::find(std::string_view key) const {
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(std::string(key));
  return found == object_->end() ? nullptr : &*found;
}

const Json* Fields::require(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr && object_ != nullptr) report(key, fmt::format("missing key '{}'", key));
  return value;
}

std::string Fields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

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

policy::Order order(Fields& fields) {
  switch (fields.word("do", policy::order_names()).value_or(8)) {
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
    case 7:
      return policy::WakeWhenAnnounced{span(fields, "hold_ps"),
                                       fields.integer("planned", 0, 1) == 1};
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
