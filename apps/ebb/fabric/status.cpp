// SPDX-License-Identifier: Apache-2.0
#include "fabric/status.hpp"

#include "command_line/table.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chrono>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using topology::ChannelId;
using topology::LinkId;

double seconds(TimePoint at) {
  return std::chrono::duration<double>(at.time_since_epoch()).count();
}

double watts(Power power) { return static_cast<double>(power.count()) / 1e6; }

Json link_json(const FabricView& view, LinkId link) {
  const controller::LinkMachine& machine = view.controller.link(link);
  const ChannelId forth = topology::forward(link);
  const auto ladder = view.description.graph.ladder(view.description.graph.link(link));
  const auto objection = view.controller.objection(view.live.now(), link);
  return {{"link", link_name(view.description.graph, link)},
          {"state", to_text(machine.state())},
          {"since_s", seconds(machine.since())},
          {"why", machine.why()},
          {"rate", to_text(ladder[index(view.controller.rate(link).step())])},
          {"used", view.controller.utilisation(forth)},
          {"used_back", view.controller.utilisation(topology::reverse(forth))},
          {"may_sleep", bool{view.sleepers.may_sleep[index(link)]}},
          {"awake_because", machine.state() == controller::LinkState::active && objection
                                ? Json(*objection)
                                : Json(nullptr)}};
}

Json links_json(const FabricView& view) {
  Json links = Json::array();
  for (std::uint32_t link = 0; link < view.description.graph.link_count(); ++link) {
    if (between_switches(view.description.graph, LinkId{link}))
      links.push_back(link_json(view, LinkId{link}));
  }
  return links;
}

Json last_json(const FabricView& view) {
  Json last = Json::array();
  for (const controller::Entry& entry : view.last) {
    last.push_back({{"at_s", seconds(entry.at)},
                    {"link", link_name(view.description.graph, entry.link)},
                    {"state", to_text(entry.state)},
                    {"why", entry.why}});
  }
  return last;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

bool between_switches(const topology::Graph& graph, LinkId link) {
  return !graph.is_host(graph.link(link).a) && !graph.is_host(graph.link(link).b);
}

std::string link_name(const topology::Graph& graph, LinkId link) {
  const topology::Link& ends = graph.link(link);
  std::size_t parallel = 0;
  std::size_t before = 0;
  for (const ChannelId other : graph.outputs(ends.a)) {
    if (graph.target(other) != ends.b) continue;
    ++parallel;
    if (index(topology::link_of(other)) < index(link)) ++before;
  }
  const std::string name = graph.name(ends.a) + "-" + graph.name(ends.b);
  return parallel == 1 ? name : fmt::format("{}.{}", name, before + 1);
}

Json status_json(const FabricView& view) {
  Json away = Json::array();
  for (std::uint32_t s = 0; s < view.description.graph.switch_count(); ++s) {
    if (!view.live.is_here(s))
      away.push_back(view.description.graph.name(view.description.graph.switch_node(s)));
  }
  return {{"fabric", view.name},
          {"policy", view.policy},
          {"at_s", seconds(view.live.now())},
          {"switches", view.description.graph.switch_count()},
          {"switches_away", away},
          {"wrong_cables", view.live.wiring().wrong()},
          {"links", links_json(view)},
          {"modelled",
           {{"all_awake_w", watts(view.watts.all_awake())},
            {"now_w", watts(view.watts.present())},
            {"saved_w", watts(view.watts.saved())},
            {"asleep_share", view.watts.asleep_share()}}},
          {"actuated", {{"ports_down", view.watts.ports_down()}}},
          {"measured", nullptr},
          {"last", last_json(view)}};
}

std::string status_text(const Json& status) {
  Table links({{"link"},
               {"state"},
               {"for", Table::Align::right},
               {"rate", Table::Align::right},
               {"used", Table::Align::right},
               {"back", Table::Align::right},
               {"why"}});
  const double now = status["at_s"].get<double>();
  std::size_t asleep = 0;
  for (const Json& link : status["links"]) {
    const auto state = link["state"].get<std::string>();
    if (state == "asleep") ++asleep;
    const Json& kept = link["awake_because"];
    links.add({link["link"].get<std::string>(), state,
               fmt::format("{:.0f} s", now - link["since_s"].get<double>()),
               link["rate"].get<std::string>(), percent(link["used"].get<double>()),
               percent(link["used_back"].get<double>()),
               kept.is_string() ? kept.get<std::string>() : link["why"].get<std::string>()});
  }
  std::string text =
      fmt::format("fabric {}: {} of {} switches here, policy {}\n{} of {} links asleep\n",
                  status["fabric"].get<std::string>(),
                  status["switches"].get<std::size_t>() - status["switches_away"].size(),
                  status["switches"].get<std::size_t>(), status["policy"].get<std::string>(),
                  asleep, status["links"].size());
  const Json& modelled = status["modelled"];
  text += fmt::format(
      "links between switches: {:.1f} W of {:.1f} W modelled, {} ports down, nothing measured\n",
      modelled["now_w"].get<double>(), modelled["all_awake_w"].get<double>(),
      status["actuated"]["ports_down"].get<std::size_t>());
  for (const Json& cable : status["wrong_cables"])
    text += "wrong cable: " + cable.get<std::string>() + "\n";
  text += "\n" + links.text();
  if (!status["last"].empty()) text += "\nlast changes\n";
  for (const Json& entry : status["last"]) {
    text += fmt::format("{:8.1f} s  {:10} {:9} {}\n", entry["at_s"].get<double>(),
                        entry["link"].get<std::string>(), entry["state"].get<std::string>(),
                        entry["why"].get<std::string>());
  }
  return text;
}

}  // namespace ebb::cli
