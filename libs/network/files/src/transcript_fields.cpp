// SPDX-License-Identifier: Apache-2.0
#include "transcript_fields.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/files/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace ebb::files {
namespace {

using Json = nlohmann::json;

// Numbers with a point or an exponent are no integers, whatever their value.
std::optional<std::int64_t> whole(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

}  // namespace

Fields::Fields(const Json* value, std::string path, int line, Diagnostics& errors)
    : object_(value != nullptr && value->is_object() ? value : nullptr),
      path_(std::move(path)),
      line_(line),
      errors_(&errors) {
  if (value != nullptr && object_ == nullptr) errors.add("expected an object", line, 0, path_);
}

bool Fields::has(std::string_view key) const { return find(key) != nullptr; }

std::int64_t Fields::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  const Json* value = require(key);
  if (value == nullptr) return least;
  const auto number = whole(*value);
  if (number && *number >= least && *number <= most) return *number;
  report(key, fmt::format("expected a whole number from {} to {}", least, most));
  return least;
}

std::vector<std::int64_t> Fields::integers(std::string_view key, std::int64_t least,
                                           std::int64_t most) {
  const Json* value = require(key);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    report(key, "expected a list");
    return {};
  }
  std::vector<std::int64_t> numbers;
  numbers.reserve(value->size());
  for (const Json& entry : *value) {
    const auto number = whole(entry);
    if (number && *number >= least && *number <= most) {
      numbers.push_back(*number);
    } else {
      report(key, fmt::format("expected whole numbers from {} to {}", least, most));
      break;
    }
  }
  return numbers;
}

std::string Fields::text(std::string_view key) {
  const Json* value = require(key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  report(key, "expected a text");
  return {};
}

std::optional<std::size_t> Fields::word(std::string_view key, std::span<const std::string> words) {
  const Json* value = require(key);
  if (value == nullptr) return std::nullopt;
  const auto found = value->is_string() ? std::find(words.begin(), words.end(),
                                                    value->get_ref<const std::string&>())
                                        : words.end();
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::string given = value->is_string() ? value->get<std::string>() : value->type_name();
  report(key, unknown_name("word", shown(given), words));
  return std::nullopt;
}

Fields Fields::object(std::string_view key) {
  return {require(key), path_of(key), line_, *errors_};
}

std::vector<Fields> Fields::list(std::string_view key) {
  std::vector<Fields> entries;
  const Json* value = require(key);
  if (value != nullptr && !value->is_array()) report(key, "expected a list");
  if (value == nullptr || !value->is_array()) return entries;
  entries.reserve(value->size());
  for (const Json& entry : *value) {
    if (errors_->full()) break;
    entries.emplace_back(&entry, fmt::format("{}[{}]", path_of(key), entries.size()), line_,
                         *errors_);
  }
  return entries;
}

void Fields::report(std::string_view key, std::string message) {
  errors_->add(std::move(message), line_, 0, path_of(key));
}

const Json* Fields::find(std::string_view key) const {
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(std::string(key));
  return found == object_->end() ? nullptr : &*found;
}

const Json* Fields::require(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr && object_ != nullptr) report(key, fmt::format("missing key '{}'", key));
  return value;
}

std::string Fields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

}  // namespace ebb::files
