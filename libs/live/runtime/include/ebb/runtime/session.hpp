// SPDX-License-Identifier: Apache-2.0
//
// One session of a controller: it waits until it may lead, leads for one term, and ends. A session
// owns the event loop, the connections of all switches, the control socket and the records; only
// the lease and the state that one term leaves to the next outlive it.
#pragma once

#include "ebb/controller/ha/high_availability.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/monitor/http_server.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/drained_links.hpp"
#include "ebb/runtime/power_access.hpp"
#include "ebb/runtime/records.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/runtime/status.hpp"
#include "ebb/transport/stream.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::runtime {

// What a session is made of.
struct SessionParts {
  fabric_config::FabricFile file;
  drivers::Description description;
  power::PortWatts port;
  Power box;  // beside its ports
  policy::Made made;
  forwarding::SleepableLinks sleepable;
};
// Reads the fabric file. Changes nothing, so a running session can try whether a new file is good.
[[nodiscard]] Result<SessionParts> read_session_parts(const RunOptions& options,
                                                      const Environment& environment);

// Why a session ended.
enum class SessionEnd : std::uint8_t {
  requested,   // by the operator, or the fabric has been taken down
  restart,     // the file is to be read again, or the term was long enough
  outdated,    // a switch has seen a newer generation than ours: another term will do
  superseded,  // another controller leads
};

class Session {
 public:
  // Keeps the references.
  Session(const RunOptions& options, const Environment& environment,
          controller::HighAvailability& ha, SessionParts parts, const drivers::PortsOn& ports,
          const PowerAccess& power);
  // A standby session connects at once and takes the lease not before that time.
  [[nodiscard]] Errors start(std::optional<transport::Clock::time_point> not_before);
  [[nodiscard]] SessionEnd run();
  // Why an end that was requested is not a good one: ports that stay down, switches that did not
  // come.
  [[nodiscard]] Errors unfinished() const;

 private:
  // A service manager hears regularly that the process is alive, also while it stands by.
  void send_watchdog();
  // The switches of a test fabric look for their controller at a socket, where one controller can
  // listen at a time.
  [[nodiscard]] Errors open_switch_listeners();
  // Remote switches connect to the leader and to those that stand by: they know both addresses.
  [[nodiscard]] Errors open_remote_listener();
  // The switches of a test fabric accept several controllers at their management sockets.
  void connect_to_switches();
  // The lease is ours.
  [[nodiscard]] Errors lead();
  void restore(const controller::RestoredState& restored);
  // For the next controller; links that were never touched are left out.
  void save();
  // Tries again what could not be written.
  void save_again();
  // Says a problem once, not as often as it is met.
  void say_problem(const std::string& problem);
  void step_down(SessionEnd end, const std::string& why);
  // What a session writes and serves. None of it is needed to lead: what cannot be opened is said,
  // shown in the status and tried again each second.
  void serve_metrics();
  void open_records();
  // Those of a leader before, which may hang and answer nobody.
  void remove_sockets() const;
  [[nodiscard]] Errors open_control_socket(Role role);
  [[nodiscard]] const std::string& group_of(Role role) const;
  [[nodiscard]] bool wants_socket(Role role) const;
  [[nodiscard]] Errors open_history();
  void open_transcript();
  // Notes whether a record could be opened, and says so when that has changed.
  void note(const std::string& record, const Errors& problem);
  [[nodiscard]] std::string metrics_page() const;
  [[nodiscard]] monitor::ControllerMetrics itself() const;
  drivers::OrderEvents record_orders();
  [[nodiscard]] FabricView view() const;
  std::unique_ptr<policy::Recorder> record_policy();
  void say(const std::string& line);
  // An operator's line.
  void answer(const std::string& line, Asker who, const Reply& reply);
  [[nodiscard]] std::string answer_now(const std::string& line, Asker who);
  // Asks both switches how they forward, and waits for them no longer than an operator does.
  void explain(const std::string& name, const Reply& reply);
  std::string carry_out(const std::string& line);
  [[nodiscard]] std::string switch_name(std::uint32_t device) const;
  [[nodiscard]] std::optional<std::uint32_t> switch_named(const std::string& name) const;
  // Tells the power driver what the controller orders, and writes down what becomes of switches.
  void switch_power();
  void record_switch(const controller::SwitchEntry& entry);
  void poll();
  void try_to_lead();
  void poll_as_leader();
  // A leader that no switch reaches leaves the lease to a standby, which may reach them.
  void hand_over_when_cut_off();
  // Records what happened to links since the last call; whether something did.
  [[nodiscard]] bool record_changes();
  // Restarts between two changes of links, and only with a file that can be read.
  void restart_when_requested();
  void say_when_whole();
  void say_when_policy_fails();
  void say_what_would_be_saved();
  void pass_watts();
  // Links; in a dry run those that would.
  [[nodiscard]] std::uint32_t sleeping() const;
  // Wakes what sleeps before the controller ends, within a time.
  void end_when_requested();
  void wake_and_end();
  // Neither asleep nor on the way; links that an operator drained may sleep on.
  [[nodiscard]] bool all_awake() const;
  [[nodiscard]] std::uint32_t count(controller::LinkState state) const;
  [[nodiscard]] double highest_use() const;
  // Writing takes at most a twentieth of the time, however many links there are.
  void write_status();
  void write_status_now(bool ends = false);
  // Ends without waking anything: the fabric is taken down.
  void abandon();
  void wait_for_switches_to_go(transport::Clock::time_point until);
  [[nodiscard]] bool folder_exists() const;

  const RunOptions& options_;
  const Environment& environment_;
  controller::HighAvailability& ha_;
  fabric_config::FabricFile file_;
  drivers::Description description_;
  forwarding::TableWalker reach_;
  forwarding::SleepableLinks sleepable_;
  TranscriptFile transcript_;
  DrainedLinks drained_;
  std::optional<FabricHistory> history_;
  policy::Made made_;
  std::unique_ptr<policy::Recorder> recorder_;
  power::PortWatts port_;
  Power box_;
  controller::Watts watts_;
  controller::Watts would_;  // in a dry run: if what is said were done
  controller::Controller controller_;
  transport::Loop loop_;
  FabricMetrics metrics_;
  FabricEvents events_;
  drivers::LiveFabric live_;
  std::unique_ptr<drivers::PowerDriver> power_;  // none: switches are only drained
  std::unique_ptr<monitor::HttpServer> metrics_server_;
  std::vector<transport::Listener> listeners_;
  std::vector<std::unique_ptr<transport::Connector>> connectors_;
  std::map<Role, std::unique_ptr<ControlSocket>> control_;
  std::deque<controller::Entry> last_;
  std::optional<TimePoint> leaving_;
  bool abandoned_ = false;    // its folder is gone; switches may still be there, with ports down
  bool taken_down_ = false;   // so `ebb fabric down` says, and ends the switches
  bool handed_over_ = false;  // to a standby, with what sleeps
  bool whole_ = false;
  bool leading_ = false;
  bool restart_ = false;
  std::optional<transport::Clock::time_point> not_before_;
  std::string problem_;                          // the last that was said
  std::map<std::string, std::string> problems_;  // of records that cannot be opened; empty: open
  transport::Clock::time_point began_ = transport::Clock::now();
  transport::Clock::time_point last_member_ = began_;  // when a switch was last connected
  SessionEnd end_ = SessionEnd::requested;
  std::uint32_t would_sleep_ = 0;
  std::uint64_t saves_failed_ = 0;
  transport::Milliseconds status_every_{1000};  // how soon the next status follows
};

}  // namespace ebb::runtime
