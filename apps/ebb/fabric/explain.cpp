// SPDX-License-Identifier: Apache-2.0
#include "fabric/explain.hpp"

#include "command_line/table.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using controller::LinkState;
using topology::ChannelId;
using topology::LinkId;

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

std::array<ChannelId, 2> directions(LinkId link) {
  const ChannelId forth = topology::forward(link);
  return {forth, topology::reverse(forth)};
}

Json wishes_json(const topology::Graph& graph, const controller::Controller& controller,
                 LinkId link) {
  Json wishes = Json::array();
  for (const ChannelId channel : directions(link)) {
    wishes.push_back({{"from", graph.name(graph.source(channel))},
                      {"to", graph.name(graph.target(channel))},
                      {"wants", controller.wants_asleep(channel) ? "asleep" : "awake"},
                      {"used", controller.utilisation(channel)}});
  }
  return wishes;
}

Json rules_json(const std::vector<controller::RuleCheck>& checks) {
  Json rules = Json::array();
  for (const controller::RuleCheck& check : checks) {
    rules.push_back({{"rule", std::string(check.rule)},
                     {"present", check.present},
                     {"needed", check.needed},
                     {"objection", check.objection ? Json(*check.objection) : Json(nullptr)}});
  }
  return rules;
}

Json last_json(const monitor::LinkHistory& history) {
  Json last = Json::array();
  for (const controller::Entry& entry : history.last()) {
    last.push_back({{"at_s", seconds(entry.at.time_since_epoch())},
                    {"state", to_text(entry.state)},
                    {"why", entry.why}});
  }
  return last;
}

// Only an active link can begin to sleep. All of it must come true.
Json to_sleep(const topology::Graph& graph, const controller::Controller& controller,
              const std::vector<controller::RuleCheck>& checks, LinkId link) {
  Json steps = Json::array();
  const LinkState state = controller.link(link).state();
  if (state == LinkState::asleep || state == LinkState::draining) return steps;
  for (const ChannelId channel : directions(link)) {
    if (controller.wants_asleep(channel)) continue;
    steps.push_back(fmt::format("the policy must want {} to {} asleep, which is used {:.1f} %",
                                graph.name(graph.source(channel)),
                                graph.name(graph.target(channel)),
                                100 * controller.utilisation(channel)));
  }
  for (const controller::RuleCheck& check : checks) {
    if (check.objection)
      steps.push_back(fmt::format("{}: {}; needed: {}", check.rule, check.present, check.needed));
  }
  if (controller.only_says()) steps.push_back("a dry run puts nothing to sleep");
  if (steps.empty()) steps.push_back("nothing: the policy has only to ask once more");
  return steps;
}

// Any one of it is enough.
Json to_wake(const controller::Controller& controller, TimePoint now, LinkId link) {
  const controller::LinkMachine& machine = controller.link(link);
  const controller::Safety& safety = controller.safety();
  switch (machine.state()) {
    case LinkState::active:
      return Json::array();
    case LinkState::waking:
      return {
          fmt::format("both ends live for {:.1f} s, and both switches told; it has failed when "
                      "that takes {:.1f} s",
                      seconds(safety.times.hold), seconds(safety.times.wake_limit))};
    case LinkState::failed:
      return {"both ends must be live"};
    case LinkState::draining:
    case LinkState::asleep:
      break;
  }
  Json steps = Json::array();
  if (controller.is_taken_out(link)) {
    steps.push_back("an operator must put it back");
  } else {
    std::string asked = "the policy must want a direction awake";
    if (machine.state() == LinkState::asleep && now - machine.since() < safety.asleep_for)
      asked += fmt::format(", and it must have slept for {:.1f} s", seconds(safety.asleep_for));
    steps.push_back(asked);
  }
  steps.push_back("a link must fail, or the controller go: then everything is woken");
  return steps;
}

std::string steps_text(std::string_view title, const Json& steps) {
  std::string text;
  for (const Json& step : steps) text += fmt::format("  {}\n", step.get<std::string>());
  return steps.empty() ? "" : fmt::format("\n{}\n{}", title, text);
}

std::string rules_text(const Json& rules) {
  Table table({{"rule"}, {"present"}, {"needed to sleep"}, {""}});
  for (const Json& rule : rules) {
    table.add({rule["rule"].get<std::string>(), rule["present"].get<std::string>(),
               rule["needed"].get<std::string>(), rule["objection"].is_null() ? "" : "objects"});
  }
  return table.text();
}

}  // namespace

Json explain_json(const topology::Graph& graph, const controller::Controller& controller,
                  const monitor::LinkHistory& history, TimePoint now, LinkId link) {
  const controller::LinkMachine& machine = controller.link(link);
  const auto checks = controller.checks(now, link);
  return {{"link", link_name(graph, link)},
          {"state", to_text(machine.state())},
          {"since_s", seconds(machine.since().time_since_epoch())},
          {"for_s", seconds(now - machine.since())},
          {"why", machine.why()},
          {"taken_out", controller.is_taken_out(link)},
          {"policy", wishes_json(graph, controller, link)},
          {"rules", rules_json(checks)},
          {"to_sleep", to_sleep(graph, controller, checks, link)},
          {"to_wake", to_wake(controller, now, link)},
          {"last", last_json(history)}};
}

std::string explain_text(const Json& explanation) {
  std::string text =
      fmt::format("{} has been {} for {:.1f} s: {}\n\n", explanation["link"].get<std::string>(),
                  explanation["state"].get<std::string>(), explanation["for_s"].get<double>(),
                  explanation["why"].get<std::string>());
  for (const Json& wish : explanation["policy"]) {
    text += fmt::format("the policy wants {} to {} {}; it is used {:.1f} %\n",
                        wish["from"].get<std::string>(), wish["to"].get<std::string>(),
                        wish["wants"].get<std::string>(), 100 * wish["used"].get<double>());
  }
  text += "\n" + rules_text(explanation["rules"]);
  text += steps_text("to sleep, all of this", explanation["to_sleep"]);
  text += steps_text("to wake, any of this", explanation["to_wake"]);
  if (!explanation["last"].empty()) text += "\nlast changes\n";
  for (const Json& entry : explanation["last"]) {
    text += fmt::format("{:8.1f} s  {:9} {}\n", entry["at_s"].get<double>(),
                        entry["state"].get<std::string>(), entry["why"].get<std::string>());
  }
  return text;
}

}  // namespace ebb::cli
