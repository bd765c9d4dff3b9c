// SPDX-License-Identifier: Apache-2.0
//
// Operations of a transaction (RFC 7047, 5.2), as JSON.
//
//   select("Interface", {{"name", "==", "p3"}}, {"name", "ofport"})
//   mutate("Interface", by_name("p3"), {{"bfd", "insert", map_of({{"enable", "true"}})}})
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace ebb::ovsdb {

using nlohmann::json;

// Column, function ("==", "includes", ...), value: all must hold. None: every row.
using Conditions = std::vector<std::array<json, 3>>;
// Column, mutator ("+=", "insert", "delete", ...), value.
using Mutations = std::vector<std::array<json, 3>>;

[[nodiscard]] Conditions by_name(const std::string& name);
// As the database writes maps of texts.
[[nodiscard]] json map_of(const std::map<std::string, std::string>& entries);
// And reads them; anything else is empty.
[[nodiscard]] std::map<std::string, std::string> entries_of(const json& map);

[[nodiscard]] json select(const std::string& table, const Conditions& where,
                          const std::vector<std::string>& columns);
// Other operations of the transaction may name the row by `uuid_name`.
[[nodiscard]] json insert(const std::string& table, const json& row, const std::string& uuid_name);
[[nodiscard]] json update(const std::string& table, const Conditions& where, const json& row);
[[nodiscard]] json mutate(const std::string& table, const Conditions& where,
                          const Mutations& mutations);

}  // namespace ebb::ovsdb
