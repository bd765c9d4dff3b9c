// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/parameters.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/suggest.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ebb::traffic {
namespace {

Result<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(fmt::format("'{}' is not a whole number", text.substr(0, 60)));
  return value;
}

// A value of the kind that `like` has.
Result<ParameterValue> read(std::string_view text, const ParameterValue& like) {
  const auto as_value = [](const auto& value) { return ParameterValue(value); };
  if (std::holds_alternative<std::int64_t>(like)) return whole_number(text).map(as_value);
  if (std::holds_alternative<Ratio>(like)) return parse<Ratio>(text).map(as_value);
  return parse<DataSize>(text).map(as_value);
}

Result<ParameterValue> read_in_range(const Parameter& parameter, std::string_view text) {
  auto value = read(text, parameter.least);
  if (!value) return fail(fmt::format("'{}': {}", parameter.name, value.error().front().message));
  if (*value < parameter.least || *value > parameter.most) {
    return fail(fmt::format("'{}' must be between {} and {}, got {}", parameter.name,
                            to_text(parameter.least), to_text(parameter.most), to_text(*value)));
  }
  return value;
}

Errors unknown_and_repeated(std::span<const Parameter> declared, const ParameterTexts& given) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) names.push_back(parameter.name);
  Errors errors;
  for (auto entry = given.begin(); entry != given.end(); ++entry) {
    const std::string& name = entry->first;
    const auto same = [&](const auto& other) { return other.first == name; };
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string none = fmt::format("unknown parameter '{}'; there are none", name);
      errors.push_back(
          {names.empty() ? none : unknown_name("parameter", name, names), {.path = name}});
    }
    if (std::find_if(given.begin(), entry, same) != entry)
      errors.push_back({fmt::format("'{}' is given twice", name), {.path = name}});
  }
  return errors;
}

}  // namespace

std::string to_text(const ParameterValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* ratio = std::get_if<Ratio>(&value)) return ebb::to_text(*ratio);
  return ebb::to_text(std::get<DataSize>(value));
}

Result<Parameters> Parameters::resolve(std::span<const Parameter> declared,
                                       const ParameterTexts& given) {
  Errors errors = unknown_and_repeated(declared, given);
  Parameters result;
  for (const Parameter& parameter : declared) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const auto& entry) {
      return entry.first == parameter.name;
    });
    if (found == given.end()) {
      if (parameter.fallback) {
        result.values_.emplace_back(parameter.name, *parameter.fallback);
      } else {
        errors.push_back(
            {fmt::format("missing parameter '{}' ({})", parameter.name, parameter.help),
             {.path = parameter.name}});
      }
      continue;
    }
    const auto value = read_in_range(parameter, found->second);
    if (value) {
      result.values_.emplace_back(parameter.name, *value);
    } else {
      errors.push_back({value.error().front().message, {.path = parameter.name}});
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  return result;
}

template <class T>
T Parameters::value(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  EBB_CHECK(found != values_.end(), "parameter was not declared");
  const T* value = std::get_if<T>(&found->second);
  EBB_CHECK(value != nullptr, "parameter was declared with another kind");
  return *value;
}

std::int64_t Parameters::integer(std::string_view name) const { return value<std::int64_t>(name); }
Ratio Parameters::ratio(std::string_view name) const { return value<Ratio>(name); }
DataSize Parameters::size(std::string_view name) const { return value<DataSize>(name); }

ParameterTexts Parameters::texts() const {
  ParameterTexts texts;
  for (const auto& [name, value] : values_) texts.emplace_back(name, to_text(value));
  return texts;
}

}  // namespace ebb::traffic
