// SPDX-License-Identifier: Apache-2.0
//
// The controller of a fabric as a process runs it: terms of a leader one after the other, until
// somebody asks for the end. The runtime reads no command line, prints nothing and handles no
// signals: what it needs of its process is in `Environment`.
//
//   runtime::RunOptions options{.file = "fabric.yaml"};
//   const runtime::RunEnd end = runtime::run_controller(options, environment);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/library.hpp"
#include "ebb/runtime/switch_access.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace ebb::runtime {

struct RunOptions {
  std::string file;
  testbed::StateFolder state;
  std::string persist;  // folder that outlives a reboot: which links are drained; empty: none
  bool dry_run = false;
  bool adopt = false;      // takes over switches with foreign rules, which it removes
  bool wake = false;       // only wakes every link that sleeps and is not drained, and ends
  std::string transcript;  // empty: none
  double seconds = 0;      // 0: until a signal comes
  std::string metrics;     // where Prometheus asks; empty: nowhere
  std::string log;         // JSON lines; empty: none, "-": standard output
  std::string audit;       // empty: in the state folder
  bool standby = false;    // waits while another controller leads
  std::string history;     // empty: none
  std::string operators;   // group that may drain and undrain; empty: the owner alone
  std::string readers;     // group that may ask for explanations and the status; empty: the same
  RemoteListener remote;
  std::string ports = "openflow";  // what switches ports; else "snmp", "gnmi"
  std::string devices;             // where switches elsewhere are managed; a file
  bool modules = false;            // lose their power with their ports; gnmi
};

// The parts that a fabric file may name.
using LoadParts = std::function<Result<power::Library>()>;

// What a controller needs of the process that it runs in.
struct Environment {
  LoadParts load_parts;
  // SIGINT or SIGTERM has come.
  std::function<bool()> stop_requested = [] { return false; };
  // SIGHUP has come since the last call: the fabric file is to be read again.
  std::function<bool()> reload_requested = [] { return false; };
  // A line for people, at a time since the controller began.
  std::function<void(TimePoint, const std::string&)> say = [](TimePoint, const std::string&) {};
  // Makes a fresh policy for a session, in the place of the one that the fabric file names; empty:
  // the one of the file.
  std::function<policy::Made()> make_policy = nullptr;
};

struct RunEnd {
  enum class Kind : std::uint8_t {
    done,
    bad_input,  // of the options or of a file
    outside,    // a socket, a folder, or another controller that leads
  };
  Kind kind = Kind::done;
  Errors errors;
};

// Where the state of links outlives a reboot, when options.persist says nothing: a folder of the
// machine for root. Fabrics in another folder than that of the machine are somebody's trial, and
// leave nothing behind elsewhere.
[[nodiscard]] std::string default_persist(const RunOptions& options);

// A line for people, as it is printed: with the time since the controller began.
[[nodiscard]] std::string timed_line(TimePoint at, const std::string& line);

// Returns when the controller has ended.
[[nodiscard]] RunEnd run_controller(const RunOptions& options, const Environment& environment);

}  // namespace ebb::runtime
