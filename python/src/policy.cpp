// SPDX-License-Identifier: Apache-2.0
#include "policy.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "sample_columns.hpp"

#include "ebb/files/transcript_file.hpp"
#include "ebb/policy/ability.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace ebb::python {
namespace {

using policy::Ability;

constexpr std::array<std::pair<std::string_view, Ability>, 7> kAbilities = {
    {{"set_rate", Ability::set_rate},
     {"sleep", Ability::sleep},
     {"sleep_of_tiers", Ability::sleep_of_tiers},
     {"slow_when_idle", Ability::slow_when_idle},
     {"sleep_when_idle", Ability::sleep_when_idle},
     {"wake_when_announced", Ability::wake_when_announced},
     {"wake_when_planned", Ability::wake_when_planned}}};

policy::Abilities abilities_of(const py::object& policy) {
  policy::Abilities abilities;
  for (const py::handle name : policy.attr("acts_by")) {
    const auto text = py::cast<std::string>(name);
    const auto* const known = std::find_if(kAbilities.begin(), kAbilities.end(),
                                           [&](const auto& one) { return one.first == text; });
    if (known == kAbilities.end()) {
      throw py::value_error(fmt::format(
          "'acts_by' names '{}'; a policy acts by set_rate, sleep, sleep_of_tiers, slow_when_idle, "
          "sleep_when_idle, wake_when_announced or wake_when_planned",
          text));
    }
    abilities.push_back(known->second);
  }
  return abilities;
}

// A text such as "10us", or picoseconds.
Duration time_of(const py::object& policy, const char* name) {
  const py::object value = policy.attr(name);
  const auto time = py::isinstance<py::str>(value)
                        ? value_or_raise(parse<Duration>(value.cast<std::string>()))
                        : Duration(value.cast<std::int64_t>());
  if (time <= Duration{}) throw py::value_error(fmt::format("'{}' must be positive", name));
  return time;
}

std::optional<Duration> shortest_idle_of(const py::object& policy) {
  if (policy.attr("shortest_idle").is_none()) return std::nullopt;
  return time_of(policy, "shortest_idle");
}

// After which a trigger saves power; nothing: it is no such trigger.
std::optional<Duration> idle_of(const policy::Order& order) {
  if (const auto* sleep = std::get_if<policy::SleepWhenIdle>(&order)) return sleep->idle;
  if (const auto* slow = std::get_if<policy::SlowDownWhenIdle>(&order)) return slow->idle;
  return std::nullopt;
}

bool overrides(const py::object& policy, const char* method) {
  const py::object base = py::module_::import("ebb._policy").attr("Policy");
  return !py::type::of(policy).attr(method).is(base.attr(method));
}

// Ends a sample when the decision has been made or has failed.
class Shown {
 public:
  explicit Shown(const policy::Sample& sample)
      : columns_(std::make_shared<SampleColumns>(sample)) {}
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;
  ~Shown() { columns_->end(); }
  [[nodiscard]] const std::shared_ptr<SampleColumns>& columns() const { return columns_; }

 private:
  std::shared_ptr<SampleColumns> columns_;
};

// A world has checked before the run that channels can do what the policy says it acts by.
void check_orders(const std::vector<policy::Action>& actions, const policy::Policy& policy) {
  const policy::Abilities acts_by = policy.acts_by();
  const std::optional<Duration> shortest = policy.shortest_idle();
  for (const policy::Action& action : actions) {
    const std::string& order = policy::order_names()[action.order.index()];
    if (!policy::may_give(acts_by, action.order)) {
      throw py::value_error(fmt::format(
          "the policy gives the order '{}', and 'acts_by' does not say that it may", order));
    }
    if (const auto idle = idle_of(action.order); idle && shortest && *idle < *shortest) {
      throw py::value_error(
          fmt::format("the policy gives the order '{}' with an idle time of {}, "
                      "and its 'shortest_idle' is {}",
                      order, to_text(*idle), to_text(*shortest)));
    }
  }
}

}  // namespace

PythonPolicy::PythonPolicy(py::object policy)
    : policy_(std::move(policy)),
      decide_(policy_.attr("decide")),
      period_(time_of(policy_, "sample_period")),
      shortest_idle_(shortest_idle_of(policy_)),
      acts_by_(abilities_of(policy_)),
      needs_next_hops_(policy_.attr("needs_next_hops").cast<bool>()),
      hears_outcomes_(overrides(policy_, "on_outcome")) {}

PythonPolicy::~PythonPolicy() {
  const py::gil_scoped_acquire gil;
  decide_.release().dec_ref();
  policy_.release().dec_ref();
}

// Rows one after the other: the channels of row i are channels[first[i]:first[i + 1]].
void PythonPolicy::set_next_hops(std::span<const policy::NextHopSet> next_hops) {
  const py::gil_scoped_acquire gil;
  std::vector<std::int64_t> first = {0};
  std::vector<std::int64_t> channels;
  for (const policy::NextHopSet& set : next_hops) {
    for (const policy::ChannelId channel : set.channels) channels.push_back(index(channel));
    first.push_back(static_cast<std::int64_t>(channels.size()));
  }
  const auto number = [](std::int64_t value) { return value; };
  const py::object made =
      py::module_::import("ebb._policy")
          .attr("NextHops")(
              column<std::int64_t>(next_hops, [](const auto& set) { return set.device; }),
              column<std::int64_t>(next_hops, [](const auto& set) { return set.destination; }),
              column<std::int64_t>(first, number), column<std::int64_t>(channels, number));
  policy_.attr("set_next_hops")(made);
}

