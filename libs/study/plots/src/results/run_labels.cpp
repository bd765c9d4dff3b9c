// SPDX-License-Identifier: Apache-2.0
#include "results/run_labels.hpp"

#include "ebb/files/leaves.hpp"
#include "ebb/results/load.hpp"

#include <algorithm>
#include <string_view>

namespace ebb::plots {
namespace {

bool lies_in(std::string_view path, std::string_view key) {
  return path == key || (path.starts_with(key) && path[key.size()] == '.');
}

// A name speaks for itself: "epoch", not "name=epoch".
std::string text_of(const std::string& path, const std::string& value) {
  const std::string word = path.substr(path.rfind('.') + 1);
  return word == "name" || word == path ? value : word + "=" + value;
}

}  // namespace

RunLabels::RunLabels(std::span<const results::Run> runs) {
  std::map<std::string, std::set<std::string>> values;
  for (const results::Run& run : runs) {
    several_names_ = several_names_ || run.label != runs.front().label;
    for (const results::Parameter& parameter : run.parameters) set_.insert(parameter.key);
  }
  for (const results::Run& run : runs)
    for (auto& [path, value] : values_of(run)) values[path].insert(value);
  for (const auto& [path, known] : values)
    if (known.size() > 1) varied_.insert(path);
}

RunLabels::Values RunLabels::values_of(const results::Run& run) const {
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

std::string RunLabels::series(const results::Run& run) const {
  std::string text = several_names_ ? run.label : "";
  std::string words;  // names first: "epoch, target=0.5"
  std::string rest;
  for (const auto& [path, value] : values_of(run)) {
    if (results::is_load(path) || !varied_.contains(path)) continue;
    std::string& part = text_of(path, value) == value ? words : rest;
    part += ", " + text_of(path, value);
  }
  text += words + rest;
  if (text.starts_with(", ")) text.erase(0, 2);
  return text.empty() ? run.label : text;
}

std::string RunLabels::label(const results::Run& run) const {
  const auto load = results::load_of(run);
  const std::string text = series(run);
  return load && varied_.contains(load->key) ? text + ", load=" + load->value : text;
}

}  // namespace ebb::plots
