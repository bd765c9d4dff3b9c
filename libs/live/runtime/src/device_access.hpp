// SPDX-License-Identifier: Apache-2.0
//
// What a file says of how a device is reached, with the secrets that it names, and which addresses
// other machines have. Used for ports and for power.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/snmp/session.hpp"

#include <string_view>
#include <variant>

namespace ebb::runtime {

// After an address, in an error.
inline constexpr const char* kPlain =
    ": whoever is on the path can read and change what is said to other machines without TLS; say "
    "--insecure if the network is yours alone";
inline constexpr const char* kCommunityInClear =
    ": SNMP of version 2c sends its community in clear; take version 3, or say --insecure if the "
    "network is yours alone";

[[nodiscard]] Result<std::variant<snmp::Community, snmp::User>> who_we_are(
    const fabric_config::SnmpAccess& access);

// As net-snmp writes addresses: "udp:127.0.0.1:161", "unix:/run/s0/snmp.sock". A name may be any
// machine.
[[nodiscard]] bool is_local_agent(std::string_view address);

}  // namespace ebb::runtime
