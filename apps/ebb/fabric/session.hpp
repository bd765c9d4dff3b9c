// SPDX-License-Identifier: Apache-2.0
//
// A controller with everything that it needs: it waits until it may lead, and leads for one term.
#pragma once

#include "fabric/control.hpp"
#include "fabric/events.hpp"
#include "fabric/figures.hpp"
#include "fabric/history.hpp"
#include "fabric/run.hpp"
#include "fabric/status.hpp"

#include "ebb/controller/ha/succession.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/monitor/http_server.hpp"
#include "ebb/policy/registry.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/transport/connector.hpp"
#include "ebb/transport/listener.hpp"

#include <deque>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {

// What a controller is made of.
struct Prepared {
  fabric_config::FabricFile file;
  drivers::Description description;
  controller::PortWatts port;
  policy::Made made;
};
[[nodiscard]] Result<Prepared> prepare(const FabricRunOptions& options);

// Why a term of a controller ended.
enum class TermEnd : std::uint8_t {
  asked,     // by the operator, or the fabric has gone
  anew,      // the file is to be read again, or the term was long enough
  outdated,  // a switch has seen a newer generation than ours: another term will do
  deposed,   // another controller leads
};

class Session {
 public:
  Session(const FabricRunOptions& options, controller::Succession& succession, Prepared prepared,
          const drivers::PortsOn& ports);
  // One that waits is connected already when it comes to lead, and waits for `not_before`.
  [[nodiscard]] Errors start(std::optional<transport::Clock::time_point> not_before);
  [[nodiscard]] TermEnd run();

 private:
  // Also of one that waits.
  void show_life();
  // Where switches of this machine look for their controller: one at a time is there.
  [[nodiscard]] Errors open_doors();
  // Where switches elsewhere come, also to one that waits: they know both.
  [[nodiscard]] Errors listen();
  // Where switches let themselves be managed: several controllers can be there at a time.
  void connect();
  // The lease is ours.
  [[nodiscard]] Errors lead();
  void recall(const controller::Recalled& recalled);
  // For the next controller; links that were never touched are left out.
  void remember();
  // Once, not as often as it is tried.
  void complain(const std::string& problem);
  void step_back(TermEnd end, const std::string& why);
  [[nodiscard]] Errors open_control();
  // Log, audit trail, history and metrics.
  [[nodiscard]] Errors show();
  drivers::OrderEvents note_orders();
  [[nodiscard]] FabricView view() const;
  std::unique_ptr<policy::Recorder> record();
  void say(const std::string& line);
  // An operator's line.
  std::string obey(const std::string& line, Asker who);
  [[nodiscard]] std::string explain(const std::string& name) const;
  std::string carry_out(const std::string& line);
  [[nodiscard]] std::optional<topology::LinkId> link_named(const std::string& name) const;
  void look();
  void wait_to_lead();
  void guide();
  // What happened to links since the last look; whether something did.
  [[nodiscard]] bool report();
  // Between two changes, and only with a file that can be read: what runs is not given up for less.
  void begin_anew_when_asked();
  void say_when_whole();
  void say_what_would_be_saved();
  // Links; in a dry run those that would.
  [[nodiscard]] std::uint32_t sleeping() const;
  // What sleeps is woken before the controller goes, within a time.
  void end_when_asked();
  [[nodiscard]] std::uint32_t count(controller::LinkState state) const;
  [[nodiscard]] double highest_use() const;
  // Writing takes at most a twentieth of the time, however many links there are.
  void write_status();
  void write_status_now();
  // Nothing is woken: cables and switches go.
  void give_up();

  const FabricRunOptions& options_;
  controller::Succession& succession_;
  fabric_config::FabricFile file_;
  drivers::Description description_;
  controller::Reach reach_;
  controller::Sleepers sleepers_;
  std::ofstream transcript_;
  std::optional<FabricHistory> history_;
  policy::Made made_;
  std::unique_ptr<policy::Recorder> recorder_;
  controller::PortWatts port_;
  controller::Watts watts_;
  controller::Controller controller_;
  transport::Loop loop_;
  FabricFigures figures_;
  FabricEvents events_;
  drivers::LiveFabric live_;
  std::unique_ptr<monitor::HttpServer> metrics_;
  std::vector<transport::Listener> doors_;
  std::vector<std::unique_ptr<transport::Connector>> connectors_;
  std::unique_ptr<ControlSocket> control_;
  std::deque<controller::Entry> last_;
  std::optional<TimePoint> leaving_;
  bool whole_ = false;
  bool leading_ = false;
  bool anew_ = false;
  std::optional<transport::Clock::time_point> not_before_;
  std::string problem_;  // the last that was said
  TermEnd end_ = TermEnd::asked;
  std::uint32_t would_sleep_ = 0;
};

}  // namespace ebb::cli
