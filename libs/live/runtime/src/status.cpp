// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/status.hpp"

#include "json_values.hpp"

#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace ebb::runtime {
namespace {

using controller::LinkState;
using topology::ChannelId;
using topology::LinkId;

// Its ports whose switches have power.
std::int64_t ports_with_power(const FabricView& view, LinkId link) {
  const topology::Link& ends = view.description.graph.link(link);
  std::int64_t ports = 0;
  for (const topology::NodeId end : {ends.a, ends.b})
    ports += view.controller.switch_state(index(end)) == controller::SwitchState::off ? 0 : 1;
  return ports;
}

// Of both its ports; a dry run sets no rates.
Power watts_of(const FabricView& view, LinkId link) {
  constexpr std::int64_t kPorts = 2;
  const controller::Controller& controller = view.controller;
  const power::PortWatts& port = view.watts.port();
  if (controller.link(link).state() == LinkState::asleep)
    return port.asleep * ports_with_power(view, link);
  const controller::LinkRate& rate = controller.rate(link);
  const topology::Graph& graph = view.description.graph;
  return port.at(graph.rate_table(
             graph.link(link)))[index(controller.dry_run() ? rate.top() : rate.step())] *
         kPorts;
}

Json link_json(const FabricView& view, LinkId link) {
  const controller::LinkMachine& machine = view.controller.link(link);
  const ChannelId forth = topology::forward(link);
  const auto rate_table = view.description.graph.rate_table(view.description.graph.link(link));
  const auto objection = view.controller.objection(view.live.now(), link);
  Json json = {{"link", topology::link_name(view.description.graph, link)},
               {"state", to_text(machine.state())},
               {"since_s", in_seconds(machine.since())},
               {"why", machine.why()},
               {"rate", to_text(rate_table[index(view.controller.rate(link).step())])},
               {"used", view.controller.utilisation(forth)},
               {"used_back", view.controller.utilisation(topology::reverse(forth))},
               {"now_w", in_watts(watts_of(view, link))},
               {"drained", view.controller.is_drained(link)},
               {"may_sleep", bool{view.sleepable.may_sleep[index(link)]}},
               {"awake_because", machine.state() == controller::LinkState::active && objection
                                     ? Json(*objection)
                                     : Json(nullptr)}};
  if (view.controller.dry_run()) json["would_sleep"] = view.controller.sleeps(link);
  return json;
}

// All of it modelled.
Json watts_json(const controller::Watts& watts) {
  return {{"all_awake_w", in_watts(watts.all_awake())},
          {"boxes_w", in_watts(watts.boxes())},
          {"now_w", in_watts(watts.present())},
          {"accuracy", power::to_text(watts.port().accuracy)},
          {"saved_w", in_watts(watts.saved())},
          {"used_j", to_joules(watts.used_energy())},
          {"saved_j", to_joules(watts.saved_energy())},
          {"asleep_share", watts.asleep_share()}};
}

// What a dry run says would be so if it did what it says.
Json would_json(const FabricView& view) {
  std::size_t links = 0;
  for (std::uint32_t link = 0; link < view.description.graph.link_count(); ++link)
    links += view.controller.sleeps(LinkId{link}) ? 1 : 0;
  Json json = watts_json(view.would);
  json["links_asleep"] = links;
  return json;
}

Json links_json(const FabricView& view) {
  Json links = Json::array();
  for (std::uint32_t link = 0; link < view.description.graph.link_count(); ++link) {
    if (view.description.graph.connects_switches(LinkId{link}))
      links.push_back(link_json(view, LinkId{link}));
  }
  return links;
}

// Those that are not in use.
Json switches_out_json(const FabricView& view) {
  Json switches = Json::array();
  for (const auto& [device, out] : view.controller.switches_out()) {
    const topology::Graph& graph = view.description.graph;
    switches.push_back({{"switch", graph.name(graph.switch_node(device))},
                        {"state", to_text(out.state)},
                        {"since_s", in_seconds(out.at)},
                        {"by", to_text(out.by)},
                        {"why", out.why}});
  }
  return switches;
}

Json last_changes_json(const FabricView& view) {
  Json last = Json::array();
  for (const controller::Entry& entry : view.last) {
    last.push_back({{"at_s", in_seconds(entry.at)},
                    {"link", topology::link_name(view.description.graph, entry.link)},
                    {"state", to_text(entry.state)},
                    {"why", entry.why}});
  }
  return last;
}

// ---- the explanation of a link

std::array<ChannelId, 2> directions(LinkId link) {
  const ChannelId forth = topology::forward(link);
  return {forth, topology::reverse(forth)};
}

// By what it asked for last, or by a trigger that it has armed.
bool wants_asleep(const controller::Controller& controller, TimePoint now, ChannelId channel) {
  const LinkState state = controller.link(topology::link_of(channel)).state();
  const bool sleeps = state == LinkState::asleep || state == LinkState::draining;
  const auto idle = controller.idle(now, channel);
  return idle ? sleeps || idle->is_enough() : controller.wants_asleep(channel);
}

Json wishes_json(const topology::Graph& graph, const controller::Controller& controller,
                 TimePoint now, LinkId link) {
  Json wishes = Json::array();
  for (const ChannelId channel : directions(link)) {
    wishes.push_back({{"from", graph.name(graph.source(channel))},
                      {"to", graph.name(graph.target(channel))},
                      {"wants", wants_asleep(controller, now, channel) ? "asleep" : "awake"},
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

Json link_changes_json(const monitor::LinkHistory& history) {
  Json last = Json::array();
  for (const controller::Entry& entry : history.last()) {
    last.push_back(
        {{"at_s", in_seconds(entry.at)}, {"state", to_text(entry.state)}, {"why", entry.why}});
  }
  return last;
}

// Only an active link can begin to sleep. All of it must come true.
Json to_sleep(const topology::Graph& graph, const controller::Controller& controller,
              const std::vector<controller::RuleCheck>& checks, TimePoint now, LinkId link) {
  Json steps = Json::array();
  const LinkState state = controller.link(link).state();
  if (state == LinkState::asleep || state == LinkState::draining) return steps;
  for (const ChannelId channel : directions(link)) {
    if (wants_asleep(controller, now, channel)) continue;
    const std::string ends = fmt::format("{} to {}", graph.name(graph.source(channel)),
                                         graph.name(graph.target(channel)));
    if (const auto idle = controller.idle(now, channel)) {
      steps.push_back(fmt::format("{} must be idle for {:.2f} s, and has been for {:.2f} s", ends,
                                  in_seconds(idle->needed), in_seconds(idle->so_far)));
    } else {
      steps.push_back(fmt::format("the policy must want {} asleep, which is used {:.1f} %", ends,
                                  100 * controller.utilisation(channel)));
    }
  }
  for (const controller::RuleCheck& check : checks) {
    if (check.objection)
      steps.push_back(fmt::format("{}: {}; needed: {}", check.rule, check.present, check.needed));
  }
  if (controller.policy_failure())
    steps.push_back("the policy has failed: the controller must be started again");
  if (controller.dry_run()) steps.push_back("a dry run puts nothing to sleep");
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
                      in_seconds(safety.times.link_up_hold), in_seconds(safety.times.wake_limit))};
    case LinkState::failed:
      return {"both ends must be live"};
    case LinkState::draining:
    case LinkState::asleep:
      break;
  }
  Json steps = Json::array();
  if (controller.is_drained(link)) {
    steps.push_back(controller.is_drained_by_policy(link)
                        ? fmt::format("the policy must want a link of its switch awake, which must "
                                      "have been off for {:.0f} s",
                                      in_seconds(controller.power_limits().min_off_time))
                        : "an operator must undrain it");
  } else {
    std::string asked = controller.idle(now, topology::forward(link))
                            ? "frames must take its detour"
                            : "the policy must want a direction awake";
    if (machine.state() == LinkState::asleep && now - machine.since() < safety.min_sleep_time) {
      asked +=
          fmt::format(", and it must have slept for {:.1f} s", in_seconds(safety.min_sleep_time));
    }
    steps.push_back(asked);
  }
  steps.push_back("a link must fail, or the controller go: then everything is woken");
  return steps;
}

// ---- the explanation of a switch

Json switch_to_sleep(const controller::Controller& controller, std::uint32_t device) {
  Json steps = Json::array();
  if (controller.switch_state(device) != controller::SwitchState::in_use) return steps;
  if (!controller.is_of_policy(device)) {
    steps.push_back("an operator must drain it: the policy may not");
  } else if (!controller.wants_off(device)) {
    steps.push_back("the policy must want each of its links asleep");
  } else {
    steps.push_back(controller.objection_to_off(device).value_or("the policy must decide again"));
  }
  return steps;
}

Json switch_to_wake(const controller::Controller& controller, std::uint32_t device) {
  Json steps = Json::array();
  const auto out = controller.switches_out().find(device);
  if (out == controller.switches_out().end()) return steps;
  if (out->second.by == controller::DrainedBy::an_operator) {
    steps.push_back("an operator must undrain it");
    return steps;
  }
  steps.push_back(fmt::format("the policy must want a link of it awake, {:.0f} s after it went",
                              in_seconds(controller.power_limits().min_off_time)));
  steps.push_back(fmt::format("a link of a neighbour must be used more than {:.0f} %",
                              100 * controller.safety().wake_detour_utilisation));
  steps.push_back("something near it must fail, or the controller go");
  return steps;
}

}  // namespace

Json explain_json(const topology::Graph& graph, const controller::Controller& controller,
                  TimePoint now, std::uint32_t device) {
  const auto out = controller.switches_out().find(device);
  const bool in_use = out == controller.switches_out().end();
  const auto objection = controller.objection_to_off(device);
  return {{"switch", graph.name(graph.switch_node(device))},
          {"dry_run", controller.dry_run()},
          {"state", to_text(controller.switch_state(device))},
          {"for_s", in_use ? Json(nullptr) : Json(in_seconds(now - out->second.at))},
          {"why", in_use ? Json(nullptr) : Json(out->second.why)},
          {"by", in_use ? Json(nullptr) : Json(to_text(out->second.by))},
          {"wants", controller.wants_off(device) ? "off" : "in use"},
          {"objection", objection ? Json(*objection) : Json(nullptr)},
          {"to_sleep", switch_to_sleep(controller, device)},
          {"to_wake", switch_to_wake(controller, device)}};
}

Json status_json(const FabricView& view) {
  Json away = Json::array();
  for (std::uint32_t s = 0; s < view.description.graph.switch_count(); ++s) {
    if (!view.live.is_here(s))
      away.push_back(view.description.graph.name(view.description.graph.switch_node(s)));
  }
  Json status = {{"fabric", view.name},
                 {"policy", view.policy},
                 {"dry_run", view.controller.dry_run()},
                 {"at_s", in_seconds(view.live.now())},
                 {"switches", view.description.graph.switch_count()},
                 {"switches_away", away},
                 {"switches_out", switches_out_json(view)},
                 {"wrong_cables", view.live.cabling().wrong()},
                 {"links", links_json(view)},
                 {"modelled", watts_json(view.watts)},
                 {"actuated", {{"ports_down", view.ports_down}}},
                 {"measured", nullptr},
                 {"last", last_changes_json(view)}};
  if (view.controller.dry_run()) {
    status["actuated"] = nullptr;  // whatever is down, a dry run has not put it there
    status["would"] = would_json(view);
  }
  return status;
}

namespace {

// Somebody listens at a socket: what a controller left has nobody behind it. Not everybody may
// connect to all of them.
bool listens(const testbed::StateFolder& state, const std::string& fabric) {
  transport::Loop loop;
  return std::any_of(kRoles.begin(), kRoles.end(), [&](Role role) {
    return transport::Stream::connect(
               loop,
               {.kind = transport::Kind::unix_socket, .path = socket_path(state, fabric, role)}, {})
        .has_value();
  });
}

double age_of(const std::string& path) {
  std::error_code unreadable;
  const auto written = std::filesystem::last_write_time(path, unreadable);
  const auto now = std::filesystem::file_time_type::clock::now();
  return unreadable ? 0 : std::max(0.0, std::chrono::duration<double>(now - written).count());
}

}  // namespace

Result<Json> read_status(const std::string& fabric, const testbed::StateFolder& state) {
  const std::string path = state.controller(fabric) + "/status.json";
  std::ifstream file(path);
  auto status = Json::parse(file, nullptr, false);
  if (status.is_discarded())
    return fail(fmt::format("no controller has run on fabric {}: ebb fabric run FILE", fabric));
  status["controller"] = {{"running", !status.value("ended", false) && listens(state, fabric)},
                          {"written_s_ago", age_of(path)}};
  return status;
}

std::optional<std::string> out_of_date(const Json& status) {
  constexpr double kLate = 5;  // times the pause between two
  const double age = status["controller"]["written_s_ago"].get<double>();
  if (!status["controller"]["running"].get<bool>()) {
    return fmt::format(
        "no controller runs on fabric {}: the last {} {:.0f} s ago, and this is what "
        "it knew",
        status["fabric"].get<std::string>(), status.value("ended", false) ? "ended" : "wrote", age);
  }
  if (age <= kLate * status.value("next_within_s", 1.0)) return std::nullopt;
  return fmt::format(
      "the controller of fabric {} has said nothing for {:.0f} s, and this is what "
      "it knew",
      status["fabric"].get<std::string>(), age);
}

Json explain_json(const topology::Graph& graph, const controller::Controller& controller,
                  const monitor::LinkHistory& history, TimePoint now, LinkId link) {
  const controller::LinkMachine& machine = controller.link(link);
  const auto checks = controller.checks(now, link);
  return {{"link", topology::link_name(graph, link)},
          {"dry_run", controller.dry_run()},
          {"state", to_text(machine.state())},
          {"since_s", in_seconds(machine.since())},
          {"for_s", in_seconds(now - machine.since())},
          {"why", machine.why()},
          {"drained", controller.is_drained(link)},
          {"policy", wishes_json(graph, controller, now, link)},
          {"rules", rules_json(checks)},
          {"to_sleep", to_sleep(graph, controller, checks, now, link)},
          {"to_wake", to_wake(controller, now, link)},
          {"last", link_changes_json(history)}};
}

}  // namespace ebb::runtime
