// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/openflow_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ebb::drivers {
namespace {

using openflow::Connection;
using openflow::Reply;
using openflow::Role;
using openflow::RoleReply;
using openflow::Why;

// What a switch says that has never heard of a generation.
constexpr std::uint64_t kNone = ~std::uint64_t{0};

std::uint64_t known(std::uint64_t generation) { return generation == kNone ? 0 : generation; }

void answer_outdated(Connection& connection, const RoleCallback& callback) {
  connection.role(Role::no_change, 0, [=](const Reply<RoleReply>& now) {
    if (!now) return callback(RoleReplyKind::unanswered, 0);
    callback(RoleReplyKind::stale, known(now->generation));
  });
}

}  // namespace

void request_events(Connection& connection, const openflow::Callback<void>& then) {
  constexpr std::uint32_t kAll = 7;
  connection.set_async(
      {.packet_in = {kAll, 0}, .port_status = {kAll, kAll}, .flow_removed = {0, 0}}, then);
}

void request_master(Connection& connection, std::uint64_t generation,
                    const RoleCallback& callback) {
  connection.role(Role::master, generation, [=, &connection](const Reply<RoleReply>& answer) {
    if (!answer && answer.error().why != Why::refused)
      return callback(RoleReplyKind::unanswered, 0);
    if (!answer && answer.error().text.find("stale") != std::string::npos)
      return answer_outdated(connection, callback);
    if (answer && answer->role != Role::master)
      return callback(RoleReplyKind::denied, known(answer->generation));
    const RoleReplyKind how = answer ? RoleReplyKind::master : RoleReplyKind::no_roles;
    request_events(connection, [=](const Reply<void>& hears) {
      callback(!hears && hears.error().why != Why::refused ? RoleReplyKind::unanswered : how,
               generation);
    });
  });
}

void request_slave(Connection& connection, const std::function<void(std::uint64_t)>& heard) {
  connection.role(Role::no_change, 0, [=, &connection](const Reply<RoleReply>& now) {
    if (!now) return;
    const std::uint64_t generation = known(now->generation);
    connection.role(Role::slave, generation, [=](const Reply<RoleReply>&) { heard(generation); });
  });
}

void query_role(Connection& connection, const std::function<void(bool, std::uint64_t)>& callback) {
  connection.role(Role::no_change, 0, [=](const Reply<RoleReply>& now) {
    if (now) callback(now->role == Role::master, known(now->generation));
  });
}

bool refused_as_slave(const std::string& error) {
  return error.find("is_slave") != std::string::npos;
}

namespace {

using openflow::Reply;

constexpr std::size_t kMostPorts = 4096;  // whatever a switch makes up

bool is_live(const openflow::Port& port) {
  return (port.state & openflow::kLinkDown) == 0 && (port.config & openflow::kPortDown) == 0;
}

PortStatus as_found(const openflow::Port& port) {
  return {(port.config & openflow::kPortDown) != 0, is_live(port)};
}

// Empty: everything that the switch holds is ebb's.
std::string what_is_foreign(const std::vector<openflow::GroupEntry>& groups,
                            const std::vector<openflow::FlowEntry>& flows) {
  const auto foreign = [](const auto& held) {
    return std::count_if(held.begin(), held.end(), [](const auto& one) { return !is_ours(one); });
  };
  if (foreign(flows) + foreign(groups) == 0) return "";
  return fmt::format(
      "holds {} rules and {} groups that are not ebb's and is not written to: remove them, or say "
      "--adopt, which removes them",
      foreign(flows), foreign(groups));
}

// What brings a switch from what it holds to its program.
std::vector<openflow::Body> difference(const Program& program,
                                       const std::vector<openflow::GroupEntry>& groups,
                                       const std::vector<openflow::FlowEntry>& flows) {
  std::vector<openflow::Body> messages;
  std::set<std::uint32_t> stale;
  for (const openflow::GroupEntry& group : groups) stale.insert(group.group);
  for (openflow::GroupMod group : program.groups) {
    const auto held = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& one) { return one.group == group.group; });
    stale.erase(group.group);
    if (held != groups.end() && held->buckets == group.buckets && held->type == group.type)
      continue;
    if (held != groups.end()) group.command = openflow::GroupCommand::modify;
    messages.emplace_back(group);
  }
  const bool same = flows.size() == program.flows.size() &&
                    std::all_of(flows.begin(), flows.end(),
                                [&](const auto& flow) { return flow.cookie == program.cookie; });
  if (!same) {
    std::set<std::uint64_t> others;
    for (const openflow::FlowEntry& flow : flows) {
      if (flow.cookie != program.cookie) others.insert(flow.cookie);
    }
    for (const openflow::FlowMod& flow : program.flows) messages.emplace_back(flow);
    for (const std::uint64_t cookie : others) {
      messages.emplace_back(openflow::FlowMod{.cookie = cookie,
                                              .cookie_mask = ~std::uint64_t{0},
                                              .table = openflow::kAllTables,
                                              .command = openflow::FlowCommand::remove});
    }
  }
  // After the rules that used them.
  for (const std::uint32_t group : stale) {
    messages.emplace_back(openflow::GroupMod{.command = openflow::GroupCommand::remove,
                                             .type = openflow::GroupType::all,
                                             .group = group});
  }
  return messages;
}

}  // namespace

OpenFlowSwitch::OpenFlowSwitch(openflow::Connection& connection, SwitchEvents events)
    : connection_(connection), events_(std::move(events)) {}

