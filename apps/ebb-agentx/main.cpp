// SPDX-License-Identifier: Apache-2.0
//
// ebb-agentx: beside the SNMP agent of one switch of a test fabric. Runs in the namespace of the
// switch; `ebb fabric up --snmp` starts it.
#include "shell_integration/program.hpp"
#include "subagent.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace {

int print_errors(const ebb::Errors& errors) {
  constexpr int kOutsideFailed = 3;
  for (const ebb::Error& error : errors) fmt::print(stderr, "error: {}\n", error.message);
  return kOutsideFailed;
}

// The parent ends when the child is ready: whoever started us may go on.
bool is_parent() {
  const pid_t child = fork();
  if (child < 0) fmt::print(stderr, "error: cannot fork: {}\n", std::strerror(errno));
  if (child == 0) setsid();
  return child != 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Answers for one switch of a test fabric, beside its SNMP agent", "ebb-agentx");
  std::string fabric;
  std::string pid_file;
  ebb::testbed::StateFolder state;
  std::size_t number = 0;
  app.add_option("fabric", fabric, "Its name")->required();
  app.add_option("switch", number, "Its number")->required();
  app.add_option("--state", state.path, "Folder of fabrics (" + state.path + ")")
      ->type_name("FOLDER");
  app.add_option("--pidfile", pid_file, "Where to keep the process id")
      ->type_name("FILE")
      ->required();
  if (const auto code = ebb::shell::parse(app, EBB_VERSION, argc, argv)) return *code;

  auto manifest = ebb::testbed::read_manifest(fabric, state);
  if (!manifest) return print_errors(manifest.error());
  if (number >= manifest->switches) return print_errors({{"there is no such switch", {}}});
  const ebb::agentx::SwitchPorts ports(std::move(*manifest), state, number);
  const auto done =
      ebb::agentx::register_objects(ports, state.device(fabric, number) + "/agentx.sock");
  if (!done) return print_errors(done.error());
  if (is_parent()) return 0;
  std::ofstream(pid_file) << getpid() << '\n';
  ebb::agentx::answer_for_ever();
}
