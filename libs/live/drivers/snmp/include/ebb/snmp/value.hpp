// SPDX-License-Identifier: Apache-2.0
//
// What an agent has: object identifiers and the values under them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ebb::snmp {

using Oid = std::vector<std::uint32_t>;

// The object `more` of the table or column `oid`.
[[nodiscard]] Oid below(Oid oid, const Oid& more);
[[nodiscard]] bool begins_with(const Oid& oid, const Oid& beginning);
// 1.3.6.1
[[nodiscard]] std::string to_text(const Oid& oid);

// Nothing (the agent has no such object), INTEGER, any counter or gauge, OCTET STRING, OBJECT
// IDENTIFIER.
using Value = std::variant<std::monostate, std::int64_t, std::uint64_t, std::string, Oid>;

[[nodiscard]] inline bool is_there(const Value& value) {
  return !std::holds_alternative<std::monostate>(value);
}
// Zero for what is not a number.
[[nodiscard]] std::uint64_t number_of(const Value& value);

struct Binding {
  Oid oid;
  Value value = {};

  bool operator==(const Binding&) const = default;
};

}  // namespace ebb::snmp
