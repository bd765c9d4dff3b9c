// SPDX-License-Identifier: Apache-2.0
#include "overrides.hpp"

#include "ebb/files/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <string_view>

namespace ebb::config {
namespace {

constexpr std::string_view kPlace = "--set";

Error error_at(std::string message, std::string path = {}) {
  return {std::move(message), {std::string(kPlace), 0, 0, std::move(path)}};
}

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> keys;
  for (;;) {
    const std::size_t dot = path.find('.');
    keys.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return keys;
    path.remove_prefix(dot + 1);
  }
}

bool has(const YAML::Node& map, const std::string& key) { return map[key].IsDefined(); }

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// From `key: name` to `key: {name: name}`. The name keeps its place in the file.
void make_full(YAML::Node& map, const std::string& key) {
  YAML::Node full(YAML::NodeType::Map);
  full["name"] = map[key];
  map.remove(key);
  map[key] = full;
}

// `path` itself, or something below it.
bool within(std::string_view path, std::string_view top) {
  return path.substr(0, top.size()) == top &&
         (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
}

}  // namespace

Errors Overrides::apply(YAML::Node& root) {
  Errors errors;
  if (!root.IsMap()) return errors;  // the reader will say so
  for (const std::string& text : texts_) apply(text, root, errors);
  return errors;
}

void Overrides::apply(const std::string& text, YAML::Node& root, Errors& errors) {
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  const auto keys = split(path);
  if (equals == std::string::npos || std::find(keys.begin(), keys.end(), "") != keys.end()) {
    errors.push_back(
        error_at(fmt::format("'{}' is not path=value, as seed=2", files::shown(text))));
    return;
  }
  files::Diagnostics own{std::string(kPlace)};
  const auto value = load_yaml(std::string_view(text).substr(equals + 1), own);
  for (Error& error : own.take()) errors.push_back(error_at(std::move(error.message), path));
  if (value) set(keys, *value, root, errors);
}

void Overrides::set(const std::vector<std::string>& keys, const YAML::Node& value, YAML::Node& root,
                    Errors& errors) {
  YAML::Node at = root;
  std::string path;
  bool added = false;
  for (const std::string& key : keys) {
    const std::string above = path;
    path += (path.empty() ? "" : ".") + key;
    if (!at.IsMap()) {
      errors.push_back(error_at(fmt::format("'{}' has no keys", above), path));
      return;
    }
    const bool last = &key == &keys.back();
    if (last || !has(at, key)) {
      if (!added) touched_.push_back(path);
      added = true;
      at[key] = last ? value : YAML::Node(YAML::NodeType::Map);
    }
    if (last) return;
    if (at[key].IsScalar() && contains(short_forms_, path)) make_full(at, key);
    at.reset(at[key]);
  }
}

Location Overrides::placed(Location where) const {
  const bool set = std::any_of(touched_.begin(), touched_.end(),
                               [&](const auto& top) { return within(where.path, top); });
  return set ? Location{std::string(kPlace), 0, 0, std::move(where.path)} : where;
}

Errors Overrides::placed(Errors errors) const {
  for (Error& error : errors) error.where = placed(std::move(error.where));
  return errors;
}

}  // namespace ebb::config
