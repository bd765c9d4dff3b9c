// SPDX-License-Identifier: Apache-2.0
#include "interfaces.hpp"
#include "processes.hpp"
#include "switch_daemons.hpp"

#include "ebb/core/process.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <unistd.h>
#include <utility>

namespace ebb::testbed {
namespace {

struct Needed {
  const char* program;
  const char* package;
};

constexpr std::array kNeeded = {Needed{"ovsdb-tool", "openvswitch-switch"},
                                Needed{"ovsdb-server", "openvswitch-switch"},
                                Needed{"ovs-vsctl", "openvswitch-switch"},
                                Needed{"ovs-vswitchd", "openvswitch-switch"},
                                Needed{"ip", "iproute2"},
                                Needed{"tc", "iproute2"}};

constexpr std::array kNeededForSnmp = {Needed{"snmpd", "snmpd"}};
// Ours: built where libsnmp-dev is installed.
constexpr const char* kHelper = "ebb-agentx";

void look_for(std::span<const Needed> programs, Errors& errors) {
  for (const Needed& needed : programs) {
    if (program_path(needed.program)) continue;
    errors.push_back({fmt::format("there is no '{}' on the path; Debian: apt-get install {}",
                                  needed.program, needed.package),
                      {}});
  }
}

}  // namespace

Errors validate_machine() {
  Errors errors;
  if (geteuid() != 0)
    errors.push_back({"a fabric needs root: it makes network namespaces and interfaces", {}});
  look_for(kNeeded, errors);
  if (access(kSchema, R_OK) != 0)
    errors.push_back({"cannot be read; Debian: apt-get install openvswitch-switch", {kSchema}});
  return errors;
}

Errors validate_snmp_support() {
  Errors errors;
  look_for(kNeededForSnmp, errors);
  if (!program_path(kHelper)) {
    errors.push_back({fmt::format("there is no '{}' on the path; it comes with an ebb that is "
                                  "built where libsnmp-dev is installed",
                                  kHelper),
                      {}});
  }
  return errors;
}

namespace {

namespace fs = std::filesystem;

class Making {
 public:
  Making(const Layout& layout, const BringUpOptions& options, UniqueFd lock)
      : layout_(layout),
        options_(options),
        lock_(std::move(lock)),
        manifest_(Manifest::of(layout)) {
    manifest_.agents = !options.agent.empty();
    manifest_.snmp = options.snmp;
    manifest_.gnmi = options.gnmi;
    for (std::size_t s = 0; s < layout.switches; ++s) {
      devices_.push_back(
          {&layout.nodes[s], options.state.device(layout.name, s), s, !options.agent.empty()});
    }
  }

  Result<void> run() {
    if (auto done = write(manifest_, options_.state); !done) return done;
    auto done = make_all();
    if (done) return done;
    Errors errors = done.error();
    auto removed = remove_fabric(manifest_, options_.state);
    if (!removed) errors.insert(errors.end(), removed.error().begin(), removed.error().end());
    return fail(std::move(errors));
  }

 private:
  Result<void> make_all() {
    for (const auto step : {&Making::make_cables, &Making::set_interfaces, &Making::limit_ports,
                            &Making::make_databases, &Making::start_databases,
                            &Making::configure_bridges, &Making::start_switches,
                            &Making::start_agents, &Making::start_snmp, &Making::start_gnmi}) {
      if (auto done = (this->*step)(); !done) return done;
    }
    manifest_.complete = true;
    return write(manifest_, options_.state);
  }

  Result<void> make_cables() {
    std::string batch;
    for (const Node& node : layout_.nodes) batch += fmt::format("netns add {}\n", node.space);
    for (const Cable& cable : layout_.cables) {
      batch += fmt::format("link add {} type veth peer {}\n", end_text(cable.a), end_text(cable.b));
    }
    return run_helpers({{{"ip", "-batch", "-"}, {.input = std::move(batch)}}});
  }

  [[nodiscard]] std::string end_text(const End& end) const {
    const Node& node = layout_.nodes[end.node];
    return fmt::format("name {} netns {}", node.ports[end.port].name, node.space);
  }

  Result<void> set_interfaces() {
    for (std::size_t n = 0; n < layout_.nodes.size(); ++n) {
      const auto visit = NamespaceVisit::enter(layout_.nodes[n].space);
      if (!visit) return fail(visit.error());
      silence_ipv6();
      const auto interfaces = Interfaces::here();
      if (!interfaces) return fail(interfaces.error());
      auto done = n < layout_.switches ? set_ports(*interfaces, layout_.nodes[n])
                                       : set_host(*interfaces, n - layout_.switches);
      if (!done) return done;
    }
    return {};
  }

  static Result<void> set_ports(const Interfaces& interfaces, const Node& node) {
    for (const Port& port : node.ports) {
      if (auto done = interfaces.set_up(port.name); !done) return done;
    }
    return {};
  }

