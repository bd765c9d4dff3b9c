// SPDX-License-Identifier: Apache-2.0
//
// `ebb fabric drain-costs`: of a network that OSPF routes, which cost of each link's interfaces
// drains it without a micro-loop.
#include "command_line/command.hpp"
#include "command_line/progress.hpp"
#include "command_line/text.hpp"
#include "fabric/verbs.hpp"

#include "ebb/files/document.hpp"
#include "ebb/ospf/drain_cost.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DrainCostsOptions {
  std::string file;
  std::string link;  // the address of one of its interfaces; empty: all
  bool json = false;
};

struct LinkCosts {
  const ospf::Link& link;
  Result<ospf::DrainCosts> costs;
};

// A database of 1,000 routers with 64 links each takes some 40 MB.
constexpr std::size_t kMostBytes = 256 << 20;

bool is_named(const ospf::Link& link, const std::string& address) {
  return address.empty() || link.a.address == address || link.b.address == address;
}

std::string interface_text(const ospf::LinkState& network, const ospf::Interface& one) {
  return network.routers[one.router] + (one.address.empty() ? "" : " " + one.address);
}

Json end_json(const ospf::LinkState& network, const ospf::Interface& one) {
  return {{"router", network.routers[one.router]}, {"address", one.address}, {"cost", one.cost}};
}

Json costs_json(const ospf::LinkState& network, const std::vector<LinkCosts>& found) {
  Json links = Json::array();
  for (const LinkCosts& one : found) {
    Json link = {{"a", end_json(network, one.link.a)}, {"b", end_json(network, one.link.b)}};
    link["a"]["drain_cost"] = one.costs ? Json(one.costs->a) : Json();
    link["b"]["drain_cost"] = one.costs ? Json(one.costs->b) : Json();
    link["objection"] = one.costs ? Json() : Json(one.costs.error()[0].message);
    links.push_back(std::move(link));
  }
  return {{"links", links}};
}

std::string costs_text(const ospf::LinkState& network, const std::vector<LinkCosts>& found) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"link"}, {"cost", kRight}, {"to drain", kRight}, {"why not"}});
  for (const LinkCosts& one : found) {
    table.add({interface_text(network, one.link.a), std::to_string(one.link.a.cost),
               one.costs ? std::to_string(one.costs->a) : "-",
               one.costs ? "" : one.costs.error()[0].message});
    table.add({"  " + interface_text(network, one.link.b), std::to_string(one.link.b.cost),
               one.costs ? std::to_string(one.costs->b) : "-", ""});
  }
  return table.text();
}

// done: each link that was asked for has costs, or all were asked for; not_met: that one has none.
ExitCode print_drain_costs(const DrainCostsOptions& options) {
  const auto text = files::read_file(options.file, kMostBytes);
  if (!text) return refuse(text.error());
  auto network = ospf::read_frr_database(*text);
  if (!network) {
    for (Error& error : network.error()) error.where.file = options.file;
    return refuse(network.error());
  }
  StatusLine line;
  std::vector<LinkCosts> links;
  links.reserve(network->links.size());
  for (std::size_t link = 0; link < network->links.size(); ++link) {
    show_steps(line, "link", link + 1, network->links.size());
    if (is_named(network->links[link], options.link))
      links.push_back({network->links[link], ospf::drain_costs(*network, link)});
  }
  line.clear();
  if (links.empty() && !options.link.empty()) {
    return refuse({{fmt::format("no link has the address {}", options.link), {options.file}}});
  }
  fmt::print("{}", options.json ? costs_json(*network, links).dump(2) + "\n"
                                : costs_text(*network, links));
  const bool is_none = !options.link.empty() && !links.front().costs;
  return is_none ? ExitCode::not_met : ExitCode::done;
}

}  // namespace

void add_drain_costs_verb(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<DrainCostsOptions>();
  CLI::App* verb =
      parent.add_subcommand("drain-costs", "OSPF: costs that drain each link without a micro-loop");
  verb->callback([options, &code] { code = print_drain_costs(*options); });
  verb->add_option("file", options->file, "What FRR prints for 'show ip ospf database router json'")
      ->type_name("FILE")
      ->required();
  verb->add_option("--link", options->link, "Only the link with an interface of this address")
      ->type_name("ADDRESS");
  verb->add_flag("--json", options->json, "For programs");
}

}  // namespace ebb::cli
