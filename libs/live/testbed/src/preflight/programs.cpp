// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/programs.hpp"

#include "ebb/core/child_process.hpp"
#include "ebb/core/program_path.hpp"

#include <fmt/format.h>

#include <array>

namespace ebb::testbed::preflight {

std::span<const Program> fabric_programs() {
  static const std::array kPrograms = {
      Program{"ovs-vswitchd", "--version", "openvswitch-switch", Verdict::fail, "the switches"},
      Program{"ovsdb-server", "--version", "openvswitch-switch", Verdict::fail, "their databases"},
      Program{"ovsdb-tool", "--version", "openvswitch-switch", Verdict::fail, "makes these"},
      Program{"ovs-vsctl", "--version", "openvswitch-switch", Verdict::fail, "configures switches"},
      Program{"ip", "-V", "iproute2", Verdict::fail, "namespaces and cables"},
      Program{"tc", "-V", "iproute2", Verdict::fail, "rates of ports"},
      Program{"openssl", "version", "openssl", Verdict::warn, "makes certificates for TLS"},
      Program{"fping", "--version", "fping", Verdict::warn, "asks hosts, with --live"}};
  return kPrograms;
}

Finding look_for(const Program& program) {
  const auto path = program_path(program.name);
  if (!path) {
    return {program.name, program.without, fmt::format("not on the path ({})", program.purpose),
            "Debian: apt-get install " + program.package};
  }
  const auto said = run_program({*path, program.version_option});
  if (!said || said->exit_code != 0) {
    return {program.name, program.without, fmt::format("{} does not run", *path),
            "Debian: apt-get install --reinstall " + program.package};
  }
  return {program.name, Verdict::ok, said->output.substr(0, said->output.find('\n'))};
}

}  // namespace ebb::testbed::preflight
