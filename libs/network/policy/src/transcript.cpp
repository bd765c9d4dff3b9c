// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/transcript.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

namespace ebb::policy {

std::span<const std::string> order_names() {
  static const std::array<std::string, std::variant_size_v<Order>> names = {"set_rate_level",
                                                                            "sleep",
                                                                            "wake",
                                                                            "sleep_when_idle",
                                                                            "wake_when_queued",
                                                                            "speed_up_when_queued",
                                                                            "slow_down_when_idle",
                                                                            "wake_when_announced",
                                                                            "disarm"};
  return names;
}

namespace {

template <class... Args>
void add(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

std::int64_t picoseconds(TimePoint at) { return at.time_since_epoch().count(); }

// Only what JSON demands is escaped, each in one row.
void add_string(std::string& text, std::string_view value) {
  text += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text += '\\';
    if (byte < 0x20) {
      add(text, "\\u{:04x}", byte);
    } else {
      text += c;
    }
  }
  text += '"';
}

void add_state(std::string& text, const State& state) {
  add(text, R"("mode":"{}","rate_level":{})", to_text(state.mode), index(state.rate_level));
  if (state.changing) add(text, R"(,"changing_until_ps":{})", picoseconds(state.until));
}

void add_channel(std::string& text, const ChannelSample& channel) {
  add(text, R"({{"channel":{},"reverse":{},"device":{},"to_host":{},"tier":{},"rate_levels":{},)",
      index(channel.id), index(channel.reverse), channel.device, channel.to_host ? 1 : 0,
      channel.tier, channel.rate_levels);
  add(text, R"("slowest_uw":{},"full_uw":{},"window_ps":{},"busy_ps":{},"wake_stall_ps":{},)",
      channel.slowest.count(), channel.full.count(), channel.window.count(), channel.busy.count(),
      channel.wake_stall.count());
  add(text, R"("sent_bits":{},"queued_bits":{},)", channel.sent.count(), channel.queued.count());
  add_state(text, channel.state);
  text += '}';
}

struct OrderText {
  std::string& text;

  void operator()(const SetRateLevel& order) const {
    add(text, R"("set_rate_level","rate_level":{})", index(order.rate_level));
  }
  void operator()(const Sleep& /*order*/) const { text += R"("sleep")"; }
  void operator()(const Wake& /*order*/) const { text += R"("wake")"; }
  void operator()(const SleepWhenIdle& order) const {
    add(text, R"("sleep_when_idle","idle_ps":{},"wake_bits":{},"max_coalescing_delay_ps":{})",
        order.idle.count(), order.wake.count(), order.max_coalescing_delay.count());
  }
  void operator()(const WakeWhenQueued& order) const {
    add(text, R"("wake_when_queued","queued_bits":{})", order.queued.count());
  }
  void operator()(const SpeedUpWhenQueued& order) const {
    add(text, R"("speed_up_when_queued","queued_bits":{},"rate_level":{})", order.queued.count(),
        index(order.rate_level));
  }
  void operator()(const SlowDownWhenIdle& order) const {
    add(text, R"("slow_down_when_idle","idle_ps":{},"rate_level":{})", order.idle.count(),
        index(order.rate_level));
  }
  void operator()(const WakeWhenAnnounced& order) const {
    add(text, R"("wake_when_announced","hold_ps":{},"planned":{})", order.hold.count(),
        order.planned ? 1 : 0);
  }
  void operator()(const Disarm& /*order*/) const { text += R"("disarm")"; }
};

void add_action(std::string& text, const Action& action) {
  add(text, R"({{"channel":{},"do":)", index(action.channel));
  std::visit(OrderText{text}, action.order);
  text += '}';
}

void add_parameter(std::string& text, const ParameterTexts::value_type& parameter) {
  text += R"({"name":)";
  add_string(text, parameter.first);
  text += R"(,"value":)";
  add_string(text, parameter.second);
  text += '}';
}

void add_number(std::string& text, const ChannelId& channel) { add(text, "{}", index(channel)); }

template <class T>
void add_list(std::string& text, std::span<const T> values,
              void (*add_value)(std::string&, const T&)) {
  text += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    add_value(text, values[i]);
  }
  text += ']';
}

void add_next_hop_set(std::string& text, const NextHopSet& row) {
  add(text, R"({{"device":{},"destination":{},"channels":)", row.device, row.destination);
  add_list(text, std::span<const ChannelId>(row.channels), add_number);
  text += '}';
}

}  // namespace

std::string to_line(const TranscriptHeader& header) {
  std::string text =
      fmt::format(R"({{"kind":"header","schema_version":{},"policy":)", kTranscriptVersion);
  add_string(text, header.policy);
  text += R"(,"parameters":)";
  add_list(text, std::span<const ParameterTexts::value_type>(header.parameters), add_parameter);
  add(text, R"(,"sample_period_ps":{}}})", header.sample_period.count());
  return text;
}

std::string to_line(std::span<const NextHopSet> next_hops) {
  std::string text = R"({"kind":"next_hops","next_hops":)";
  add_list(text, next_hops, add_next_hop_set);
  return text += '}';
}

std::string to_line(const Sample& sample) {
  std::string text =
      fmt::format(R"({{"kind":"sample","at_ps":{},"channels":)", picoseconds(sample.at));
  add_list(text, sample.channels, add_channel);
  return text += '}';
}

std::string to_line(TimePoint at, std::span<const Action> actions) {
  std::string text = fmt::format(R"({{"kind":"actions","at_ps":{},"actions":)", picoseconds(at));
  add_list(text, actions, add_action);
  return text += '}';
}

std::string to_line(const Outcome& outcome) {
  std::string text =
      fmt::format(R"({{"kind":"outcome","at_ps":{},"asked":)", picoseconds(outcome.at));
  add_action(text, outcome.asked);
  text += R"(,"applied":{)";
  add_state(text, outcome.applied);
  add(text, R"(}},"reason":"{}"}})", to_text(outcome.reason));
  return text;
}

std::string to_text(const Action& action) {
  std::string text;
  add_action(text, action);
  return text;
}

Recorder::Recorder(const TranscriptHeader& header, Policy& policy, Sink sink)
    : policy_(policy), sink_(std::move(sink)) {
  write(to_line(header));
}

void Recorder::set_next_hops(std::span<const NextHopSet> next_hops) {
  write(to_line(next_hops));
  policy_.set_next_hops(next_hops);
}

std::vector<Action> Recorder::decide(const Sample& sample) {
  write(to_line(sample));
  auto actions = policy_.decide(sample);
  write(to_line(sample.at, actions));
  return actions;
}

void Recorder::on_outcome(const Outcome& outcome) {
  write(to_line(outcome));
  policy_.on_outcome(outcome);
}

void Recorder::write(std::string line) {
  line += '\n';
  sink_(line);
}

}  // namespace ebb::policy
