// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/open_vswitch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace ebb::agent {
namespace {

using transport::Milliseconds;

// Less than the time without a frame after which a controller puts ports to sleep (50 ms), so that
// a suppression that keeps a port from sleeping has ended before.
constexpr Milliseconds kGroupsEvery{20};
constexpr Milliseconds kNamesAgain{100};
// The longest that the standard has: a monitor sends a frame that often.
constexpr auto kMonitorInterval = "600000";  // ms

// Of the groups those that choose between a port and its detour. Their number is that of the port.
std::vector<Group> groups_in(const std::vector<openflow::GroupEntry>& entries) {
  std::vector<Group> groups;
  for (const openflow::GroupEntry& entry : entries) {
    if (entry.type != openflow::GroupType::fast_failover || entry.buckets.size() != 2) continue;
    const PortNumber first = entry.buckets[0].watch_port;
    const PortNumber second = entry.buckets[1].watch_port;
    // A bucket that sends frames back watches no port.
    if (std::max(first, second) > openflow::port::kMax) continue;
    if (first == entry.group) groups.push_back({first, second, false});
    if (second == entry.group) groups.push_back({second, first, true});
  }
  return groups;
}

std::map<PortNumber, std::string> names_in(const nlohmann::json& result) {
  std::map<PortNumber, std::string> names;
  for (const auto& row : result.value("rows", nlohmann::json::array())) {
    const auto number = row.find("ofport");
    const auto name = row.find("name");
    if (number == row.end() || !number->is_number_unsigned() || name == row.end()) continue;
    if (!name->is_string() || number->get<PortNumber>() > openflow::port::kMax) continue;
    names[number->get<PortNumber>()] = name->get<std::string>();
  }
  return names;
}

}  // namespace

OpenVSwitch::OpenVSwitch(transport::Loop& loop, const SwitchSockets& sockets, SwitchEvents events)
    : loop_(loop),
      events_(std::move(events)),
      database_(
          loop, [sockets] { return sockets.database(); },
          [&loop](transport::Stream stream, Peer<ovsdb::Database>::Closed closed) {
            return std::make_unique<ovsdb::Database>(loop, std::move(stream), "Open_vSwitch",
                                                     ovsdb::SessionTiming{}, std::move(closed));
          },
          [this] { read_names(); }),
      control_(
          loop, [sockets] { return sockets.control(); },
          [&loop](transport::Stream stream, Peer<ovsdb::Control>::Closed closed) {
            return std::make_unique<ovsdb::Control>(loop, std::move(stream), ovsdb::SessionTiming{},
                                                    std::move(closed));
          },
          [this] { make_live(prepared_); }),
      bridge_(
          loop, [sockets] { return sockets.management(); },
          [this, &loop](transport::Stream stream, Peer<openflow::Connection>::Closed closed) {
            return std::make_unique<openflow::Connection>(
                loop, std::move(stream), openflow::Timing{},
                openflow::ConnectionEvents{.ready =
                                               [this](const auto& features) {
                                                 datapath_ = features.datapath;
                                                 read_groups();
                                               },
                                           .closed = std::move(closed)});
          },
          [] {}) {}

void OpenVSwitch::start() {
  database_.start();
  control_.start();
  bridge_.start();
}

bool OpenVSwitch::is_here() const {
  return database_.is_here() && control_.is_here() && bridge_.is_here() && !names_.empty() &&
         datapath_;
}

std::string OpenVSwitch::problem() const {
  if (!database_.is_here()) return "database: " + database_.last_problem();
  if (!control_.is_here()) return "control socket: " + control_.last_problem();
  if (!bridge_.is_here()) return "bridge: " + bridge_.last_problem();
  return "the switch does not say which ports it has";
}

// Ports have no numbers before the daemon has seen them.
void OpenVSwitch::read_names() {
  database_->transact({ovsdb::select("Interface", {}, {"name", "ofport"})},
                      [this](const ovsdb::Reply<std::vector<nlohmann::json>>& results) {
                        if (results) names_ = names_in(results->front());
                        if (names_.empty() && database_.is_here()) {
                          loop_.after(kNamesAgain, [this] {
                            if (database_.is_here()) read_names();
                          });
                        }
                      });
}

