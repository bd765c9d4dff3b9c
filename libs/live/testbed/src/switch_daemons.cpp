// SPDX-License-Identifier: Apache-2.0
#include "switch_daemons.hpp"

#include "ebb/testbed/fabric.hpp"
#include "ebb/testbed/manifest.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <unistd.h>

namespace ebb::testbed {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

// A daemon that is ready when the command returns, and says nothing but why it cannot run.
Step daemon(Words words, const Device& device) {
  const std::string path = device.folder + "/" + words[0];
  append(words, {"--unixctl=" + path + ".ctl", "--pidfile=" + path + ".pid", "--detach",
                 "-vconsole:emer", "-vsyslog:off", "-vfile:off"});
  return {
      std::move(words), {.environment = environment_of_device(device.folder)}, device.node->space};
}

void add_port(Words& words, const Port& port, std::size_t number) {
  const std::string queue = fmt::format("@q{}", number);
  append(words, {"--", "add-port", "br0", port.name});
  append(words, {"--", "set", "Interface", port.name, fmt::format("ofport_request={}", number)});
  append(words, {"--", "set", "Port", port.name, "qos=" + queue});
  // Without this it would take away the queue that gives the port its rate.
  append(words, {"--", "--id=" + queue, "create", "QoS", "type=linux-noop"});
}

}  // namespace

std::string database_of(const std::string& folder) { return "unix:" + folder + "/db.sock"; }

std::vector<std::string> environment_of_device(const std::string& folder) {
  Words environment;
  for (const char* what : {"OVS_RUNDIR", "OVS_LOGDIR", "OVS_DBDIR", "OVS_SYSCONFDIR"})
    environment.push_back(fmt::format("{}={}", what, folder));
  return environment;
}

Step make_database(const std::string& file) { return {{"ovsdb-tool", "create", file, kSchema}}; }

Step start_database(const Device& device) {
  return daemon(
      {"ovsdb-server", device.folder + "/conf.db", "--remote=p" + database_of(device.folder)},
      device);
}

Step configure_bridge(const Device& device) {
  Words words = {"ovs-vsctl", "--db=" + database_of(device.folder), "--no-wait", "init"};
  append(words, {"--", "set", "Open_vSwitch", ".", "other_config:n-handler-threads=1",
                 "other_config:n-revalidator-threads=1"});
  // Groups count what revalidators have seen: by default half a second late, which is how long a
  // link would sleep on that somebody wants. Beside an agent, which moves flows all the time, the
  // switch has enough to do.
  if (!device.has_agent) words.emplace_back("other_config:max-revalidator=100");
  append(words, {"--", "add-br", "br0"});
  append(words, {"--", "set", "Bridge", "br0", "datapath_type=netdev", "fail_mode=secure",
                 "protocols=OpenFlow13,OpenFlow15", "other_config:disable-in-band=true",
                 fmt::format("other_config:datapath-id={:016x}", device.number + 1)});
  // Tries again at least each second: a controller that comes back is not kept waiting. Frames that
  // hosts make it hear (as if they were probes) are bounded, each port in its turn.
  append(words, {"--", "--id=@controller", "create", "Controller", "max_backoff=1000",
                 "controller_rate_limit=200", "controller_burst_limit=100",
                 fmt::format("target=\"unix:{}/br0.controller\"", device.folder)});
  append(words, {"--", "set", "Bridge", "br0", "controller=@controller"});
  for (std::size_t p = 0; p < device.node->ports.size(); ++p)
    add_port(words, device.node->ports[p], p + 1);
  return {std::move(words)};
}

Step start_switch(const Device& device) {
  return daemon({"ovs-vswitchd", database_of(device.folder)}, device);
}

Step start_agent(const Device& device, const std::string& program) {
  return {{program, device.folder, "--pidfile=" + device.folder + "/ebb-agent.pid", "--detach"},
          {},
          device.node->space};
}

std::size_t longest_socket_path(const std::string& folder) {
  // A daemon binds its sockets under a temporary name of at most this length.
  return (folder + "/ovs-vswitchd.ctl.4194304.tmp").size();
}

namespace {

// No names of objects are read, and nothing is written outside of the folder.
std::vector<std::string> environment(const Device& device) {
  return {"MIBS=", "SNMP_PERSISTENT_DIR=" + device.folder, "SNMPCONFPATH=" + device.folder};
}

}  // namespace

// Whoever may open the socket may do everything: only root sees the folder.
Result<void> write_snmp_settings(const Device& device) {
  const std::string path = device.folder + "/snmpd.conf";
  std::ofstream file(path);
  file << fmt::format(
      "com2secunix everyone default {}\ngroup all v2c everyone\nview all included .1\n"
      "access all \"\" any noauth exact all all none\n"
      "master agentx\nagentXTimeout 5\n",
      kSnmpCommunity);
  if (!file.flush()) return fail("cannot be written", {path});
  return {};
}

Step start_snmp_agent(const Device& device) {
  return {{"snmpd", "-C", "-c", device.folder + "/snmpd.conf", "-Lf", "/dev/null",
           "-p" + device.folder + "/snmpd.pid", "-x", device.folder + "/agentx.sock",
           "unix:" + device.folder + "/snmp.sock"},
          {.environment = environment(device)},
          device.node->space};
}

Step start_snmp_helper(const Device& device, const std::string& fabric, const StateFolder& state) {
  return {{"ebb-agentx", "--pidfile=" + device.folder + "/ebb-agentx.pid", "--state", state.path,
           fabric, std::to_string(device.number)},
          {.environment = environment(device)},
          device.node->space};
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "ebb-gnmi-target";

bool can_run(const fs::path& path) { return access(path.c_str(), X_OK) == 0; }

// Beside this program, else on the path; empty when there is none.
std::string program() {
  std::error_code unreadable;
  const fs::path beside = fs::read_symlink("/proc/self/exe", unreadable).parent_path() / kProgram;
  if (can_run(beside)) return beside.string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (can_run(fs::path(folder) / kProgram)) return (fs::path(folder) / kProgram).string();
  }
  return "";
}

}  // namespace

Errors validate_gnmi_support() {
  if (!program().empty()) return {};
  return {
      {"there is no 'ebb-gnmi-target' beside ebb or on the path; it comes with an ebb that is "
       "built where libgrpc++-dev, protobuf-compiler and protobuf-compiler-grpc are installed",
       {}}};
}

Step start_gnmi_target(const Device& device, const std::string& fabric, const StateFolder& state) {
  return {
      {program(), "--listen", gnmi_address(device.folder), "--ovsdb", database_of(device.folder),
       "--fabric", fabric, "--switch", std::to_string(device.number), "--state", state.path,
       "--pidfile=" + device.folder + "/gnmi-target.pid", "--detach"},
      {},
      device.node->space};
}

}  // namespace ebb::testbed