void OpenFlowSwitch::install(const Program& program, bool writes, ForeignRules foreign) {
  const std::weak_ptr<bool> here = here_;
  find_ports([=, this](const auto&) {
    connection_.groups([=, this](const Reply<std::vector<openflow::GroupEntry>>& groups) {
      if (here.expired()) return;
      if (!groups) return events_.error("did not say its groups: " + groups.error().text);
      connection_.flow_stats(
          {}, [=, this, held = *groups](const Reply<std::vector<openflow::FlowEntry>>& flows) {
            if (here.expired()) return;
            if (!flows) return events_.error("did not say its rules: " + flows.error().text);
            const std::string others = what_is_foreign(held, *flows);
            if (foreign == ForeignRules::refuse && !others.empty()) {
              events_.error(others);
              if (writes) return;
            }
            bring_to(difference(program, held, *flows), writes);
          });
    });
  });
}

void OpenFlowSwitch::bring_to(const std::vector<openflow::Body>& changes, bool writes) {
  if (!changes.empty() && !writes) {
    events_.error(fmt::format("would be sent {} changes of its rules and groups", changes.size()));
  }
  if (changes.empty() || !writes) return events_.installed(found());
  events_.writes(changes.size());
  const std::weak_ptr<bool> here = here_;
  connection_.install(changes, [=, this](const Reply<void>& done) {
    if (here.expired()) return;
    if (!done) return events_.error("refused its rules: " + done.error().text);
    events_.installed(found());
  });
}

void OpenFlowSwitch::learn_ports(const std::vector<openflow::Port>& ports) {
  for (const openflow::Port& port : ports) learn(port);
}

bool OpenFlowSwitch::learn(const openflow::Port& port) {
  if (port.number > openflow::port::kMax) return false;
  if (ports_.size() >= kMostPorts && !ports_.contains(port.number)) return false;
  ports_[port.number] = port;
  return true;
}

std::map<forwarding::PortNumber, PortStatus> OpenFlowSwitch::found() const {
  std::map<forwarding::PortNumber, PortStatus> result;
  for (const auto& [number, port] : ports_) result[number] = as_found(port);
  return result;
}

void OpenFlowSwitch::find_ports(const Found& found) {
  const std::weak_ptr<bool> here = here_;
  connection_.ports([=, this](const Reply<std::vector<openflow::Port>>& ports) {
    if (here.expired()) return;
    if (!ports) return events_.error("did not say which ports it has: " + ports.error().text);
    learn_ports(*ports);
    found(this->found());
  });
}

void OpenFlowSwitch::read_counters() {
  const std::weak_ptr<bool> here = here_;
  connection_.port_stats(
      openflow::port::kAny, [=, this](const Reply<std::vector<openflow::PortCounters>>& counters) {
        if (here.expired()) return;
        if (!counters) return events_.error("did not say its counters: " + counters.error().text);
        std::vector<PortTraffic> traffic;
        for (const openflow::PortCounters& one : *counters)
          traffic.push_back({one.port, one.tx_bytes, one.rx_bytes, one.tx_packets});
        events_.counted(traffic);
      });
}

// An output has a group for frames as they come, and may have one for rerouted ones.
void OpenFlowSwitch::read_group_counters() {
  const std::weak_ptr<bool> here = here_;
  connection_.group_stats([=, this](const Reply<std::vector<openflow::GroupCounters>>& groups) {
    if (here.expired()) return;
    if (!groups) return events_.error("did not say the counters of groups: " + groups.error().text);
    std::map<forwarding::PortNumber, std::uint64_t> bytes;
    for (const openflow::GroupCounters& one : *groups) {
      if (one.group < 2 * forwarding::kReroutedGroups)
        bytes[one.group % forwarding::kReroutedGroups] += one.bytes;
    }
    events_.groups_counted(bytes);
  });
}

void OpenFlowSwitch::send_probe(forwarding::PortNumber port, std::span<const std::uint8_t> frame) {
  const auto bytes = std::as_bytes(frame);
  connection_.packet_out(
      {.actions = {openflow::Output{port}}, .data = {bytes.begin(), bytes.end()}});
}

void OpenFlowSwitch::set_port(forwarding::PortNumber port, bool up, const Done& done) {
  const auto known = ports_.find(port);
  if (known == ports_.end()) return done(false, fmt::format("there is no port {}", port));
  const std::weak_ptr<bool> here = here_;
  connection_.port_mod({.port = port,
                        .address = known->second.address,
                        .config = up ? 0 : openflow::kPortDown,
                        .mask = openflow::kPortDown},
                       [=](const Reply<void>& answer) {
                         if (!here.expired())
                           done(answer.has_value(), answer ? "" : answer.error().text);
                       });
}

// OpenFlow 1.3 can only advertise rates, which Open vSwitch takes and ignores.
void OpenFlowSwitch::set_rate(forwarding::PortNumber /*port*/, DataRate /*rate*/,
                              const Done& done) {
  done(false, "OpenFlow cannot set the rate of a port");
}

void OpenFlowSwitch::set_pvid(forwarding::PortNumber /*port*/, std::uint16_t /*vlan*/,
                              const Done& done) {
  done(false, "OpenFlow has rules instead of the VLAN of a port");
}

void OpenFlowSwitch::port_changed(const openflow::PortStatus& status) {
  if (!learn(status.port)) return;
  const bool gone = status.reason == openflow::PortChange::removed;
  events_.changed(status.port.number, gone ? PortStatus{} : as_found(status.port));
}

void OpenFlowSwitch::packet_in(const openflow::PacketIn& packet) const {
  for (const openflow::Field& field : packet.match.fields) {
    if (field.id == openflow::FieldId::in_port)
      events_.probe(static_cast<forwarding::PortNumber>(field.value), packet.data);
  }
}

}  // namespace ebb::drivers
