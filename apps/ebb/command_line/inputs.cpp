// SPDX-License-Identifier: Apache-2.0
#include "command_line/inputs.hpp"

#include "ebb/files/parts_file.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <utility>
#include <variant>

namespace ebb::cli {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "parts", ignored) && fs::is_directory(folder / "repro", ignored);
}

using topology::Graph;

Result<topology::RateTable> rate_table_of(const std::vector<std::string>& texts) {
  topology::RateTable rate_table;
  Errors errors;
  for (const std::string& text : texts) {
    const auto rate = parse<DataRate>(text);
    if (!rate) errors.push_back({"--rates: " + rate.error().front().message, {}});
    if (rate && (rate->count() <= 0 || (!rate_table.empty() && *rate <= rate_table.back()))) {
      errors.push_back({"--rates: rates are positive and ascend", {}});
    }
    if (rate) rate_table.push_back(*rate);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return rate_table;
}

Result<Graph> generated(const NetworkOptions& options) {
  auto rate_table = rate_table_of(options.rates);
  if (!rate_table) return fail(rate_table.error());
  const auto parameters = parameters_after_name(options.what);
  if (!parameters) return fail(parameters.error());
  topology::FloorPlan floor = options.floor;
  if (!options.electrical_limit.empty()) {
    const auto limit = parse<Length>(options.electrical_limit);
    if (!limit) return fail("--electrical-limit: " + limit.error().front().message);
    floor.electrical_limit = *limit;
  }
  auto graph = topology::build(options.what[0], *parameters, std::move(*rate_table));
  if (!graph) return graph;
  if (auto placed = topology::place_cables(*graph, floor); !placed) return fail(placed.error());
  return graph;
}

constexpr std::int64_t kMostHosts = 10'000'000;

}  // namespace

bool names_a_file(const std::vector<std::string>& what) {
  return what.size() == 1 &&
         (what[0].find('.') != std::string::npos || what[0].find('/') != std::string::npos);
}

Result<ParameterTexts> parameters_after_name(const std::vector<std::string>& what) {
  ParameterTexts parameters;
  Errors errors;
  for (std::size_t i = 1; i < what.size(); ++i) {
    const auto equals = what[i].find('=');
    if (equals == std::string::npos)
      errors.push_back({fmt::format("'{}' is not key=value", what[i]), {}});
    if (equals != std::string::npos)
      parameters.emplace_back(what[i].substr(0, equals), what[i].substr(equals + 1));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return parameters;
}

std::string data_folder() {
  if (const char* chosen = std::getenv("EBB_DATA")) return chosen;
  std::error_code ignored;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "share" / "ebb";
  for (const fs::path& folder : {beside, fs::path(EBB_INSTALL_DATA_DIR)}) {
    if (holds_data(folder)) return folder.string();
  }
  return EBB_BUILD_DATA_DIR;
}

Result<power::Library> load_parts(const std::vector<std::string>& more_files) {
  auto files = files::part_files(data_folder() + "/parts");
  if (!files) return fail(files.error());
  files->insert(files->end(), more_files.begin(), more_files.end());
  return files::read_parts(*files);
}

namespace {

// Of the fastest port; none when the part is no switch.
std::optional<DataRate> fastest_port(const power::Part& part) {
  if (const auto* chip = std::get_if<power::Chip>(&part.body)) return chip->port_rate;
  const auto* box = std::get_if<power::Box>(&part.body);
  std::optional<DataRate> fastest;
  if (box == nullptr) return fastest;
  for (const power::PortSetup& setup : box->setups) {
    if (!fastest || *fastest < setup.rate) fastest = setup.rate;
  }
  return fastest;
}

}  // namespace

std::optional<std::string> meant_rate(const std::string& text, const std::string& part,
                                      const power::Library& parts) {
  const auto found = parts.find(part);
  if (!found || !parse<DataRate>(text + "Gb/s")) return std::nullopt;  // no number alone
  const auto most = fastest_port(**found);
  if (!most) return std::nullopt;
  for (const char* unit : {"Tb/s", "Gb/s", "Mb/s"}) {
    const auto rate = parse<DataRate>(text + unit);
    if (!rate || *rate > *most) continue;
    return fmt::format("'{}' has no unit; did you mean '{}{}'? ({} has ports of {})", text, text,
                       unit, part, to_text(*most));
  }
  return std::nullopt;
}

void add_network_argument(CLI::App& verb, NetworkOptions& options) {
  verb.add_option("network", options.what, "A graph or topology file, or FAMILY key=value ...")
      ->type_name("NETWORK")
      ->required();
}

void add_network_options(CLI::App& verb, NetworkOptions& options) {
  verb.add_option("--rates", options.rates, "Rates of every link, ascending, as 10Gb/s 40Gb/s")
      ->delimiter(',');
  verb.add_option("--switches-per-rack", options.floor.switches_per_rack,
                  "Floor plan: switches in a rack")
      ->check(CLI::Range(1, 100000));
  verb.add_option("--racks-per-row", options.floor.racks_per_row, "Floor plan: racks in a row")
      ->check(CLI::Range(1, 100000));
  verb.add_option("--electrical-limit", options.electrical_limit,
                  "Longest electrical cable, as 5m");
}

Result<Graph> load_network(const NetworkOptions& options) {
  return names_a_file(options.what) ? files::read_topology(options.what[0]) : generated(options);
}

// Options as a table of parameters: the same messages for the same mistakes.
Result<WorkloadValues> values_of(const WorkloadOptions& options) {
  const std::vector<Parameter> table = {
      {"hosts", Range<std::int64_t>{2, kMostHosts}, "1024", "number of hosts"},
      {"time", Range<Duration>{Duration(1), std::chrono::hours(1)}, "10ms", "how long"},
      {"seed", Range<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}, "1", "of chance"}};
  ParameterTexts given;
  if (!options.time.empty()) given.emplace_back("time", options.time);
  if (!options.hosts.empty()) given.emplace_back("hosts", options.hosts);
  if (!options.seed.empty()) given.emplace_back("seed", options.seed);
  const auto values = Parameters::resolve(table, given);
  if (!values) return fail(values.error());
  const auto rate = parse<DataRate>(options.rate.empty() ? "40Gb/s" : options.rate);
  if (!rate) return fail("--rate: " + rate.error().front().message);
  return WorkloadValues{.hosts = static_cast<std::uint32_t>(values->integer("hosts")),
                        .rate = *rate,
                        .time = values->duration("time"),
                        .seed = static_cast<std::uint64_t>(values->integer("seed"))};
}

}  // namespace ebb::cli
