// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/run.hpp"

#include <algorithm>

namespace ebb::results {

std::string_view to_text(Status status) { return status == Status::done ? "done" : "failed"; }

std::optional<double> Run::metric(std::string_view name) const {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
  }
  return std::nullopt;
}

std::optional<std::string> Run::parameter(std::string_view wanted) const {
  for (const Parameter& parameter : parameters) {
    if (parameter.key == wanted) return parameter.value;
  }
  return std::nullopt;
}

std::vector<Parameter> parameters_of(std::span<const std::string> settings) {
  std::vector<Parameter> parameters;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = setting.substr(0, equals);
    if (key == "seed") continue;
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const Parameter& known) { return known.key == key; });
    if (at == parameters.end()) {
      parameters.push_back({key, setting.substr(equals + 1)});
    } else {
      at->value = setting.substr(equals + 1);
    }
  }
  return parameters;
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the front, without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// Below zero, zero or above, as memcmp answers.
int natural_order(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto x = take_number(a);
      const auto y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
    } else {
      if (a.front() != b.front()) return a.front() < b.front() ? -1 : 1;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty() ? -1 : 1;
  return whole_a.compare(whole_b);  // 07 and 7
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) { return natural_order(a, b) < 0; }

bool shown_before(const Run& a, const Run& b) {
  if (const int order = natural_order(a.label, b.label); order != 0) return order < 0;
  const std::size_t common = std::min(a.parameters.size(), b.parameters.size());
  for (std::size_t i = 0; i < common; ++i) {
    const Parameter& x = a.parameters[i];
    const Parameter& y = b.parameters[i];
    if (const int order = natural_order(x.key, y.key); order != 0) return order < 0;
    if (const int order = natural_order(x.value, y.value); order != 0) return order < 0;
  }
  if (a.parameters.size() != b.parameters.size()) return a.parameters.size() < b.parameters.size();
  if (a.setup != b.setup) return a.setup < b.setup;
  if (a.seed != b.seed) return a.seed < b.seed;
  return a.key < b.key;
}

}  // namespace ebb::results