void OpenVSwitch::read_groups() {
  using Entries = std::vector<openflow::GroupEntry>;
  bridge_->groups([this](const openflow::Reply<Entries>& entries) {
    if (!bridge_.is_here()) return;
    if (entries) {
      const std::vector<Group> groups = groups_in(*entries);
      prepare_ports(groups);
      events_.groups(groups);
    }
    if (next_groups_) loop_.cancel(*next_groups_);  // of a connection before this one
    next_groups_ = loop_.after(kGroupsEvery, [this] {
      if (bridge_.is_here()) read_groups();
    });
  });
}

// Different at the two ends of a cable, else it would be taken for a loop.
int OpenVSwitch::monitor_number(PortNumber port) const {
  constexpr int kSwitches = 128;
  constexpr int kPorts = 64;  // 128 * 64 - 1 is the highest that the standard allows
  return static_cast<int>(*datapath_ % kSwitches) * kPorts + static_cast<int>(port % kPorts);
}

void OpenVSwitch::prepare_ports(const std::vector<Group>& groups) {
  if (!is_here() || !being_prepared_.empty()) return;
  std::vector<nlohmann::json> operations;
  for (const Group& group : groups) {
    const auto name = names_.find(group.port);
    if (name == names_.end() || prepared_.contains(group.port)) continue;
    being_prepared_.insert(group.port);
    const auto row = ovsdb::by_name(name->second);
    operations.push_back(
        ovsdb::update("Interface", row, {{"cfm_mpid", monitor_number(group.port)}}));
    operations.push_back(ovsdb::mutate(
        "Interface", row,
        {{"other_config", "insert", ovsdb::map_of({{"cfm_interval", kMonitorInterval}})}}));
  }
  if (operations.empty()) return;
  database_->configure(std::move(operations), [this](const ovsdb::Reply<void>& done) {
    const Ports ports = std::exchange(being_prepared_, {});
    if (done) make_live(ports);
  });
}

// Whatever an agent or a daemon before us left.
void OpenVSwitch::make_live(Ports ports) {  // NOLINT(performance-unnecessary-value-param)
  for (const PortNumber port : ports) {
    prepared_.erase(port);
    if (!control_.is_here()) continue;
    set_suppressed(port, false, [this, port, last = port == *ports.rbegin()](bool done) {
      if (done) prepared_.insert(port);
      if (last) events_.ready();
    });
  }
}

std::optional<PortNumber> OpenVSwitch::number_of(const std::string& name) const {
  const auto found = std::find_if(names_.begin(), names_.end(),
                                  [&](const auto& entry) { return entry.second == name; });
  if (found == names_.end()) return std::nullopt;
  return found->first;
}

std::string OpenVSwitch::name_of(PortNumber port) const {
  const auto found = names_.find(port);
  return found == names_.end() ? std::to_string(port) : found->second;
}

void OpenVSwitch::set_suppressed(PortNumber port, bool suppressed,
                                 const std::function<void(bool done)>& then) {
  if (!control_.is_here()) return then(false);
  control_->command("cfm/set-fault", {name_of(port), suppressed ? "true" : "false"},
                    [then](const ovsdb::Reply<std::string>& answer) { then(answer.has_value()); });
}

void OpenVSwitch::restore_ports(const std::function<void()>& then) {
  if (!database_.is_here() || names_.empty()) return then();
  std::vector<nlohmann::json> operations;
  for (const auto& [port, name] : names_) {
    const nlohmann::json none = {"set", nlohmann::json::array()};
    const nlohmann::json interval = {"set", {"cfm_interval"}};
    operations.push_back(ovsdb::update("Interface", ovsdb::by_name(name), {{"cfm_mpid", none}}));
    operations.push_back(
        ovsdb::mutate("Interface", ovsdb::by_name(name), {{"other_config", "delete", interval}}));
  }
  database_->configure(std::move(operations), [then](const auto&) { then(); });
}

std::string SwitchSockets::control() const {
  const std::string daemon = folder + "/ovs-vswitchd";
  std::string process;
  std::ifstream file(daemon + ".pid");
  if (std::filesystem::exists(daemon + ".ctl") || !(file >> process)) return daemon + ".ctl";
  return daemon + "." + process + ".ctl";
}

}  // namespace ebb::agent
