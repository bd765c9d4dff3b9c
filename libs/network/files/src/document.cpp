// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/document.hpp"

#include "ebb/core/names.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

namespace ebb::files {
namespace {

std::string_view kind_of(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Map:
      return "a map";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Scalar:
      return "a single value";
    case YAML::NodeType::Null:
      return "empty";
    case YAML::NodeType::Undefined:
      return "missing";
  }
  return "unknown";
}

std::string join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

// Quoted where it has to be, as a value inside brackets.
std::string scalar_text(const YAML::Node& node) {
  YAML::Emitter emitter;
  emitter << YAML::Flow << YAML::BeginSeq << node.Scalar() << YAML::EndSeq;
  const std::string bracketed = emitter.c_str();
  return bracketed.substr(1, bracketed.size() - 2);
}

// By hand: yaml-cpp would keep the layout of the file. Aliases make small files large and can name
// themselves: writing stops at a size and a depth that no value of ours has.
class FlowWriter {
 public:
  std::string text(const YAML::Node& node) {
    write(node, 0);
    return std::move(text_);
  }

 private:
  static constexpr int kDeepest = 64;

  void write(const YAML::Node& node, int depth) {
    if (text_.size() > Value::kLongestFlow || depth > kDeepest) {
      text_.resize(Value::kLongestFlow + 1, '.');
    } else if (node.IsSequence()) {
      write_list(node, depth);
    } else if (node.IsMap()) {
      write_map(node, depth);
    } else {
      text_ += node.IsScalar() ? scalar_text(node) : "~";
    }
  }

  void write_list(const YAML::Node& node, int depth) {
    const char* before = "[";
    for (const YAML::Node& entry : node) {
      text_ += std::exchange(before, ", ");
      write(entry, depth + 1);
    }
    text_ += node.size() == 0 ? "[]" : "]";
  }

  void write_map(const YAML::Node& node, int depth) {
    const char* before = "{";
    for (const auto& entry : node) {
      text_ += std::exchange(before, ", ");
      write(entry.first, depth + 1);
      text_ += ": ";
      write(entry.second, depth + 1);
    }
    text_ += node.size() == 0 ? "{}" : "}";
  }

  std::string text_;
};

}  // namespace

void Diagnostics::add(std::string message, int line, int column, std::string path) {
  if (full()) return;
  if (errors_.size() == kMostErrors) {
    errors_.push_back(
        {fmt::format("more errors follow; these were the first {}", kMostErrors), {file_}});
    return;
  }
  errors_.push_back({std::move(message), {file_, line, column, std::move(path)}});
}

Value::Value(const YAML::Node& node, std::string path)
    : node_(std::make_unique<YAML::Node>(node)), path_(std::move(path)) {}
Value::Value(const Value& other) : Value(*other.node_, other.path_) {}
Value& Value::operator=(const Value& other) { return *this = Value(other); }
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

bool Value::is_map() const { return node_->IsMap(); }
bool Value::is_list() const { return node_->IsSequence(); }
bool Value::is_scalar() const { return node_->IsScalar(); }
int Value::line() const { return node_->Mark().line + 1; }
int Value::column() const { return node_->Mark().column + 1; }

std::string Value::flow_text() const { return FlowWriter().text(*node_); }

void Value::report(Diagnostics& errors, std::string message) const {
  errors.add(std::move(message), line(), column(), path_);
}

std::optional<std::string> Value::text(Diagnostics& errors) const {
  if (!node_->IsScalar()) {
    report(errors, fmt::format("expected a single value, got {}", kind_of(*node_)));
    return std::nullopt;
  }
  return node_->Scalar();
}

std::optional<std::int64_t> Value::integer(std::int64_t least, std::int64_t most,
                                           Diagnostics& errors) const {
  const auto written = text(errors);
  if (!written) return std::nullopt;
  std::int64_t number = 0;
  const char* const end = written->data() + written->size();
  const auto [at, error] = std::from_chars(written->data(), end, number);
  if (error != std::errc{} || at != end) {
    report(errors, fmt::format("expected a whole number, got '{}'", shown(*written)));
    return std::nullopt;
  }
  if (number < least || number > most) {
    report(errors, fmt::format("expected a number between {} and {}, got {}", least, most, number));
    return std::nullopt;
  }
  return number;
}