  [[nodiscard]] Result<void> set_host(const Interfaces& interfaces, std::size_t host) const {
    if (auto done = interfaces.set_address("eth0", layout_.addresses[host]); !done) return done;
    if (auto done = interfaces.make_own_checksums("eth0"); !done) return done;
    for (const char* port : {"lo", "eth0"}) {
      if (auto done = interfaces.set_up(port); !done) return done;
    }
    if (!options_.static_neighbours) return {};
    for (std::size_t other = 0; other < layout_.hosts(); ++other) {
      if (other == host) continue;
      if (auto done = interfaces.add_neighbour("eth0", layout_.addresses[other]); !done)
        return done;
    }
    return {};
  }

  Result<void> limit_ports() {
    std::vector<Step> steps;
    for (const Node& node : layout_.nodes) {
      for (const Port& port : node.ports)
        steps.push_back(set_port_rate(node.space, port.name, port.rate));
    }
    return run_helpers(std::move(steps));
  }

  Result<void> make_databases() {
    for (const Device& device : devices_) {
      std::error_code problem;
      fs::create_directory(device.folder, problem);
      // Who reaches its sockets commands the switch.
      if (!problem) fs::permissions(device.folder, fs::perms::owner_all, problem);
      if (problem) return fail("cannot make: " + problem.message(), {device.folder});
    }
    if (devices_.empty()) return {};
    const std::string first = devices_[0].folder + "/conf.db";
    if (auto done = run_helpers({make_database(first)}); !done) return done;
    for (std::size_t s = 1; s < devices_.size(); ++s) {
      std::error_code problem;
      fs::copy_file(first, devices_[s].folder + "/conf.db", problem);
      if (problem) return fail("cannot make: " + problem.message(), {devices_[s].folder});
    }
    return {};
  }

  Result<void> start_databases() { return run_all(for_each_device(start_database)); }
  Result<void> configure_bridges() { return run_helpers(for_each_device(configure_bridge)); }
  Result<void> start_switches() { return run_all(for_each_device(start_switch)); }

  Result<void> start_agents() {
    if (options_.agent.empty()) return {};
    std::vector<Step> steps;
    for (const Device& device : devices_) steps.push_back(start_agent(device, options_.agent));
    return run_all(steps);
  }

  Result<void> start_snmp() {
    if (!options_.snmp) return {};
    for (const Device& device : devices_) {
      if (auto done = write_snmp_settings(device); !done) return done;
    }
    if (auto done = run_all(for_each_device(start_snmp_agent)); !done) return done;
    std::vector<Step> helpers;
    for (const Device& device : devices_)
      helpers.push_back(start_snmp_helper(device, layout_.name, options_.state));
    return run_all(helpers);
  }

  Result<void> start_gnmi() {
    if (!options_.gnmi) return {};
    std::vector<Step> targets;
    for (const Device& device : devices_)
      targets.push_back(start_gnmi_target(device, layout_.name, options_.state));
    return run_all(targets);
  }

  std::vector<Step> for_each_device(Step (*step)(const Device&)) {
    std::vector<Step> steps;
    for (const Device& device : devices_) steps.push_back(step(device));
    return steps;
  }

  // Programs that end by themselves: they hold the lock as long as they run.
  Result<void> run_helpers(std::vector<Step> steps) {
    for (Step& step : steps) step.options.inherited_file = lock_.number();
    return run_all(steps);
  }

  const Layout& layout_;
  const BringUpOptions& options_;
  UniqueFd lock_;
  Manifest manifest_;
  std::vector<Device> devices_;
};

Result<void> check_names(const Layout& layout, const StateFolder& state) {
  constexpr std::size_t kLongestSocket = 107;
  for (const Node& node : layout.nodes) {
    if (!namespace_exists(node.space)) continue;
    return fail(fmt::format("network namespace {} exists, but not as part of a fabric in {}",
                            node.space, state.path));
  }
  if (longest_socket_path(state.device(layout.name, kMostSwitches)) > kLongestSocket)
    return fail("the path is too long for sockets; choose a shorter one", {state.path});
  return {};
}

Result<void> make_folder(const std::string& name, const StateFolder& state) {
  std::error_code problem;
  fs::create_directories(state.path, problem);
  if (problem) return fail("cannot make: " + problem.message(), {state.path});
  const std::string folder = state.fabric(name);
  if (!fs::create_directory(folder, problem) && !problem) {
    return fail(
        fmt::format("fabric '{0}' is up, or was left half made; `ebb fabric down {0}` takes "
                    "it down",
                    name),
        {folder});
  }
  if (problem) return fail("cannot make: " + problem.message(), {folder});
  return {};
}

}  // namespace

Result<void> bring_up(const Layout& layout, const BringUpOptions& options) {
  if (Errors errors = validate_machine(); !errors.empty()) return fail(std::move(errors));
  if (Errors errors = options.snmp ? validate_snmp_support() : Errors{}; !errors.empty())
    return fail(std::move(errors));
  if (Errors errors = options.gnmi ? validate_gnmi_support() : Errors{}; !errors.empty())
    return fail(std::move(errors));
  if (auto made = make_folder(layout.name, options.state); !made) return made;
  auto lock = lock_fabric(layout.name, options.state);
  if (!lock) return fail(lock.error());
  if (auto free = check_names(layout, options.state); !free) {
    if (auto removed = remove_bare_folder(layout.name, options.state); !removed) return removed;
    return free;
  }
  return Making(layout, options, std::move(*lock)).run();
}

}  // namespace ebb::testbed
