// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/parameters.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ebb::topology {
namespace {

constexpr std::size_t kLongestList = 16;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find_first_of("x,");
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Result<std::vector<std::int64_t>> read_numbers(const Parameter& parameter,
                                               const std::string& text) {
  const bool list = parameter.kind == ParameterKind::list;
  const auto parts = list ? split(text) : std::vector<std::string_view>{text};
  if (parts.size() > kLongestList)
    return fail(fmt::format("'{}' has more than {} entries", parameter.name, kLongestList));
  std::vector<std::int64_t> numbers;
  for (std::string_view part : parts) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    const auto number = whole_number(part);
    if (!number) {
      return fail(fmt::format("'{}' must be {}, got '{}'", parameter.name,
                              list ? "whole numbers like '15x15x6'" : "a whole number",
                              text.substr(0, 60)));
    }
    if (*number < parameter.least || *number > parameter.most) {
      return fail(fmt::format("'{}' must be between {} and {}, got {}", parameter.name,
                              parameter.least, parameter.most, *number));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Errors unknown_and_repeated(std::span<const Parameter> declared, const ParameterTexts& given) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) names.push_back(parameter.name);
  Errors errors;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& name = given[i].first;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      errors.push_back({unknown_name("parameter", name, names), {.path = name}});
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (given[j].first == name)
        errors.push_back({fmt::format("'{}' is given twice", name), {.path = name}});
    }
  }
  return errors;
}

}  // namespace

Result<Parameters> Parameters::resolve(std::span<const Parameter> declared,
                                       const ParameterTexts& given) {
  Errors errors = unknown_and_repeated(declared, given);
  Parameters result;
  for (const Parameter& parameter : declared) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const auto& entry) {
      return entry.first == parameter.name;
    });
    if (found == given.end() && !parameter.fallback) {
      errors.push_back({fmt::format("missing parameter '{}' ({})", parameter.name, parameter.help),
                        {.path = parameter.name}});
      continue;
    }
    auto numbers =
        read_numbers(parameter, found == given.end() ? *parameter.fallback : found->second);
    if (!numbers) {
      for (Error& error : numbers.error())
        errors.push_back({error.message, {.path = parameter.name}});
      continue;
    }
    result.values_.push_back({parameter.name, parameter.kind, std::move(*numbers)});
  }
  if (!errors.empty()) return fail(std::move(errors));
  return result;
}

std::int64_t Parameters::integer(std::string_view name) const { return list(name).front(); }

const std::vector<std::int64_t>& Parameters::list(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const Value& value) { return value.name == name; });
  EBB_CHECK(found != values_.end(), "parameter was not declared by the family");
  return found->numbers;
}

ParameterTexts Parameters::texts() const {
  ParameterTexts texts;
  for (const Value& value : values_)
    texts.emplace_back(value.name, fmt::format("{}", fmt::join(value.numbers, "x")));
  return texts;
}

}  // namespace ebb::topology
