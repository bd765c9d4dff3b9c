// SPDX-License-Identifier: Apache-2.0
//
// What the values of options can be, by the type that an option's table names: POLICY, PART, FILE.
// Names come from the registries that `ebb list` prints.
#include "command_line/completions.hpp"
#include "command_line/inputs.hpp"

#include "ebb/applications/application.hpp"
#include "ebb/config/sim_file.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/repro/experiment.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/size_distribution.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/validate/check.hpp"

#include <yaml-cpp/yaml.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using shell::Candidate;
using shell::Completions;
using shell::ValueQuestion;
using Candidates = std::vector<Candidate>;

template <class Entry>
Candidates names_of(std::span<const Entry> entries) {
  Candidates names;
  for (const Entry& entry : entries) names.push_back({entry.name, entry.summary});
  return names;
}

Candidates families() {
  Candidates names = names_of(topology::families());
  for (const topology::Family& family : topology::families()) {
    for (const topology::Alias& alias : family.aliases)
      names.push_back({alias.name, family.summary});
  }
  return names;
}

Candidates workloads() {
  Candidates names = names_of(traffic::workload_kinds());
  for (Candidate& one : names_of(traffic::injection_kinds())) names.push_back(std::move(one));
  return names;
}

Candidates sizes() {
  Candidates names;
  for (const auto& one : traffic::size_distributions()) names.push_back({one.name(), one.source()});
  return names;
}

Candidates parts(const ValueQuestion& question) {
  const auto more = question.given.find("--parts");
  const auto library =
      load_parts(more == question.given.end() ? std::vector<std::string>() : more->second);
  return library ? names_of(library->parts()) : Candidates();
}

Candidates published_results() {
  Candidates names;
  const auto rows = repro::read_rows(data_folder() + "/repro");
  if (!rows) return names;
  for (const repro::Row& row : *rows) names.push_back({row.id, row.result});
  return names;
}

// `key=` for each parameter that is not given yet.
Candidates parameter_keys(const std::vector<Parameter>& parameters,
                          const std::vector<std::string>& given) {
  Candidates keys;
  for (const Parameter& parameter : parameters) {
    const std::string key = parameter.name + "=";
    bool is_given = false;
    for (const std::string& word : given) is_given = is_given || word.starts_with(key);
    if (!is_given) keys.push_back({key, parameter.help});
  }
  return keys;
}

// After NAME: the parameters of what has that name.
template <class Found>
Candidates keys_after(const Found& found, const ValueQuestion& question) {
  return found ? parameter_keys((*found)->parameters, question.before) : Candidates();
}

Completions network(const ValueQuestion& question) {
  if (question.before.empty()) return {.candidates = families(), .files = true};
  return {.candidates = keys_after(topology::find_family(question.before[0]), question)};
}

Candidates policy(const ValueQuestion& question) {
  if (question.before.empty()) return names_of(policy::policies());
  return keys_after(policy::find_policy(question.before[0]), question);
}

Candidates workload(const ValueQuestion& question) {
  if (question.before.empty()) return workloads();
  const std::string& name = question.before[0];
  if (const auto kind = traffic::find_workload_kind(name)) return keys_after(kind, question);
  return keys_after(traffic::find_injection_kind(name), question);
}

// Of `ebb trace make`: after the name its parameters.
Candidates application_keys(const ValueQuestion& question) {
  const auto named = question.given.find("application");
  if (named == question.given.end() || named->second.empty()) return {};
  const auto found = applications::find_application(named->second[0]);
  const auto given = question.given.find("--set");
  if (!found) return {};
  return parameter_keys((*found)->parameters,
                        given == question.given.end() ? std::vector<std::string>() : given->second);
}

// ---- --set KEY=VALUE

// A simulation with every section, for the keys when no file is named yet.
constexpr std::string_view kSmallSimulation = R"(
schema_version: 1
topology: {family: fbfly, hosts: 1, dims: 2}
routing: minimal-adaptive
traffic: {pattern: uniform, injection: {name: poisson, load: 1%, size: 1KiB}}
policy: always-on
parts: {switch: isca10-chip-ideal}
)";

void add_keys(const YAML::Node& node, const std::string& prefix, Candidates& keys) {
  for (const auto& item : node) {
    const std::string key = prefix + item.first.as<std::string>();
    if (item.second.IsMap()) {
      add_keys(item.second, key + ".", keys);
    } else {
      keys.push_back({key + "=", item.second.IsScalar() ? item.second.as<std::string>() : ""});
    }
  }
}

// The keys of the simulation file on the line, defaults included, each with its value.
Candidates file_keys(const ValueQuestion& question) {
  const auto library = load_parts({});
  if (!library) return {};
  const auto named = question.given.find("file");
  auto file = named == question.given.end() || named->second.empty()
                  ? config::read_sim_text(kSmallSimulation, "", *library)
                  : config::read_sim(named->second[0], *library);
  if (!file) file = config::read_sim_text(kSmallSimulation, "", *library);
  if (!file) return {};
  Candidates keys;
  add_keys(YAML::Load(config::resolved_text(file->spec)), "", keys);
  return keys;
}

// Keys of files whose values are names.
Candidates values_of_key(const std::string& key, const ValueQuestion& question) {
  if (key == "policy" || key == "policy.name") return names_of(policy::policies());
  if (key == "routing") return names_of(routing::schemes());
  if (key == "topology.family") return families();
  if (key == "traffic.pattern" || key == "traffic.pattern.name")
    return names_of(traffic::pattern_kinds());
  if (key == "traffic.injection" || key == "traffic.injection.name")
    return names_of(traffic::injection_kinds());
  if (key == "traffic.injection.sizes") return sizes();
  if (key == "traffic.workload" || key == "traffic.workload.name")
    return names_of(traffic::workload_kinds());
  if (key == "traffic.program.name") return names_of(applications::applications());
  if (key == "parts.switch" || key == "parts.rate_table" || key == "parts.components")
    return parts(question);
  return {};
}

Candidates setting(const ValueQuestion& question) {
  const auto equals = question.typed.find('=');
  if (equals == std::string::npos) return file_keys(question);
  const std::string key = question.typed.substr(0, equals);
  Candidates values = values_of_key(key, question);
  for (Candidate& one : values) one.text.insert(0, key + "=");
  return values;
}

}  // namespace

Completions value_completions(const ValueQuestion& question) {
  const std::string& type = question.type;
  if (type == "NETWORK") return network(question);
  if (type == "POLICY") return {.candidates = policy(question)};
  if (type == "WORKLOAD")
    return {.candidates = workload(question), .files = question.before.empty()};
  if (type == "APPLICATION") return {.candidates = names_of(applications::applications())};
  if (type == "NAME=VALUE") return {.candidates = application_keys(question)};
  if (type == "ROUTING") return {.candidates = names_of(routing::schemes())};
  if (type == "PART") return {.candidates = parts(question)};
  if (type == "FIGURE") return {.candidates = names_of(plots::result_figures())};
  if (type == "CHECK") return {.candidates = names_of(validate::checks())};
  if (type == "RESULT") return {.candidates = published_results()};
  if (type == "KEY=VALUE") return {.candidates = setting(question)};
  return shell::file_values(question);
}

}  // namespace ebb::cli
