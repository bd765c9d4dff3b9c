// SPDX-License-Identifier: Apache-2.0
//
// Requests to one SNMP agent, answered through the loop.
//
//   Agent       its address, and the community or user by which it knows us
//   Session     get, get_bulk and set
//   read_table  columns of a table, read in bulk
//
// Every request is answered once, at the latest when all retries have run out. Nothing is called
// after the session has gone.
#pragma once

#include "ebb/snmp/objects.hpp"
#include "ebb/transport/loop.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

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
  transport::Milliseconds wait{1000};  // for a reply; then the request is sent again
  int retries = 2;
  std::string interfaces = "p";  // before the number of a port in its name: p3
};

// The bindings, or why there are none, in words.
using Reply = tl::expected<std::vector<Binding>, std::string>;
using Callback = std::function<void(const Reply&)>;

// Opened by the first request, and again by the next after the agent was lost. For a User that asks
// the agent for its engine id first, which keeps the loop waiting until it answers, at most `wait`
// for each try.
class Session {
 public:
  Session(transport::Loop& loop, Agent agent);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // What follows each of the objects, up to so many times: row by row.
  void get_bulk(const std::vector<Oid>& after, int rows, const Callback& then);
  // These objects.
  void get(const std::vector<Oid>& objects, const Callback& then);
  // All or none.
  void set(const std::vector<Binding>& bindings, const Callback& then);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// By index of the row, then by column as asked for; what a row does not have is not there.
using Table = std::map<Oid, std::vector<Value>>;

// The session outlives the reading.
void read_table(Session& session, const std::vector<Oid>& columns,
                const std::function<void(const tl::expected<Table, std::string>&)>& then);

}  // namespace ebb::snmp
