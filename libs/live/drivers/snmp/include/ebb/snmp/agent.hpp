// SPDX-License-Identifier: Apache-2.0
//
// Where an agent is, and who we are to it.
#pragma once

#include "ebb/transport/loop.hpp"

#include <string>
#include <variant>

namespace ebb::snmp {

// Version 2c: whoever reads the wire knows it.
struct Community {
  std::string name;
};

// Version 3, authenticated (HMAC-SHA-1, or HMAC-SHA-256 of RFC 7860) and encrypted (AES-128).
struct User {
  std::string name;
  std::string authentication;  // passphrases, at least 8 characters
  std::string privacy;
  bool sha256 = false;
};

struct Agent {
  std::string address;  // as net-snmp writes it: "udp:192.0.2.1:161", "unix:/run/s0/snmp.sock"
  std::variant<Community, User> who;
  transport::Milliseconds wait{1000};  // for an answer; then the question is sent again
  int retries = 2;
  std::string interfaces = "p";  // before the number of a port in its name: p3
};

}  // namespace ebb::snmp
