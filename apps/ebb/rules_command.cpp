// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "network_options.hpp"
#include "rules_vlans.hpp"
#include "table.hpp"

#include "ebb/rules/check.hpp"
#include "ebb/rules/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using rules::Detail;
using topology::Graph;
using Json = nlohmann::ordered_json;

struct Options {
  NetworkOptions network;
  std::string detail = "compact";
  std::string of_switch;
  std::string format = "openflow";
};

constexpr std::array kDetails = {Detail::flat, Detail::per_switch, Detail::per_group,
                                 Detail::compact};
constexpr std::array kWords = {"flat", "per-switch", "per-group", "compact"};

Detail detail_of(const std::string& word) {
  const auto at = std::find(kWords.begin(), kWords.end(), word);
  return kDetails[static_cast<std::size_t>(at - kWords.begin())];
}

// A network with its addresses and what makes its tables.
struct Ruled {
  Graph graph;
  rules::AddressPlan plan;
  std::optional<rules::TableMaker> maker;
};

Result<std::unique_ptr<Ruled>> load(const Options& options) {
  auto graph = load_network(options.network);
  if (!graph) return fail(graph.error());
  auto plan = rules::AddressPlan::make(*graph);
  if (!plan) return fail(plan.error());
  auto ruled = std::make_unique<Ruled>(Ruled{std::move(*graph), std::move(*plan), {}});
  auto maker = rules::TableMaker::make(ruled->graph, ruled->plan);
  if (!maker) return fail(maker.error());
  ruled->maker.emplace(std::move(*maker));
  return ruled;
}

std::string address_text(const rules::AddressPlan& plan) {
  std::string text;  // the highest field first, as in the address
  for (auto field = plan.fields().rbegin(); field != plan.fields().rend(); ++field) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field->name, field->bits);
  }
  return fmt::format("addresses: {} of {} bits ({})\n", plan.bits(), rules::kAddressBits, text);
}

ExitCode count(const Options& options) {
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->graph;
  constexpr auto kRight = Table::Align::right;
  Table table(
      {{"rules"}, {"least", kRight}, {"mean", kRight}, {"most", kRight}, {"in all", kRight}});
  for (std::size_t d = 0; d < kDetails.size(); ++d) {
    std::size_t least = SIZE_MAX;
    std::size_t most = 0;
    std::size_t all = 0;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      const std::size_t size = (*ruled)->maker->table(s, kDetails[d]).rules.size();
      least = std::min(least, size);
      most = std::max(most, size);
      all += size;
    }
    const double mean = static_cast<double>(all) / graph.switch_count();
    table.add({kWords[d], std::to_string(least), fmt::format("{:.1f}", mean), std::to_string(most),
               std::to_string(all)});
  }
  fmt::print("{} hosts, {} switches\n{}\n{}", graph.host_count(), graph.switch_count(),
             address_text((*ruled)->plan), table.text());
  return ExitCode::done;
}

// Ports are numbered from 1, as OpenFlow does.
std::size_t port_of(const Graph& graph, topology::ChannelId output) {
  const auto outputs = graph.outputs(graph.source(output));
  return static_cast<std::size_t>(std::find(outputs.begin(), outputs.end(), output) -
                                  outputs.begin()) +
         1;
}

// With the two bits that say "individual" and "locally administered": a broadcast is no host.
rules::Mac mask_of(const rules::Match& match) {
  constexpr std::uint64_t kKind = std::uint64_t{3} << 40U;
  return rules::Mac{rules::mac_mask(match.mask) | kKind};
}

std::string match_text(const char* field, const rules::Match& match) {
  if (match.mask == 0) return "";
  return fmt::format(",{}={}/{}", field, to_text(rules::mac_of(match.value)),
                     to_text(mask_of(match)));
}

std::string flow_text(const Graph& graph, const rules::Rule& rule) {
  return fmt::format("priority={}{}{},actions=output:{}", rule.priority,
                     match_text("dl_dst", rule.destination), match_text("dl_src", rule.source),
                     port_of(graph, rule.output));
}

