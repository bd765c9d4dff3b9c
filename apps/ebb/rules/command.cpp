// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "command_line/text.hpp"
#include "rules/text.hpp"

#include "ebb/forwarding/check.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/family.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using forwarding::BackupPaths;
using forwarding::Detail;
using topology::Graph;
using Json = nlohmann::ordered_json;

struct Options {
  NetworkOptions network;
  std::string detail = "compact";
  std::string of_switch;
  std::string format = "openflow";
  std::string backup_paths = "none";
  bool classes = false;
  std::string folder;
};

constexpr std::array kDetails = {Detail::flat, Detail::per_switch, Detail::per_group,
                                 Detail::compact};
constexpr std::array kWords = {"flat", "per-switch", "per-group", "compact"};

Detail detail_of(const std::string& word) {
  const auto at = std::find(kWords.begin(), kWords.end(), word);
  return kDetails[static_cast<std::size_t>(at - kWords.begin())];
}

constexpr std::array kBackupPaths = {BackupPaths::none, BackupPaths::injection,
                                     BackupPaths::everywhere};
constexpr std::array kAlternativeWords = {"none", "injection", "everywhere"};

BackupPaths backup_paths_of(const std::string& word) {
  const auto at = std::find(kAlternativeWords.begin(), kAlternativeWords.end(), word);
  return kBackupPaths[static_cast<std::size_t>(at - kAlternativeWords.begin())];
}

// A network with its addresses and what makes its tables, both of one plane.
struct Ruled {
  std::optional<Graph> planes;  // the whole network, where it has several
  Graph one;
  forwarding::AddressPlan plan;
  std::optional<forwarding::TableMaker> maker;
  Detail detail = Detail::compact;
  BackupPaths backup_paths = BackupPaths::none;

  [[nodiscard]] const Graph& graph() const { return planes ? *planes : one; }
  [[nodiscard]] forwarding::Table table(std::uint32_t s) const {
    const std::uint32_t switches = one.switch_count();
    return of_plane(maker->table(s % switches, detail, backup_paths), one, s / switches);
  }
};

Result<std::unique_ptr<Ruled>> load(const Options& options) {
  auto graph = load_network(options.network);
  if (!graph) return fail(graph.error());
  std::optional<Graph> planes;
  if (graph->planes() > 1) {
    planes.emplace(std::move(*graph));
    graph = topology::one_plane(*planes);
  }
  auto plan = forwarding::AddressPlan::make(*graph);
  if (!plan) return fail(plan.error());
  auto ruled = std::make_unique<Ruled>(Ruled{std::move(planes),
                                             std::move(*graph),
                                             std::move(*plan),
                                             {},
                                             detail_of(options.detail),
                                             backup_paths_of(options.backup_paths)});
  auto maker = forwarding::TableMaker::make(ruled->one, ruled->plan);
  if (!maker) return fail(maker.error());
  if (const auto offered = maker->offers(ruled->backup_paths); !offered)
    return fail(offered.error());
  ruled->maker.emplace(std::move(*maker));
  return ruled;
}

std::string address_text(const forwarding::AddressPlan& plan) {
  std::string text;  // the highest field first, as in the address
  for (auto field = plan.fields().rbegin(); field != plan.fields().rend(); ++field) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field->name, field->bits);
  }
  return fmt::format("addresses: {} of {} bits ({})\n", plan.bits(), forwarding::kAddressBits,
                     text);
}

// " in each of 8 planes", where there are several.
std::string planes_text(const Ruled& ruled) {
  return ruled.planes ? fmt::format(" in each of {} planes", ruled.planes->planes()) : "";
}

ExitCode count(const Options& options) {
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->one;
  constexpr auto kRight = Table::Align::right;
  Table table(
      {{"rules"}, {"least", kRight}, {"mean", kRight}, {"most", kRight}, {"in all", kRight}});
  for (std::size_t d = 0; d < kDetails.size(); ++d) {
    std::size_t least = SIZE_MAX;
    std::size_t most = 0;
    std::size_t all = 0;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      const std::size_t size =
          (*ruled)->maker->table(s, kDetails[d], (*ruled)->backup_paths).rules.size();
      least = std::min(least, size);
      most = std::max(most, size);
      all += size;
    }
    const double mean = static_cast<double>(all) / graph.switch_count();
    table.add({kWords[d], std::to_string(least), fmt::format("{:.1f}", mean), std::to_string(most),
               std::to_string(all * (*ruled)->graph().planes())});
  }
  fmt::print("{} hosts, {} switches{}\n{}\n{}", graph.hosts_of_plane(), graph.switch_count(),
             planes_text(**ruled), address_text((*ruled)->plan), table.text());
  return ExitCode::done;
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
  const Graph& graph = (*ruled)->graph();
  const auto which = switch_named(graph, options.of_switch);
  if (!which) return refuse(which.error());
  const forwarding::Table made = (*ruled)->table(*which);
  fmt::print("{}{}{}", address_text((*ruled)->plan), explained(graph, made),
             groups_text(graph, made));
  return ExitCode::done;
}

// What the format cannot say.
Result<void> check_format(const Options& options) {
  const bool openflow = options.format != "json";
  if (openflow && options.backup_paths == "injection") {
    return fail(
        "OpenFlow has no rules that give way to others; backup paths at the source are for "
        "switches that have them, and for --format json");
  }
  if (options.format == "groups" && options.backup_paths != "everywhere")
    return fail("there are groups for --backup-paths everywhere alone");
  if (options.classes && options.backup_paths == "none")
    return fail("classes come with backup_paths: --backup-paths everywhere");
  return {};
}

