// SPDX-License-Identifier: Apache-2.0
//
// What an agent has: object identifiers and the values under them.
#pragma once

#include "ebb/units/data.hpp"

#include <cstdint>
#include <optional>
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

namespace ebb::snmp::objects {

// The standard objects of a switch that we read and set.

// IF-MIB (RFC 2863), rows by ifIndex.
inline const Oid kAdminStatus{1, 3, 6, 1, 2, 1, 2, 2, 1, 7};
inline const Oid kOperStatus{1, 3, 6, 1, 2, 1, 2, 2, 1, 8};
inline const Oid kName{1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 1};
inline const Oid kInOctets{1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 6};    // 64 bits, as all below
inline const Oid kOutOctets{1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 10};  // 100 Gb/s: 46 years
inline const Oid kOutUnicast{1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 11};
inline const Oid kOutMulticast{1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 12};
inline const Oid kOutBroadcast{1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 13};
inline constexpr std::int64_t kUp = 1;
inline constexpr std::int64_t kDown = 2;

// BRIDGE-MIB (RFC 4188): ifIndex by number of the bridge's port.
inline const Oid kBasePortIfIndex{1, 3, 6, 1, 2, 1, 17, 1, 4, 1, 2};
// Q-BRIDGE-MIB (RFC 4363), rows by number of the bridge's port.
inline const Oid kPvid{1, 3, 6, 1, 2, 1, 17, 7, 1, 4, 5, 1, 1};

// MAU-MIB (RFC 4836), rows by ifIndex and number of the MAU in the interface: the type that it
// takes when it does not negotiate. Of the standard objects the only one that sets a rate: ifSpeed
// and ifHighSpeed are read only.
inline const Oid kMauDefaultType{1, 3, 6, 1, 2, 1, 26, 2, 1, 1, 11};

// Of agents of net-snmp: for how many seconds they answer about interfaces from memory.
inline const Oid kInterfaceCacheSeconds{1, 3, 6, 1, 4, 1, 8072, 1, 5, 3,
                                        1, 2, 1, 3, 6, 1, 2,    1, 2, 2};

// The outlet of a switch of a test fabric, which `ebb-agentx` has, 1 on and 2 off: below
// netSnmpPlaypen, where net-snmp leaves room for experiments. Real outlets have objects of their
// makers.
inline const Oid kTestOutlet{1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 1, 0};
inline constexpr std::int64_t kOutletOn = 1;
inline constexpr std::int64_t kOutletOff = 2;

// The type (IANA-MAU-MIB) of a twisted pair, full duplex, at a rate; none: there is no such type.
[[nodiscard]] std::optional<Oid> mau_type(DataRate rate);
[[nodiscard]] std::optional<DataRate> rate_of_mau(const Oid& type);

}  // namespace ebb::snmp::objects
