// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/objects.hpp"

#include <array>

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
