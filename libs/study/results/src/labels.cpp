// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/labels.hpp"

#include "ebb/files/document.hpp"
#include "ebb/results/statistics.hpp"

#include <algorithm>
#include <string_view>

namespace ebb::results {
namespace {

constexpr std::string_view kName = ".name";

bool lies_in(std::string_view path, std::string_view key) {
  return path == key || (path.starts_with(key) && path[key.size()] == '.');
}

// A name speaks for itself: "epoch", not "name=epoch".
std::string text_of(const std::string& path, const std::string& value) {
  const std::string word = path.substr(path.rfind('.') + 1);
  return word == "name" || word == path ? value : word + "=" + value;
}

// Of {name: epoch, target: 50%} that was set as `policy`, what is written at policy.target.
std::optional<std::string> written_at(const Parameter& parameter, const std::string& path) {
  if (path == parameter.key) return parameter.value;
  const auto inside = files::leaves(parameter.value);
  if (inside) {
    for (const files::Leaf& leaf : *inside) {
      if (parameter.key + "." + leaf.path == path) return leaf.value;
    }
  }
  const bool is_map = !parameter.value.empty() && parameter.value.front() == '{';
  if (!is_map && path == parameter.key + std::string(kName)) return parameter.value;
  return std::nullopt;
}

}  // namespace

RunLabels::RunLabels(std::span<const Run> runs) : set_(parameter_keys(runs)) {
  std::map<std::string, std::set<std::string>> values;
  for (const Run& run : runs) {
    several_names_ = several_names_ || run.label != runs.front().label;
    for (auto& [path, value] : values_of(run)) values[path].insert(value);
  }
  for (const std::string& key : set_) {
    std::vector<std::string> inside;
    for (const auto& [path, known] : values) {
      if (known.size() > 1 && lies_in(path, key) && !is_varied(path)) inside.push_back(path);
    }
    std::stable_partition(inside.begin(), inside.end(),
                          [](const std::string& path) { return path.ends_with(kName); });
    varied_.insert(varied_.end(), inside.begin(), inside.end());
  }
}

bool RunLabels::is_varied(const std::string& path) const {
  return std::find(varied_.begin(), varied_.end(), path) != varied_.end();
}

RunLabels::Values RunLabels::values_of(const Run& run) const {
  Values values;
  const auto leaves = files::leaves(run.configuration);
  if (!leaves) return values;  // a file of another program; the runs are told apart by their keys
  for (const files::Leaf& leaf : *leaves) {
    const bool was_set = std::any_of(
        set_.begin(), set_.end(), [&](const std::string& key) { return lies_in(leaf.path, key); });
    if (was_set) values.emplace(leaf.path, leaf.value);
  }
  return values;
}

std::string RunLabels::series(const Run& run) const {
  std::string text = several_names_ ? run.label : "";
  std::string words;  // names first: "epoch, target=0.5"
  std::string rest;
  for (const auto& [path, value] : values_of(run)) {
    if (is_load(path) || !is_varied(path)) continue;
    std::string& part = text_of(path, value) == value ? words : rest;
    part += ", " + text_of(path, value);
  }
  text += words + rest;
  if (text.starts_with(", ")) text.erase(0, 2);
  return text.empty() ? run.label : text;
}

std::string RunLabels::label(const Run& run) const {
  const auto load = load_of(run);
  const std::string text = series(run);
  return load && is_varied(load->key) ? text + ", load=" + load->value : text;
}

std::string RunLabels::value(const Run& run, const std::string& path) const {
  for (auto parameter = run.parameters.rbegin(); parameter != run.parameters.rend(); ++parameter) {
    if (const auto written = written_at(*parameter, path)) return *written;
  }
  const Values values = values_of(run);
  const auto found = values.find(path);
  return found == values.end() ? "" : found->second;
}

std::vector<std::string> varied_titles(const std::vector<std::string>& paths) {
  std::vector<std::string> keys;
  for (const std::string& path : paths) {
    const bool name = path.ends_with(kName);
    keys.push_back(name ? path.substr(0, path.size() - kName.size()) : path);
  }
  return column_titles(keys);
}

}  // namespace ebb::results
