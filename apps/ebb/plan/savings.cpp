// SPDX-License-Identifier: Apache-2.0
#include "plan/savings.hpp"

#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "command_line/text.hpp"
#include "plan/output.hpp"

#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace ebb::cli {
namespace {

using plan::Design;
using savings::Basis;
using Json = nlohmann::ordered_json;

// Of words NAME key=value ...
files::Named named_of(const char* option, const std::vector<std::string>& words, Errors& errors) {
  auto parameters = parameters_after_name(words);
  if (parameters) return {words.front(), std::move(*parameters)};
  for (const Error& error : parameters.error())
    errors.push_back({fmt::format("{}: {}", option, error.message), {}});
  return {};
}

std::string with_parameters(const files::Named& named) {
  std::string text = named.name;
  for (const auto& [key, value] : named.parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

// The rate table that the links follow, with the evidence of its numbers.
std::string rate_table_text(const savings::LinkSaving& share, const power::Library& library) {
  const auto part = library.find(share.rate_table);
  return fmt::format("{} ({})", share.rate_table, evidence_text(**part, library));
}

std::string basis_text(const PlannedSavings& savings, std::size_t designs) {
  if (savings.share.basis == Basis::breakeven)
    return "by break-even: the idle gaps of the hosts' links, taken for all links";
  return designs > 1 ? "by a short packet simulation of design 1" : "by a short packet simulation";
}

}  // namespace

void add_savings_options(CLI::App& command, SavingsOptions& options) {
  command
      .add_option("--policy", options.policy,
                  "What a policy of `ebb list` saves in a year, as on-demand idle=10us; needs "
                  "--workload")
      ->type_name("POLICY");
  command
      .add_option("--workload", options.workload,
                  "A workload or injection of `ebb list` with key=value ..., as flows "
                  "sizes=websearch load=30%")
      ->type_name("WORKLOAD");
  command
      .add_option("--basis", options.basis,
                  "Of what is saved: breakeven, or packet (a short simulation of the best design)")
      ->check(one_of({"breakeven", "packet"}));
  command.add_option("--time", options.time,
                     "How long to look at links (breakeven), or to measure (packet; 200us)");
  command.add_option("--threads", options.threads, "Of the packet simulation")
      ->check(CLI::Range(1, 1024));
}

Result<std::optional<savings::Question>> question_of(const SavingsOptions& options) {
  Errors errors;
  if (options.policy.empty()) {
    const std::pair<bool, const char*> given[] = {{!options.workload.empty(), "--workload"},
                                                  {!options.basis.empty(), "--basis"},
                                                  {!options.time.empty(), "--time"},
                                                  {options.threads.has_value(), "--threads"},
                                                  {options.carbon_given, "--co2"}};
    for (const auto& [is_given, option] : given) {
      if (is_given) errors.push_back({fmt::format("{} says nothing without --policy", option), {}});
    }
    if (!errors.empty()) return fail(std::move(errors));
    return std::optional<savings::Question>{};
  }
  savings::Question question{.policy = named_of("--policy", options.policy, errors)};
  if (options.workload.empty()) {
    errors.push_back(
        {"what a policy saves depends on the traffic: give --workload (ebb list)", {}});
  } else {
    question.workload = named_of("--workload", options.workload, errors);
  }
  question.threads = options.threads;
  if (!options.basis.empty())
    question.basis = options.basis == "packet" ? Basis::packet : Basis::breakeven;
  if (!options.time.empty()) {
    const auto time = parse<Duration>(options.time);
    if (!time) errors.push_back({"--time: " + time.error().front().message, {}});
    if (time && *time <= Duration{}) errors.push_back({"--time: must be positive", {}});
    if (time) question.time = *time;
  }
  if (!errors.empty()) return fail(std::move(errors));
  return std::optional(std::move(question));
}

Result<PlannedSavings> planned_savings(const savings::Question& question,
                                       const std::vector<Design>& designs,
                                       const plan::Inputs& inputs, const power::Library& library) {
  for (const Design& design : designs) {
    if (design.properties.interfaces > 1) {
      return fail(fmt::format("savings are of hosts with one interface; those of '{}' have {}",
                              design.candidate.name, design.properties.interfaces));
    }
  }
  const auto share = savings::link_saving(question, designs.front(), inputs, library);
  if (!share) return fail(share.error());
  PlannedSavings planned{question, *share, {}};
  for (const Design& design : designs) {
    const auto year = savings::year_of(design, inputs, library, *share);
    if (!year) return fail(year.error());
    planned.years.push_back(*year);
    if (share->basis == Basis::packet) break;  // another design would need its own run
  }
  return planned;
}

std::string savings_table(const PlannedSavings& savings, const std::vector<Design>& designs,
                          const plan::Inputs& inputs, const power::Library& library) {
  constexpr auto kRight = Table::Align::right;
  const savings::LinkSaving& share = savings.share;
  const bool at_wall = savings.years.front().saved_at_wall.has_value();
  std::vector<Table::Column> columns = {
      {"#", kRight}, {"design"}, {"links kW", kRight}, {"saved kW", kRight}, {"of all", kRight}};
  if (at_wall) columns.push_back({"saved at the wall", kRight});
  for (const char* title : {"MWh/year", "USD/year", "t CO2/year"})
    columns.push_back({title, kRight});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < savings.years.size(); ++i) {
    const savings::Year& year = savings.years[i];
    const double all = to_watts(designs[i].watts.at_load);
    std::vector<std::string> cells = {std::to_string(i + 1), designs[i].candidate.name,
                                      kilowatts(year.links), kilowatts(year.saved),
                                      fmt::format("{:.1f} %", 100 * to_watts(year.saved) / all)};
    if (year.saved_at_wall) cells.push_back(kilowatts(*year.saved_at_wall));
    cells.insert(cells.end(), {fmt::format("{:.1f}", to_kwh(year.energy) * 1e-3),
                               with_separators(std::llround(to_dollars(year.money))),
                               fmt::format("{:.1f}", to_kilograms(year.carbon) * 1e-3)});
    table.add(std::move(cells));
  }
  std::string text = fmt::format(
      "What {} saves in a year, {}.\n{}, {:.1f} % of a host's link; links after {}; {} x PUE {}, "
      "{} of CO2\n\n{}\n",
      with_parameters(savings.question.policy), basis_text(savings, designs.size()), share.workload,
      100 * share.load, rate_table_text(share, library), to_text(inputs.tariff.price),
      to_text(inputs.tariff.pue), to_text(inputs.tariff.carbon), table.text());
  text += fmt::format("{:.1f} % of the power of the links is saved", 100 * share.saved);
  if (share.delay)
    text += fmt::format("; a message waits {} longer on average", short_text(*share.delay));
  text += ".\n";
  if (share.saturated) text += "The network was saturated: less arrived than was offered.\n";
  if (share.needed) {
    text += fmt::format(
        "The simulation was too short for its messages, so take these numbers as a first guess: "
        "measure {} or longer, with --time.\n",
        to_text(*share.needed));
  }
  return text;
}

Json savings_json(const PlannedSavings& savings, const std::vector<Design>& designs,
                  const plan::Inputs& inputs, const power::Library& library) {
  const savings::LinkSaving& share = savings.share;
  Json all = Json::array();
  for (std::size_t i = 0; i < savings.years.size(); ++i) {
    const savings::Year& year = savings.years[i];
    all.push_back({{"design", designs[i].candidate.name},
                   {"power_links_W", to_watts(year.links)},
                   {"power_saved_W", to_watts(year.saved)},
                   {"energy_kWh_per_year", to_kwh(year.energy)},
                   {"cost_USD_per_year", to_dollars(year.money)},
                   {"co2_kg_per_year", to_kilograms(year.carbon)}});
    if (year.saved_at_wall) all.back()["power_wall_saved_W"] = to_watts(*year.saved_at_wall);
  }
  return {{"policy", with_parameters(savings.question.policy)},
          {"workload", share.workload},
          {"basis", savings::to_text(share.basis)},
          {"rate_table", rate_table_text(share, library)},
          {"load", share.load},
          {"links_saved_share", share.saved},
          {"delay_ps", share.delay ? Json(share.delay->count()) : Json(nullptr)},
          {"saturated", share.saturated},
          {"too_short", share.needed.has_value()},
          {"needed_time_ps", share.needed ? Json(share.needed->count()) : Json(nullptr)},
          {"co2", to_text(inputs.tariff.carbon)},
          {"designs", all}};
}

}  // namespace ebb::cli
