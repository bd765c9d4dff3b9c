// SPDX-License-Identifier: Apache-2.0
#include "results/run_labels.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace ebb::figures {
namespace {

std::string last_word(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// "{name: epoch, channels: paired}" -> "epoch, channels: paired"
std::string plain(std::string value) {
  if (value.size() >= 2 && value.front() == '{' && value.back() == '}')
    value = value.substr(1, value.size() - 2);
  constexpr std::string_view kName = "name: ";
  return value.starts_with(kName) ? value.substr(kName.size()) : value;
}

// A value that is a name speaks for itself: "epoch", not "policy=epoch".
std::string text_of(const results::Parameter& parameter) {
  const std::string word = last_word(parameter.key);
  const bool speaks = word == parameter.key || word == "name";
  return speaks ? plain(parameter.value) : word + "=" + plain(parameter.value);
}

}  // namespace

std::set<std::string> varied_keys(std::span<const results::Run> runs) {
  std::map<std::string, std::set<std::optional<std::string>>> values;
  for (const results::Run& run : runs)
    for (const results::Parameter& parameter : run.parameters) values[parameter.key];
  for (auto& [key, known] : values)
    for (const results::Run& run : runs) known.insert(run.parameter(key));
  std::set<std::string> varied;
  for (const auto& [key, known] : values)
    if (known.size() > 1) varied.insert(key);
  return varied;
}

RunLabels::RunLabels(std::span<const results::Run> runs) : varied_(varied_keys(runs)) {
  several_names_ = std::any_of(runs.begin(), runs.end(), [&](const results::Run& run) {
    return run.label != runs.front().label;
  });
}

std::string RunLabels::series(const results::Run& run) const {
  std::string text = several_names_ ? run.label : "";
  for (const results::Parameter& parameter : run.parameters) {
    if (parameter.key == kLoadKey || !varied_.contains(parameter.key)) continue;
    text += (text.empty() ? "" : ", ") + text_of(parameter);
  }
  return text.empty() ? run.label : text;
}

std::string RunLabels::label(const results::Run& run) const {
  const auto load = run.parameter(kLoadKey);
  const std::string text = series(run);
  return load && varied_.contains(std::string(kLoadKey)) ? text + ", load=" + *load : text;
}

}  // namespace ebb::figures
