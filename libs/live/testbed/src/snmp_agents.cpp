// SPDX-License-Identifier: Apache-2.0
#include "snmp_agents.hpp"

#include <fmt/format.h>

#include <fstream>

namespace ebb::testbed {
namespace {

// No names of objects are read, and nothing is written outside of the folder.
std::vector<std::string> environment(const Box& box) {
  return {"MIBS=", "SNMP_PERSISTENT_DIR=" + box.folder, "SNMPCONFPATH=" + box.folder};
}

}  // namespace

// Whoever may open the socket may do everything: only root sees the folder.
Result<void> write_snmp_settings(const Box& box) {
  const std::string path = box.folder + "/snmpd.conf";
  std::ofstream file(path);
  file << fmt::format(
      "com2secunix everyone default {}\ngroup all v2c everyone\nview all included .1\n"
      "access all \"\" any noauth exact all all none\n"
      "master agentx\nagentXTimeout 5\n",
      kSnmpCommunity);
  if (!file.flush()) return fail("cannot be written", {path});
  return {};
}

Step start_snmp_agent(const Box& box) {
  return {{"snmpd", "-C", "-c", box.folder + "/snmpd.conf", "-Lf", "/dev/null",
           "-p" + box.folder + "/snmpd.pid", "-x", box.folder + "/agentx.sock",
           "unix:" + box.folder + "/snmp.sock"},
          {.environment = environment(box)},
          box.node->space};
}

Step start_snmp_helper(const Box& box, const std::string& fabric, const StateFolder& state) {
  return {{"ebb-agentx", "--pidfile=" + box.folder + "/ebb-agentx.pid", "--state", state.path,
           fabric, std::to_string(box.number)},
          {.environment = environment(box)},
          box.node->space};
}

}  // namespace ebb::testbed