std::string openflow_text(const Options& options, const Graph& graph,
                          const forwarding::Table& table) {
  if (options.format == "groups") return groups_text(graph, table);
  return flows_text(graph, table, options.classes ? Classes::in_tags : Classes::left_out);
}

ExitCode export_tables(const Options& options) {
  if (const auto fits = check_format(options); !fits) return refuse(fits.error());
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->graph();
  Json all = Json::array();
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const forwarding::Table made = (*ruled)->table(s);
    if (options.format == "json") {
      all.push_back(table_json(graph, made));
    } else {
      fmt::print("# {}\n{}", graph.name(graph.switch_node(s)), openflow_text(options, graph, made));
    }
  }
  if (options.format == "json") fmt::print("{}\n", Json{{"tables", all}}.dump(2));
  return ExitCode::done;
}

// A name from a graph file may not lead out of the folder.
Result<std::string> file_name(const Graph& graph, std::uint32_t s) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  std::string name = graph.name(graph.switch_node(s));
  if (!name.empty() && name.find_first_not_of(kPlain) == std::string::npos) return name;
  return fail(fmt::format("switch '{}' cannot give its name to a file: letters, digits, _ and -",
                          name.substr(0, 40)));
}

ExitCode write_table(const Options& options, const Graph& graph, const forwarding::Table& table) {
  const auto name = file_name(graph, table.of_switch);
  if (!name) return refuse(name.error());
  const std::string path = options.folder + "/" + *name;
  if (options.format == "json")
    return write_file(path + ".json", table_json(graph, table).dump(2) + "\n");
  if (table.backup_paths == BackupPaths::everywhere) {
    const ExitCode code = write_file(path + ".groups", groups_text(graph, table));
    if (code != ExitCode::done) return code;
  }
  return write_file(path + ".flows", openflow_text(options, graph, table));
}

ExitCode make_tables(const Options& options) {
  if (const auto fits = check_format(options); !fits) return refuse(fits.error());
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  std::error_code problem;
  std::filesystem::create_directories(options.folder, problem);
  if (problem) {
    fmt::print(stderr, "{}: error: cannot be made: {}\n", options.folder, problem.message());
    return ExitCode::outside;
  }
  const Graph& graph = (*ruled)->graph();
  std::size_t all = 0;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const forwarding::Table made = (*ruled)->table(s);
    if (const auto code = write_table(options, graph, made); code != ExitCode::done) return code;
    all += made.rules.size();
  }
  fmt::print("{} switches, {} rules\n", graph.switch_count(), all);
  return ExitCode::done;
}

// Of one plane: others are copies. All are in memory at once, where a rule takes some 90 bytes.
Result<std::vector<forwarding::Table>> tables_of(const Ruled& ruled, const Options& options) {
  constexpr std::size_t kMostRules = 50'000'000;
  std::vector<forwarding::Table> tables;
  tables.reserve(ruled.one.switch_count());
  std::size_t rules = 0;
  for (std::uint32_t s = 0; s < ruled.one.switch_count(); ++s) {
    tables.push_back(ruled.table(s));
    rules += tables.back().rules.size();
    if (rules > kMostRules) {
      return fail(fmt::format(
          "tables with --detail {} have more than {} rules: {} in the first {} of {} switches; "
          "'ebb rules count' tells how many each --detail has",
          options.detail, kMostRules, rules, s + 1, ruled.one.switch_count()));
    }
  }
  return tables;
}

ExitCode check_tables(const Options& options) {
  const auto ruled = load(options);
  if (!ruled) return refuse(ruled.error());
  const Graph& graph = (*ruled)->one;
  const auto tables = tables_of(**ruled, options);
  if (!tables) return refuse(tables.error());
  const forwarding::CheckReport report = forwarding::check(graph, (*ruled)->plan, *tables);
  for (const Error& error : report.errors) fmt::print(stderr, "error: {}\n", error.message);
  if (!report.errors.empty()) return ExitCode::not_met;
  fmt::print(
      "{} pairs of hosts{}: all reached, no loop, no two rules that disagree ({} questions)\n",
      report.pairs, planes_text(**ruled), report.questions);
  if ((*ruled)->backup_paths == BackupPaths::none) return ExitCode::done;
  fmt::print(
      "{} of {} links between switches: without any one of them all are still reached\n"
      "every rerouted frame arrives; {} classes of service, no channel-dependency cycle\n",
      report.survived, report.links, report.classes);
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
      ->check(one_of(std::vector<std::string>(kWords.begin(), kWords.end())));
}

void add_alternatives(CLI::App& verb, Options& options) {
  verb.add_option("--backup-paths", options.backup_paths,
                  "none, injection (a backup for each source host) or everywhere (fast reroute)")
      ->check(one_of(std::vector<std::string>(kAlternativeWords.begin(), kAlternativeWords.end())));
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
  exported->add_option("--format", options->format, "openflow, groups or json")
      ->check(one_of({"openflow", "groups", "json"}));
  CLI::App* made = add_verb(*parent, "make", "All tables, each in a file of its own", options, code,
                            make_tables);
  made->add_option("--format", options->format, "openflow or json")
      ->check(one_of({"openflow", "json"}));
  made->add_option("-o,--output", options->folder, "Folder for the files")
      ->type_name("FOLDER")
      ->required();
  for (CLI::App* verb : {exported, made})
    verb->add_flag("--classes", options->classes, "Classes of service as priorities of VLAN tags");
  CLI::App* checked =
      add_verb(*parent, "check", "Whether the tables reach everyone", options, code, check_tables);
  for (CLI::App* verb : {counted, shown, exported, made, checked}) {
    add_network_argument(*verb, options->network);
    add_network_options(*verb, options->network);
    if (verb != counted) add_detail(*verb, *options);
    add_alternatives(*verb, *options);
  }
}

}  // namespace ebb::cli
