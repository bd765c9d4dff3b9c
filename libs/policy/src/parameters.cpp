// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/parameters.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/suggest.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::policy {
namespace {

template <class T>
Result<T> read(const Range<T>& range, std::string_view text) {
  auto value = parse<T>(text);
  if (value && (*value < range.least || *value > range.most)) {
    return fail(fmt::format("must be between {} and {}, got {}", to_text(range.least),
                            to_text(range.most), to_text(*value)));
  }
  return value;
}

Result<std::string> read(const Choice& choice, std::string_view text) {
  const auto found = std::find(choice.words.begin(), choice.words.end(), text);
  if (found == choice.words.end())
    return fail(unknown_name("word", text.substr(0, 40), choice.words));
  return *found;
}

template <class T>
std::string text_of(const Range<T>& range) {
  return fmt::format("{} to {}", to_text(range.least), to_text(range.most));
}
std::string text_of(const Choice& choice) {
  return fmt::format("{}", fmt::join(choice.words, " or "));
}

std::string text_of(const std::string& word) { return word; }
template <class T>
std::string text_of(const T& quantity) {
  return to_text(quantity);
}

Errors unknown_and_repeated(std::span<const Parameter> declared, const ParameterTexts& given) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) names.push_back(parameter.name);
  Errors errors;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& name = given[i].first;
    const auto same = [&](const auto& entry) { return entry.first == name; };
    const auto here = given.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(names.begin(), names.end(), name) == names.end())
      errors.push_back({unknown_name("parameter", name, names), {.path = name}});
    if (std::any_of(given.begin(), here, same))
      errors.push_back({fmt::format("'{}' is given twice", name), {.path = name}});
  }
  return errors;
}

}  // namespace

std::string allowed_text(const Parameter& parameter) {
  return std::visit([](const auto& allowed) { return text_of(allowed); }, parameter.allowed);
}

Result<Parameters> Parameters::resolve(std::span<const Parameter> declared,
                                       const ParameterTexts& given) {
  Errors errors = unknown_and_repeated(declared, given);
  Parameters resolved;
  for (const Parameter& parameter : declared) {
    const std::string& name = parameter.name;
    const auto found = std::find_if(given.begin(), given.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == given.end() && !parameter.fallback) {
      errors.push_back(
          {fmt::format("missing parameter '{}' ({})", name, parameter.help), {.path = name}});
      continue;
    }
    const std::string& text = found == given.end() ? *parameter.fallback : found->second;
    const auto take = [&](const auto& allowed) {
      auto value = read(allowed, text);
      if (value) {
        resolved.values_.emplace_back(name, *value);
      } else {
        errors.push_back(
            {fmt::format("'{}': {}", name, value.error().front().message), {.path = name}});
      }
    };
    std::visit(take, parameter.allowed);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return resolved;
}

const Parameters::Value& Parameters::value(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  EBB_CHECK(found != values_.end(), "parameter was not declared by the policy");
  return found->second;
}

Duration Parameters::duration(std::string_view name) const {
  return std::get<Duration>(value(name));
}
DataSize Parameters::size(std::string_view name) const { return std::get<DataSize>(value(name)); }
Ratio Parameters::ratio(std::string_view name) const { return std::get<Ratio>(value(name)); }
const std::string& Parameters::choice(std::string_view name) const {
  return std::get<std::string>(value(name));
}

ParameterTexts Parameters::texts() const {
  ParameterTexts texts;
  for (const auto& [name, value] : values_)
    texts.emplace_back(name, std::visit([](const auto& v) { return text_of(v); }, value));
  return texts;
}

}  // namespace ebb::policy
