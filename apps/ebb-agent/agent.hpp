// SPDX-License-Identifier: Apache-2.0
//
// Reads the queues of one switch and pauses its outputs. One thread, one loop.
#pragma once

#include "links.hpp"
#include "open_vswitch.hpp"
#include "queues.hpp"
#include "record.hpp"

namespace ebb::agent {

struct AgentOptions {
  SwitchSockets sockets;
  std::string record;  // a file
  Limits limits;
  transport::Milliseconds poll{1};
};

class Agent {
 public:
  // Needs the network namespace of the switch and CAP_NET_ADMIN.
  [[nodiscard]] static Result<std::unique_ptr<Agent>> make(transport::Loop& loop,
                                                           const AgentOptions& options);
  Agent(transport::Loop& loop, AgentOptions options, Queues queues);
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  void start();
  [[nodiscard]] bool is_ready() const { return switch_.is_here(); }
  [[nodiscard]] std::string problem() const { return switch_.problem(); }
  // Gives back all ports, then stops the loop; also when the switch does not answer.
  void leave();

 private:
  void poll();
  void read_queues();
  void heard(const LinkSeen& link);
  void carry_out();
  void write_record();

  transport::Loop& loop_;
  AgentOptions options_;
  Queues queues_;
  Diverter diverter_;
  Record record_;
  OpenVSwitch switch_;
  std::unique_ptr<Links> links_;
  std::map<int, std::string> names_;  // of interfaces
  bool leaving_ = false;
};

}  // namespace ebb::agent
