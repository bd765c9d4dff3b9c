// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/operation.hpp"

namespace ebb::ovsdb {
Conditions by_name(const std::string& name) { return {{"name", "==", name}}; }

json map_of(const std::map<std::string, std::string>& entries) {
  json pairs = json::array();
  for (const auto& [key, value] : entries) pairs.push_back(json::array({key, value}));
  return json::array({"map", pairs});
}

std::map<std::string, std::string> entries_of(const json& map) {
  std::map<std::string, std::string> entries;
  if (!map.is_array() || map.size() != 2 || map[0] != "map" || !map[1].is_array()) return entries;
  for (const json& pair : map[1]) {
    if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string()) {
      entries.emplace(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
  }
  return entries;
}

json select(const std::string& table, const Conditions& where,
            const std::vector<std::string>& columns) {
  return {{"op", "select"}, {"table", table}, {"where", where}, {"columns", columns}};
}

json insert(const std::string& table, const json& row, const std::string& uuid_name) {
  return {{"op", "insert"}, {"table", table}, {"row", row}, {"uuid-name", uuid_name}};
}

json update(const std::string& table, const Conditions& where, const json& row) {
  return {{"op", "update"}, {"table", table}, {"where", where}, {"row", row}};
}

json mutate(const std::string& table, const Conditions& where, const Mutations& mutations) {
  return {{"op", "mutate"}, {"table", table}, {"where", where}, {"mutations", mutations}};
}

}  // namespace ebb::ovsdb