Json rule_json(const Graph& graph, const rules::Rule& rule) {
  const auto match = [](const rules::Match& one) {
    return Json{{"value", to_text(rules::mac_of(one.value))}, {"mask", to_text(mask_of(one))}};
  };
  Json json = {{"priority", rule.priority}};
  if (rule.destination.mask != 0) json["destination"] = match(rule.destination);
  if (rule.source.mask != 0) json["source"] = match(rule.source);
  json["port"] = port_of(graph, rule.output);
  json["to"] = graph.name(graph.target(rule.output));
  return json;
}

Result<std::uint32_t> switch_named(const Graph& graph, const std::string& name) {
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    if (graph.name(graph.switch_node(s)) == name) return s;
  }
  return fail(fmt::format("there is no switch '{}'; the network has s0 to s{}", name.substr(0, 40),
                          graph.switch_count() - 1));
}

ExitCode show(const Options& options) {
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->graph;
  const auto which = switch_named(graph, options.of_switch);
  if (!which) return refuse(which.error());
  const rules::Table made = (*ruled)->maker->table(*which, detail_of(options.detail));
  fmt::print("{}", address_text((*ruled)->plan));
  for (const rules::Rule& rule : made.rules) {
    fmt::print("{}  to {}\n", flow_text(graph, rule), graph.name(graph.target(rule.output)));
  }
  return ExitCode::done;
}

ExitCode export_tables(const Options& options) {
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->graph;
  Json all = Json::array();
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const std::string name = graph.name(graph.switch_node(s));
    const rules::Table made = (*ruled)->maker->table(s, detail_of(options.detail));
    Json list = Json::array();
    if (options.format == "openflow") fmt::print("# {}\n", name);
    for (const rules::Rule& rule : made.rules) {
      if (options.format == "openflow") fmt::print("{}\n", flow_text(graph, rule));
      if (options.format == "json") list.push_back(rule_json(graph, rule));
    }
    if (options.format == "json") all.push_back({{"switch", name}, {"rules", std::move(list)}});
  }
  if (options.format == "json") fmt::print("{}\n", Json{{"tables", all}}.dump(2));
  return ExitCode::done;
}

ExitCode check_tables(const Options& options) {
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->graph;
  std::vector<rules::Table> tables;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    tables.push_back((*ruled)->maker->table(s, detail_of(options.detail)));
  }
  const rules::CheckReport report = rules::check(graph, (*ruled)->plan, tables);
  for (const Error& error : report.errors) fmt::print(stderr, "error: {}\n", error.message);
  if (!report.errors.empty()) return ExitCode::not_met;
  fmt::print(
      "{} pairs of hosts: all reached, no circle, no two rules that disagree ({} questions)\n",
      report.pairs, report.questions);
  return ExitCode::done;
}

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::shared_ptr<Options>& options, ExitCode& code,
                   const std::function<ExitCode(const Options&)>& run) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->callback([options, &code, run] { code = run(*options); });
  return verb;
}

void add_detail(CLI::App& verb, Options& options) {
  verb.add_option("--detail", options.detail, "flat, per-switch, per-group or compact")
      ->check(CLI::IsMember(std::vector<std::string>(kWords.begin(), kWords.end())));
}

}  // namespace

void add_rules_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* parent = app.add_subcommand("rules", "Addresses and forwarding tables of a network");
  parent->require_subcommand(1);
  add_rules_vlans(*parent, code);
  CLI::App* counted = add_verb(*parent, "count", "Rules of each switch, by how much one stands for",
                               options, code, count);
  CLI::App* shown = add_verb(*parent, "show", "The table of one switch", options, code, show);
  shown->add_option("switch", options->of_switch, "Its name, as s0")->required();
  CLI::App* exported = add_verb(*parent, "export", "All tables, for ovs-ofctl or as JSON", options,
                                code, export_tables);
  exported->add_option("--format", options->format, "openflow or json")
      ->check(CLI::IsMember({"openflow", "json"}));
  CLI::App* checked =
      add_verb(*parent, "check", "Whether the tables reach everyone", options, code, check_tables);
  for (CLI::App* verb : {counted, shown, exported, checked}) {
    add_network_argument(*verb, options->network);
    add_network_options(*verb, options->network);
    if (verb != counted) add_detail(*verb, *options);
  }
}

}  // namespace ebb::cli
