// SPDX-License-Identifier: Apache-2.0
#include "topo/info.hpp"

#include "command_line/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ebb::cli {
namespace {

std::string origin_text(const topology::Origin& origin) {
  std::string text = origin.family;
  for (const auto& [key, value] : origin.parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string bisection_text(const TopologyInfo& info) {
  if (info.closed_form && info.closed_form->bisection_links > 0) {
    return fmt::format("{} links ({})", with_separators(info.closed_form->bisection_links),
                       info.closed_form->bisection_rule);
  }
  if (info.estimate) {
    return fmt::format("at most {} links (estimate: the best split METIS found, {} : {} hosts)",
                       with_separators(info.estimate->links), info.estimate->hosts_on_one_side,
                       info.estimate->hosts_on_the_other);
  }
  return "not known (ebb was built without METIS)";
}

std::string distance_rule(const topology::Distances& distances) {
  return distances.exact ? "exact" : fmt::format("sampled from {} switches", distances.sources);
}

}  // namespace

TopologyInfo describe(const topology::Graph& graph) {
  TopologyInfo info;
  info.origin = origin_text(graph.origin());
  info.hosts = graph.host_count();
  info.switches = graph.switch_count();
  info.boxes = graph.switch_count() / graph.chips_per_box();
  info.links = graph.link_count();
  info.by_medium = links_by_medium(graph);
  info.ports = degrees(graph);
  info.distances = distances(graph);
  info.connected = connected(graph);
  if (auto known = topology::figures(graph.origin().family, graph.origin().parameters))
    info.closed_form = *known;
  if (!info.closed_form || info.closed_form->bisection_links == 0)
    info.estimate = estimate_bisection(graph);
  info.bytes = graph.memory_bytes();
  return info;
}

std::string info_text(const TopologyInfo& info) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  line("network", info.origin);
  line("hosts", with_separators(info.hosts));
  line("switches", with_separators(info.switches) +
                       (info.boxes != info.switches
                            ? fmt::format(" chips in {} boxes", with_separators(info.boxes))
                            : ""));
  line("links",
       fmt::format("{} ({} electrical, {} optical, {} backplane)", with_separators(info.links),
                   with_separators(static_cast<std::int64_t>(info.by_medium.electrical)),
                   with_separators(static_cast<std::int64_t>(info.by_medium.optical)),
                   with_separators(static_cast<std::int64_t>(info.by_medium.backplane))));
  line("ports in use", info.ports.least == info.ports.most
                           ? fmt::format("{} on every switch", info.ports.most)
                           : fmt::format("{} to {} per switch", info.ports.least, info.ports.most));
  line("diameter", fmt::format("{} links between switches ({})", info.distances.diameter,
                               distance_rule(info.distances)));
  line("average distance",
       fmt::format("{:.4f} switches between different hosts ({})", info.distances.mean_to_others(),
                   distance_rule(info.distances)));
  line("bisection", bisection_text(info));
  if (info.closed_form && info.closed_form->oversubscription > 0) {
    line("oversubscription",
         fmt::format("{:.4g} under uniform traffic", info.closed_form->oversubscription));
  }
  line("connected", info.connected ? "yes" : "NO");
  line("memory", fmt::format("{:.1f} MB", static_cast<double>(info.bytes) * 1e-6));
  return text;
}

std::string info_json(const TopologyInfo& info) {
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"network", info.origin},
                                 {"hosts", info.hosts},
                                 {"switches", info.switches},
                                 {"boxes", info.boxes},
                                 {"links", info.links},
                                 {"links_electrical", info.by_medium.electrical},
                                 {"links_optical", info.by_medium.optical},
                                 {"links_backplane", info.by_medium.backplane},
                                 {"ports_used_least", info.ports.least},
                                 {"ports_used_most", info.ports.most},
                                 {"diameter_links", info.distances.diameter},
                                 {"distance_mean_switches", info.distances.mean_to_others()},
                                 {"distances_exact", info.distances.exact},
                                 {"connected", info.connected}};
  if (info.closed_form && info.closed_form->bisection_links > 0) {
    json["bisection_links"] = info.closed_form->bisection_links;
    json["bisection_rule"] = info.closed_form->bisection_rule;
  } else if (info.estimate) {
    json["bisection_links_at_most"] = info.estimate->links;
  }
  if (info.closed_form) json["oversubscription"] = info.closed_form->oversubscription;
  return json.dump(2) + "\n";
}

}  // namespace ebb::cli