std::optional<std::vector<Value>> Value::list(Diagnostics& errors) const {
  if (!node_->IsSequence()) {
    report(errors, fmt::format("expected a list, got {}", kind_of(*node_)));
    return std::nullopt;
  }
  std::vector<Value> values;
  std::size_t i = 0;
  for (const YAML::Node& entry : *node_)
    values.emplace_back(entry, fmt::format("{}[{}]", path_, i++));
  return values;
}

Section::Section(const Value& value, Diagnostics& errors) : value_(value), errors_(&errors) {
  if (!value_.node_->IsMap()) {
    value_.report(errors,
                  fmt::format("expected a map of keys to values, got {}", kind_of(*value_.node_)));
    return;
  }
  is_map_ = true;
  std::unordered_set<std::string> seen;
  for (const auto& entry : *value_.node_) {
    if (!entry.first.IsScalar()) {
      Value(entry.first, value_.path()).report(errors, "a key must be a plain name");
      continue;
    }
    const std::string key = entry.first.Scalar();
    const bool repeated = !seen.insert(key).second;
    if (repeated) {
      Value(entry.first, join(value_.path(), key))
          .report(errors, fmt::format("'{}' is given twice", shown(key)));
    }
    if (!repeated) entries_.emplace_back(key, Value(entry.second, join(value_.path(), key)));
  }
}

std::optional<Value> Section::find(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  for (const auto& [name, value] : entries_) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::optional<Value> Section::require(std::string_view key) {
  auto found = find(key);
  if (!found && is_map_) value_.report(*errors_, fmt::format("missing key '{}'", key));
  return found;
}

std::vector<std::pair<std::string, Value>> Section::entries() {
  for (const auto& entry : entries_) asked_.push_back(entry.first);
  return entries_;
}

std::optional<std::string> Section::require_text(std::string_view key) {
  const auto value = require(key);
  return value ? value->text(*errors_) : std::nullopt;
}

std::optional<std::string> Section::find_text(std::string_view key) {
  const auto value = find(key);
  return value ? value->text(*errors_) : std::nullopt;
}

std::optional<std::int64_t> Section::require_integer(std::string_view key, std::int64_t least,
                                                     std::int64_t most) {
  const auto value = require(key);
  return value ? value->integer(least, most, *errors_) : std::nullopt;
}

std::optional<std::int64_t> Section::find_integer(std::string_view key, std::int64_t least,
                                                  std::int64_t most) {
  const auto value = find(key);
  return value ? value->integer(least, most, *errors_) : std::nullopt;
}

std::optional<std::string> Section::require_one_of(std::string_view key,
                                                   const std::vector<std::string>& allowed) {
  const auto value = require(key);
  if (!value) return std::nullopt;
  auto written = value->text(*errors_);
  if (!written) return std::nullopt;
  if (std::find(allowed.begin(), allowed.end(), *written) == allowed.end()) {
    value->report(*errors_, unknown_name(key, shown(*written), allowed));
    return std::nullopt;
  }
  return written;
}

void Section::require_schema_version(std::int64_t supported) {
  const auto value = require("schema_version");
  if (!value) return;
  const auto version = value->integer(0, 1'000'000, *errors_);
  if (version && *version != supported) {
    value->report(*errors_, fmt::format("this ebb reads schema_version {}, the file has {}",
                                        supported, *version));
  }
}

void Section::finish() {
  for (const auto& [name, value] : entries_) {
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    value.report(*errors_, unknown_name("key", shown(name), asked_));
  }
}

namespace {

void collect(const Value& value, Diagnostics& errors, std::vector<Leaf>& into) {
  if (!value.is_map()) {
    into.push_back({value.path(), value.flow_text()});
    return;
  }
  for (const auto& entry : Section(value, errors).entries()) collect(entry.second, errors, into);
}

}  // namespace

Result<std::vector<Leaf>> leaves(std::string_view yaml) {
  Diagnostics errors("configuration");
  const auto root = read_yaml(yaml, errors);
  std::vector<Leaf> found;
  if (root) collect(*root, errors, found);
  if (!errors.empty()) return fail(errors.take());
  return found;
}

}  // namespace ebb::files
