// SPDX-License-Identifier: Apache-2.0
//
// The agent of one switch: reads the queues of its ports and suppresses the ports whose queues are
// long. One thread, one loop. Built where libmnl is found.
#pragma once

#include "ebb/agent/diverter.hpp"
#include "ebb/agent/open_vswitch.hpp"
#include "ebb/core/result.hpp"
#include "ebb/netlink/interfaces.hpp"
#include "ebb/transport/loop.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ebb::agent {

// What an agent has done, for people and programs: counts, the last changes with their times, as a
// JSON file.
class Record {
 public:
  using Name = std::function<std::string(PortNumber)>;
  explicit Record(Name name) : name_(std::move(name)) {}

  void polled(TimePoint now);
  void saw(const Reading& reading);
  // The switch has answered at `now`.
  void changed(TimePoint now, const Change& change, bool done);

  // In one step: a reader finds the old file or the new one.
  [[nodiscard]] Result<void> write(const std::string& path, const Ports& suppressed) const;

 private:
  struct Port {
    DataSize waiting{};
    DataSize most_waiting{};
    std::uint64_t diversions = 0;
  };
  struct Done {
    TimePoint at{};
    Change change;
  };

  Name name_;
  std::map<PortNumber, Port> ports_;
  std::uint64_t diversions_ = 0;
  std::uint64_t returns_ = 0;
  std::uint64_t refusals_ = 0;
  Duration slowest_{};  // from when it was called for to the switch's answer
  std::uint64_t polls_ = 0;
  std::optional<TimePoint> first_poll_;
  TimePoint last_poll_{};
  Duration longest_gap_{};
  std::deque<Done> last_;
};

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
  Agent(transport::Loop& loop, AgentOptions options, netlink::Queues queues);
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
  void interface_changed(const netlink::Interface& interface);
  void carry_out();
  void write_record();

  transport::Loop& loop_;
  AgentOptions options_;
  netlink::Queues queues_;
  Diverter diverter_;
  Record record_;
  OpenVSwitch switch_;
  std::unique_ptr<netlink::InterfaceWatcher> interfaces_;
  std::map<int, std::string> names_;  // of interfaces
  bool leaving_ = false;
};

// SIGTERM and SIGINT, handled in the loop.
class TerminationSignals {
 public:
  TerminationSignals(transport::Loop& loop, std::function<void()> requested);
  TerminationSignals(const TerminationSignals&) = delete;
  TerminationSignals& operator=(const TerminationSignals&) = delete;
  ~TerminationSignals();

 private:
  transport::Loop& loop_;
  int descriptor_;
};

}  // namespace ebb::agent
