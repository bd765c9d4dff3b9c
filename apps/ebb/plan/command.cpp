// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "plan/output.hpp"
#include "plan/savings.hpp"
#include "plan/sleep_output.hpp"

#include "ebb/config/plan_file.hpp"
#include "ebb/plan/json.hpp"
#include "ebb/topology/family.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

struct Options {
  std::string file;
  // Text as typed; each given one replaces the file's value.
  std::map<std::string, std::string> given;
  std::vector<std::string> part_files;
  plan::RankBy rank_by = plan::RankBy::watts;
  int top = 20;
  bool json = false;
  bool csv = false;
  bool details = false;
  bool sleep = false;
  SavingsOptions savings;
};

bool is_given(const Options& options, const std::string& flag) {
  const auto found = options.given.find(flag);
  return found != options.given.end() && !found->second.empty();
}

template <class T>
void replace(const Options& options, const std::string& flag, T& target, Errors& errors) {
  const auto found = options.given.find(flag);
  if (found == options.given.end() || found->second.empty()) return;
  auto value = parse<T>(found->second);
  if (value && *value > T{}) {
    target = *value;
  } else {
    errors.push_back(
        {"--" + flag + ": " + (value ? "must be positive" : value.error().front().message), {}});
  }
}

// A number without a unit is answered by what the ports of the switch can run at.
void replace_rate(const Options& options, const power::Library& parts, plan::Inputs& inputs,
                  Errors& errors) {
  const std::string& part = options.given.at("switch");
  const std::string& text = options.given.at("rate");
  const auto meant = meant_rate(text, part.empty() ? inputs.parts.switch_part : part, parts);
  if (meant) errors.push_back({"--rate: " + *meant, {}});
  if (!meant) replace(options, "rate", inputs.rate, errors);
}

void replace_price(const Options& options, const std::string& flag, std::optional<Money>& target,
                   Errors& errors) {
  Money price;
  replace(options, flag, price, errors);
  if (price > Money{}) target = price;
}

void replace_name(const Options& options, const std::string& flag,
                  std::optional<std::string>& target) {
  const auto found = options.given.find(flag);
  if (found != options.given.end() && !found->second.empty()) target = found->second;
}

void replace_integer(const Options& options, const std::string& flag, std::int64_t least,
                     std::int64_t most, std::int64_t& target, Errors& errors) {
  const auto found = options.given.find(flag);
  if (found == options.given.end() || found->second.empty()) return;
  const auto ratio = parse<Ratio>(found->second);
  if (ratio && ratio->den() == 1 && ratio->num() >= least && ratio->num() <= most) {
    target = ratio->num();
  } else {
    errors.push_back({fmt::format("--{}: expected a whole number between {} and {}, got '{}'", flag,
                                  least, most, found->second),
                      {}});
  }
}

