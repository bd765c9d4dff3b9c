// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/objects.hpp"

#include <algorithm>
#include <array>

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

namespace ebb::snmp::objects {
namespace {

struct Type {
  std::uint32_t number;
  DataRate rate;
};

const Oid kTypes{1, 3, 6, 1, 2, 1, 26, 4};
constexpr std::array kTwistedPair = {
    Type{11, megabits_per_second(10)}, Type{16, megabits_per_second(100)},
    Type{30, gigabits_per_second(1)}, Type{54, gigabits_per_second(10)}};

}  // namespace

std::optional<Oid> mau_type(DataRate rate) {
  for (const Type& type : kTwistedPair) {
    if (type.rate == rate) return below(kTypes, Oid{type.number});
  }
  return std::nullopt;
}

std::optional<DataRate> rate_of_mau(const Oid& type) {
  for (const Type& one : kTwistedPair) {
    if (type == below(kTypes, Oid{one.number})) return one.rate;
  }
  return std::nullopt;
}

}  // namespace ebb::snmp::objects