std::vector<policy::Action> PythonPolicy::decide(const policy::Sample& sample) {
  const py::gil_scoped_acquire gil;
  const Shown shown(sample);
  const py::object said = decide_(shown.columns());
  if (said.is_none()) return {};
  if (!py::isinstance<Orders>(said)) throw py::type_error("decide() returns ebb.Orders or None");
  auto& orders = said.cast<Orders&>();
  if (!orders.is_of(*shown.columns()))
    throw py::value_error("decide() returned the orders of another sample");
  std::vector<policy::Action> actions = orders.take();
  check_orders(actions, *this);
  return actions;
}

void PythonPolicy::on_outcome(const policy::Outcome& outcome) {
  if (!hears_outcomes_) return;
  const py::gil_scoped_acquire gil;
  policy_.attr("on_outcome")(outcome);
}

namespace {

// A name or a value that stands in a document without quotes.
std::string plain_text(const py::handle& value) {
  auto text = py::cast<std::string>(py::str(value));
  const bool plain = !text.empty() && text.find_first_of(",:#{}[]\"'\n\r\t") == std::string::npos;
  if (!plain) {
    throw py::value_error(fmt::format(
        "'{}' cannot stand in a result: names and parameters of a policy are plain words", text));
  }
  return text;
}

}  // namespace

std::optional<policy::Made> python_policy(const py::object& policy) {
  if (policy.is_none()) return std::nullopt;
  policy::Made made{.name = plain_text(policy.attr("name"))};
  for (const auto& [key, value] : py::dict(policy.attr("parameters")))
    made.parameters.emplace_back(plain_text(key), plain_text(value));
  made.policy = std::make_unique<PythonPolicy>(policy);
  return made;
}

namespace {

void bind_outcome(py::module_& module) {
  using policy::Outcome;
  py::class_<Outcome>(module, "Outcome")
      .def_property_readonly("channel", [](const Outcome& one) { return index(one.asked.channel); })
      .def_property_readonly(
          "order",
          [](const Outcome& one) { return policy::order_names()[one.asked.order.index()]; })
      .def_property_readonly("at_ps",
                             [](const Outcome& one) { return one.at.time_since_epoch().count(); })
      .def_property_readonly("reason", [](const Outcome& one) { return to_text(one.reason); })
      .def_property_readonly(
          "asleep", [](const Outcome& one) { return one.applied.mode == policy::Mode::asleep; })
      .def_property_readonly("rate_level",
                             [](const Outcome& one) { return index(one.applied.rate_level); })
      .def_property_readonly("changing", [](const Outcome& one) { return one.applied.changing; });
}

// Adds up how long the decisions of another policy take.
class TimedPolicy final : public policy::Policy {
 public:
  explicit TimedPolicy(policy::Policy& policy) : policy_(policy) {}

  [[nodiscard]] Duration sample_period() const override { return policy_.sample_period(); }
  void set_next_hops(std::span<const policy::NextHopSet> next_hops) override {
    policy_.set_next_hops(next_hops);
  }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    const auto began = std::chrono::steady_clock::now();
    std::vector<policy::Action> actions = policy_.decide(sample);
    taken_ += std::chrono::steady_clock::now() - began;
    return actions;
  }
  void on_outcome(const policy::Outcome& outcome) override { policy_.on_outcome(outcome); }
  [[nodiscard]] double seconds() const { return taken_.count(); }

 private:
  policy::Policy& policy_;
  std::chrono::duration<double> taken_{};
};

// Without a policy the one that the transcript names is made.
py::dict replay(const std::string& path, const py::object& policy) {
  std::optional<policy::Made> made = python_policy(policy);
  double seconds = 0;
  const auto replayed = [&] {
    const py::gil_scoped_release no_gil;
    const policy::Transcript transcript = value_or_raise(files::read_transcript(path));
    const policy::TranscriptHeader& header = transcript.header;
    if (!made) made = value_or_raise(policy::make_policy(header.policy, header.parameters));
    TimedPolicy timed(*made->policy);
    const policy::ReplayReport report = value_or_raise(policy::replay(transcript, timed));
    seconds = timed.seconds();
    return report;
  }();
  py::dict report;
  report["decide_seconds"] = seconds;
  report["samples"] = replayed.samples;
  report["actions"] = replayed.actions;
  report["outcomes"] = replayed.outcomes;
  report["difference"] = py::none();
  if (replayed.difference) report["difference"] = to_text(*replayed.difference);
  return report;
}

}  // namespace

void bind_policy(py::module_& module) {
  bind_samples(module);
  bind_outcome(module);
  module.def("replay", &replay, py::arg("transcript"), py::arg("policy"));
}

}  // namespace ebb::python