// The file first, then the flags over it.
Result<config::PlanFile> inputs_of(const Options& options, const power::Library& parts) {
  config::PlanFile plan;
  if (!options.file.empty()) {
    auto read = config::read_plan(options.file, parts);
    if (!read) return read;
    plan = std::move(*read);
  }
  Errors errors;
  plan::Inputs& inputs = plan.inputs;
  replace_integer(options, "hosts", 2, 16'000'000, inputs.hosts, errors);
  std::int64_t years = inputs.tariff.years;
  replace_integer(options, "years", 1, 100, years, errors);
  inputs.tariff.years = static_cast<int>(years);
  replace_rate(options, parts, inputs, errors);
  replace_integer(options, "planes", 1, 64, inputs.planes, errors);
  replace(options, "oversubscription", inputs.oversubscription, errors);
  replace(options, "load", inputs.load, errors);
  replace(options, "packet", inputs.packet, errors);
  replace(options, "price", inputs.tariff.price, errors);
  replace(options, "pue", inputs.tariff.pue, errors);
  replace(options, "co2", inputs.tariff.carbon, errors);
  replace_price(options, "switch-price", inputs.prices.switch_box, errors);
  replace_price(options, "nic-price", inputs.prices.nic, errors);
  replace_price(options, "electrical-price", inputs.prices.electrical_cable, errors);
  replace_price(options, "optical-price", inputs.prices.optical_cable, errors);
  replace(options, "electrical-limit", inputs.floor.electrical_limit, errors);
  std::int64_t hosts_per_rack = inputs.floor.hosts_per_rack.value_or(0);
  replace_integer(options, "hosts-per-rack", 1, 100'000, hosts_per_rack, errors);
  if (hosts_per_rack > 0) inputs.floor.hosts_per_rack = static_cast<std::uint32_t>(hosts_per_rack);
  std::optional<std::string> switch_part =
      inputs.parts.switch_part.empty() ? std::nullopt : std::optional(inputs.parts.switch_part);
  replace_name(options, "switch", switch_part);
  replace_name(options, "nic", inputs.parts.nic);
  replace_name(options, "electrical", inputs.parts.electrical);
  replace_name(options, "optical", inputs.parts.optical);
  replace_name(options, "circuit-switch", inputs.parts.circuit_switch);
  replace_name(options, "rate-table", inputs.parts.rate_table);
  inputs.parts.switch_part = switch_part.value_or("");
  if (inputs.hosts == 0 && errors.empty())
    errors.push_back({"how many hosts? give --hosts or a plan file", {}});
  if (inputs.load > Ratio(1, 1)) errors.push_back({"--load: at most 100%", {}});
  if (inputs.parts.switch_part.empty())
    errors.push_back({"which switch? give --switch PART (ebb parts list)", {}});
  if (!errors.empty()) return fail(std::move(errors));
  return plan;
}

// What is shown of the designs.
struct Shown {
  std::vector<plan::Design> designs;  // the best ones, ranked
  std::vector<plan::Swing> swings;    // of the first; empty unless asked for
  std::optional<PlannedSavings> savings;
  std::optional<PlannedSleep> sleep;
};

Result<std::optional<PlannedSavings>> savings_of(const Options& options,
                                                 const std::vector<plan::Design>& designs,
                                                 const plan::Inputs& inputs,
                                                 const power::Library& parts) {
  SavingsOptions given = options.savings;
  given.carbon_given = is_given(options, "co2");
  if (options.csv && !given.policy.empty())
    return fail("--csv has a row for each design and none for savings: use --json");
  const auto question = question_of(given);
  if (!question) return fail(question.error());
  if (!*question) return std::optional<PlannedSavings>{};
  auto planned = planned_savings(**question, designs, inputs, parts);
  if (!planned) return fail(planned.error());
  return std::optional(std::move(*planned));
}

void print_text(const Options& options, const Shown& shown, const plan::Inputs& inputs,
                const power::Library& parts) {
  const plan::Design& first = shown.designs.front();
  fmt::print("{}{}", designs_table(shown.designs, inputs), not_counted_lines(first, inputs));
  if (options.details) {
    fmt::print("\n{}\n{}\n{}", cables_table(first), breakdown_table(first),
               sensitivity_table(first, shown.swings));
  }
  if (shown.savings)
    fmt::print("\n{}", savings_table(*shown.savings, shown.designs, inputs, parts));
  if (shown.sleep) fmt::print("\n{}", sleep_tables(*shown.sleep, shown.designs, inputs));
}

ExitCode print_designs(const Options& options, std::vector<plan::Design> designs,
                       const plan::Inputs& inputs, const power::Library& parts) {
  plan::rank(designs, options.rank_by);
  if (designs.size() > static_cast<std::size_t>(options.top))
    designs.resize(static_cast<std::size_t>(options.top));
  Shown shown{std::move(designs), {}, {}, {}};
  if (options.details) {
    auto computed = plan::sensitivity(shown.designs.front(), inputs, parts);
    if (!computed) return refuse(computed.error());
    shown.swings = std::move(*computed);
  }
  auto savings = savings_of(options, shown.designs, inputs, parts);
  if (!savings) return refuse(savings.error());
  shown.savings = std::move(*savings);
  if (options.sleep) {
    if (options.csv) return refuse({{"--csv has no column for --sleep: use --json", {}}});
    auto sleep = planned_sleep(shown.designs, inputs, parts);
    if (!sleep) return refuse(sleep.error());
    shown.sleep = std::move(*sleep);
  }
  if (options.json) {
    nlohmann::ordered_json more;
    if (shown.savings) more["savings"] = savings_json(*shown.savings, shown.designs, inputs, parts);
    if (shown.sleep) more["sleep"] = sleep_json(*shown.sleep, shown.designs, inputs);
    fmt::print("{}", plan::designs_json(shown.designs, inputs, shown.swings, more));
  } else if (options.csv) {
    fmt::print("{}", designs_csv(shown.designs));
  } else {
    print_text(options, shown, inputs, parts);
  }
  return ExitCode::done;
}

ExitCode plan(const Options& options) {
  const auto parts = load_parts(options.part_files);
  if (!parts) return refuse(parts.error());
  const auto plan = inputs_of(options, *parts);
  if (!plan) return refuse(plan.error());
  auto designs = plan::propose(plan->inputs, *parts);
  if (!designs) return refuse(designs.error());
  if (designs->empty()) {
    fmt::print(stderr,
               "ebb: no family reaches {} hosts with {} at oversubscription {}; allow more with "
               "--oversubscription\n",
               plan->inputs.hosts, plan->inputs.parts.switch_part,
               to_text(plan->inputs.oversubscription));
    return ExitCode::not_met;
  }
  return print_designs(options, std::move(*designs), plan->inputs, *parts);
}

// A design that does not say how many planes it has.
plan::Candidate in_planes(plan::Candidate candidate, const plan::Inputs& inputs) {
  const std::string& name = topology::planes_parameter().name;
  ParameterTexts& given = candidate.parameters;
  const bool says = std::any_of(given.begin(), given.end(),
                                [&](const auto& parameter) { return parameter.first == name; });
  if (!says && inputs.planes > 1) given.emplace_back(name, std::to_string(inputs.planes));
  return candidate;
}

ExitCode compare(const Options& options) {
  const auto parts = load_parts(options.part_files);
  if (!parts) return refuse(parts.error());
  const auto plan = inputs_of(options, *parts);
  if (!plan) return refuse(plan.error());
  if (plan->designs.empty())
    return refuse({{"the file names no designs to compare", {options.file, 1, 0, "designs"}}});
  std::vector<plan::Design> designs;
  Errors errors;
  for (const plan::Candidate& candidate : plan->designs) {
    auto design = plan::evaluate(in_planes(candidate, plan->inputs), plan->inputs, *parts);
    if (design) designs.push_back(std::move(*design));
    if (!design) errors.insert(errors.end(), design.error().begin(), design.error().end());
  }
  if (!errors.empty()) return refuse(errors);
  return print_designs(options, std::move(designs), plan->inputs, *parts);
}

void add_inputs(CLI::App& command, Options& options) {
  struct Input {
    const char* flag;
    const char* help;
    const char* type = "TEXT";
  };
  const Input inputs[] = {
      {"hosts", "How many hosts"},
      {"rate", "What a host can send, as 40Gb/s: the line rate, times the planes"},
      {"planes", "Planes of the network; a host has an interface in each"},
      {"switch", "Part for the switches", "PART"},
      {"nic", "Part for the network cards of hosts", "PART"},
      {"electrical", "Module part for electrical cables", "PART"},
      {"optical", "Module part for optical cables", "PART"},
      {"circuit-switch", "Part for optical circuit switches between blocks of a torus", "PART"},
      {"rate-table", "Rate table of the links: what they draw at lower rates and asleep", "PART"},
      {"oversubscription",
       "Most host bandwidth per bandwidth that uniform traffic gets, as 1 or 1.5"},
      {"load", "Average load, as 15%"},
      {"packet", "Packet size, for parts with energy per packet"},
      {"price", "Electricity, as $0.07/kWh"},
      {"pue", "Power usage effectiveness"},
      {"years", "Service life"},
      {"co2", "Carbon dioxide of the electricity, as 366g/kWh; with --policy"},
      {"switch-price", "Of a switch box, as $20000"},
      {"nic-price", "Of a network card"},
      {"electrical-price", "Of an electrical cable with both ends"},
      {"optical-price", "Of an optical cable with both ends"},
      {"electrical-limit", "Longest electrical cable, as 5m"},
      {"hosts-per-rack", "Most hosts in a rack; the others sit in racks beside their switch"}};
  for (const auto& [flag, help, type] : inputs)
    command.add_option(std::string("--") + flag, options.given[flag], help)->type_name(type);
}

void add_output(CLI::App& command, Options& options) {
  static const std::map<std::string, plan::RankBy> kRanks = {
      {"watts", plan::RankBy::watts},
      {"cost", plan::RankBy::cost},
      {"switches", plan::RankBy::switches},
      {"optical", plan::RankBy::optical},
      {"worst-case", plan::RankBy::worst_case},
      {"worst-case-minimal", plan::RankBy::worst_case_minimal}};
  command
      .add_option("--rank", options.rank_by,
                  "Order: watts (default), cost, switches, optical; worst-case and "
                  "worst-case-minimal: watts per bandwidth that the worst permutation gets")
      ->transform(one_of(kRanks));
  command.add_option("--top", options.top, "Show the best N")->check(CLI::Range(1, 10000));
  command.add_option("--parts", options.part_files, "Further part files")->type_name("FILE");
  command.add_flag("--json", options.json, "Machine-readable output");
  command.add_flag("--csv", options.csv, "One row per design");
  command.add_flag("--details", options.details,
                   "Cables by length and sensitivity of the best design");
  command.add_flag("--sleep", options.sleep,
                   "What can sleep at 10, 30 and 50 % load, by power group, and dollars a year");
  add_savings_options(command, options.savings);
}

}  // namespace

void add_plan_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "plan", "Which topology and parts for N hosts: chips, cables, watts, dollars");
  command->add_option("file", options->file, "Plan file (YAML); flags override it")
      ->type_name("FILE");
  add_inputs(*command, *options);
  add_output(*command, *options);

  const auto compared = std::make_shared<Options>();
  CLI::App* compare_command =
      command->add_subcommand("compare", "The named designs of a plan file, side by side");
  compare_command->add_option("file", compared->file, "Plan file with `designs`")
      ->type_name("FILE")
      ->required();
  add_inputs(*compare_command, *compared);
  add_output(*compare_command, *compared);

  command->callback(
      [=, &code] { code = compare_command->parsed() ? compare(*compared) : plan(*options); });
}

}  // namespace ebb::cli
