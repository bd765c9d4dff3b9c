// SPDX-License-Identifier: Apache-2.0
//
// Questions to one agent, answered through the loop. Every question is answered once, at the latest
// when all retries have run out. Nothing is called after the session has gone.
//
// Opened by the first question, and again by the next after the agent was lost. For a User that
// asks the agent for its number first, which keeps the loop waiting until it answers, at most
// `wait` for each try.
#pragma once

#include "ebb/snmp/agent.hpp"
#include "ebb/snmp/value.hpp"
#include "ebb/transport/loop.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ebb::snmp {

// Or why not, in words.
using Answer = tl::expected<std::vector<Binding>, std::string>;
using Then = std::function<void(const Answer&)>;

class Session {
 public:
  Session(transport::Loop& loop, Agent agent);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // What follows each of the objects, up to so many times: row by row.
  void get_bulk(const std::vector<Oid>& after, int rows, const Then& then);
  // All or none.
  void set(const std::vector<Binding>& bindings, const Then& then);

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

}  // namespace ebb::snmp
