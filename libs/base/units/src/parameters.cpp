// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/parameters.hpp"

#include "decimal.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/names.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ebb {
namespace {

constexpr std::size_t kLongestList = 16;
constexpr std::size_t kMostShown = 60;

std::string text_of(std::int64_t number) { return std::to_string(number); }
std::string text_of(const std::vector<std::int64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, "x"));
}
std::string text_of(const std::string& word) { return word; }
template <class T>
std::string text_of(const T& quantity) {
  return to_text(quantity);
}

template <class T>
std::string allowed_of(const Range<T>& range) {
  return fmt::format("{} to {}", text_of(range.least), text_of(range.most));
}
std::string allowed_of(const WholeList& list) {
  return fmt::format("each {} to {}", list.least, list.most);
}
std::string allowed_of(const Choice& choice) {
  return fmt::format("{}", fmt::join(choice.words, " or "));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  text = trim(text);
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

// Each reads one kind of value; the message follows the parameter's name.
template <class T>
Result<T> in_range(T value, const Range<T>& range) {
  if (value >= range.least && value <= range.most) return value;
  return fail(fmt::format(" must be between {} and {}, got {}", text_of(range.least),
                          text_of(range.most), text_of(value)));
}

template <class T>
Result<T> read(const Range<T>& range, std::string_view text) {
  auto value = parse<T>(text);
  if (!value) return fail(": " + value.error().front().message);
  return in_range(*value, range);
}

template <>
Result<std::int64_t> read(const Range<std::int64_t>& range, std::string_view text) {
  const auto value = whole_number(text);
  if (!value)
    return fail(fmt::format(" must be a whole number, got '{}'", text.substr(0, kMostShown)));
  return in_range(*value, range);
}

Result<std::vector<std::int64_t>> read(const WholeList& list, std::string_view text) {
  const auto parts = split(text);
  if (parts.size() > kLongestList)
    return fail(fmt::format(" has more than {} entries", kLongestList));
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : parts) {
    const auto number = whole_number(part);
    if (!number) {
      return fail(fmt::format(" must be whole numbers like '15x15x6', got '{}'",
                              text.substr(0, kMostShown)));
    }
    const auto fitting = in_range(*number, Range<std::int64_t>{list.least, list.most});
    if (!fitting) return fail(fitting.error());
    numbers.push_back(*number);
  }
  return numbers;
}

Result<std::string> read(const Choice& choice, std::string_view text) {
  const auto found = std::find(choice.words.begin(), choice.words.end(), text);
  if (found == choice.words.end())
    return fail(": " + unknown_name("word", text.substr(0, kMostShown), choice.words));
  return *found;
}

std::string unknown_parameter(const std::string& name, const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("unknown parameter '{}'; there are none", name);
  return unknown_name("parameter", name, names);
}

Errors unknown_and_repeated(std::span<const Parameter> declared, const ParameterTexts& given) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) names.push_back(parameter.name);
  Errors errors;
  for (auto entry = given.begin(); entry != given.end(); ++entry) {
    const std::string& name = entry->first;
    const auto same = [&](const auto& other) { return other.first == name; };
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      errors.push_back({unknown_parameter(name, names), {.path = name}});
    }
    if (std::any_of(given.begin(), entry, same)) {
      errors.push_back({fmt::format("'{}' is given twice", name), {.path = name}});
    }
  }
  return errors;
}

}  // namespace

std::string allowed_text(const Parameter& parameter) {
  return std::visit([](const auto& allowed) { return allowed_of(allowed); }, parameter.allowed);
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
        resolved.values_.emplace_back(name, std::move(*value));
      } else {
        errors.push_back(
            {fmt::format("'{}'{}", name, value.error().front().message), {.path = name}});
      }
    };
    std::visit(take, parameter.allowed);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return resolved;
}

template <class T>
const T& Parameters::get(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  EBB_CHECK(found != values_.end(), "parameter was not declared");
  const T* value = std::get_if<T>(&found->second);
  EBB_CHECK(value != nullptr, "parameter was declared with another kind");
  return *value;
}

template const std::int64_t& Parameters::get(std::string_view) const;
template const std::vector<std::int64_t>& Parameters::get(std::string_view) const;
template const Ratio& Parameters::get(std::string_view) const;
template const DataSize& Parameters::get(std::string_view) const;
template const DataRate& Parameters::get(std::string_view) const;
template const Duration& Parameters::get(std::string_view) const;
template const std::string& Parameters::get(std::string_view) const;

ParameterTexts Parameters::texts() const {
  ParameterTexts texts;
  for (const auto& [name, value] : values_) {
    texts.emplace_back(name, std::visit([](const auto& v) { return text_of(v); }, value));
  }
  return texts;
}

}  // namespace ebb
