// SPDX-License-Identifier: Apache-2.0
#include "open_vswitch.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace ebb::testbed {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

// A daemon that is ready when the command returns, and says nothing but why it cannot run.
Step daemon(Words words, const Box& box) {
  const std::string path = box.folder + "/" + words[0];
  append(words, {"--unixctl=" + path + ".ctl", "--pidfile=" + path + ".pid", "--detach",
                 "-vconsole:emer", "-vsyslog:off", "-vfile:off"});
  return {std::move(words), {.environment = environment_of_box(box.folder)}, box.node->space};
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

std::vector<std::string> environment_of_box(const std::string& folder) {
  Words environment;
  for (const char* what : {"OVS_RUNDIR", "OVS_LOGDIR", "OVS_DBDIR", "OVS_SYSCONFDIR"})
    environment.push_back(fmt::format("{}={}", what, folder));
  return environment;
}

Step make_database(const std::string& file) { return {{"ovsdb-tool", "create", file, kSchema}}; }

Step start_database(const Box& box) {
  return daemon({"ovsdb-server", box.folder + "/conf.db", "--remote=p" + database_of(box.folder)},
                box);
}

Step configure_bridge(const Box& box) {
  Words words = {"ovs-vsctl", "--db=" + database_of(box.folder), "--no-wait", "init"};
  append(words, {"--", "set", "Open_vSwitch", ".", "other_config:n-handler-threads=1",
                 "other_config:n-revalidator-threads=1"});
  append(words, {"--", "add-br", "br0"});
  append(words, {"--", "set", "Bridge", "br0", "datapath_type=netdev", "fail_mode=secure",
                 "protocols=OpenFlow13,OpenFlow15", "other_config:disable-in-band=true",
                 fmt::format("other_config:datapath-id={:016x}", box.number + 1)});
  // Tries again at least each second: a controller that comes back is not kept waiting. Frames that
  // hosts make it hear (as if they were probes) are bounded, each port in its turn.
  append(words, {"--", "--id=@controller", "create", "Controller", "max_backoff=1000",
                 "controller_rate_limit=200", "controller_burst_limit=100",
                 fmt::format("target=\"unix:{}/br0.controller\"", box.folder)});
  append(words, {"--", "set", "Bridge", "br0", "controller=@controller"});
  for (std::size_t p = 0; p < box.node->ports.size(); ++p)
    add_port(words, box.node->ports[p], p + 1);
  return {std::move(words)};
}

Step start_switch(const Box& box) { return daemon({"ovs-vswitchd", database_of(box.folder)}, box); }

Step start_agent(const Box& box, const std::string& program) {
  return {{program, box.folder, "--pidfile=" + box.folder + "/ebb-agent.pid", "--detach"},
          {},
          box.node->space};
}

std::size_t longest_socket_path(const std::string& folder) {
  // A daemon binds its sockets under a temporary name of at most this length.
  return (folder + "/ovs-vswitchd.ctl.4194304.tmp").size();
}

}  // namespace ebb::testbed
