// SPDX-License-Identifier: Apache-2.0
//
// The control socket of a daemon of Open vSwitch ("unixctl"): commands of words, answered by text.
//
//   control.command("bfd/set-forwarding", {"p5", "false"}, [](Answer<std::string> text) { ... });
#pragma once

#include "ebb/ovsdb/session.hpp"

namespace ebb::ovsdb {

class Control {
 public:
  Control(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
          std::function<void(const std::string& reason)> closed);

  void command(const std::string& name, const std::vector<std::string>& words,
               const Then<std::string>& then);

 private:
  Session session_;
};

}  // namespace ebb::ovsdb
