// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/value.hpp"

#include <algorithm>

namespace ebb::snmp {

Oid below(Oid oid, const Oid& more) {
  oid.insert(oid.end(), more.begin(), more.end());
  return oid;
}

bool begins_with(const Oid& oid, const Oid& beginning) {
  return oid.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), oid.begin());
}

std::string to_text(const Oid& oid) {
  std::string text;
  for (const std::uint32_t part : oid) text += (text.empty() ? "" : ".") + std::to_string(part);
  return text;
}

std::uint64_t number_of(const Value& value) {
  if (const auto* natural = std::get_if<std::uint64_t>(&value)) return *natural;
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return static_cast<std::uint64_t>(std::max<std::int64_t>(*integer, 0));
  return 0;
}

}  // namespace ebb::snmp
