// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/kernel.hpp"

#include "ebb/core/child_process.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <utility>

namespace ebb::testbed::preflight {
namespace {

struct Trial {
  std::string subject;
  std::vector<std::string> words;
  std::string remedy;
};

std::vector<Trial> trials(const std::string& space) {
  return {
      {"network namespaces",
       {"ip", "netns", "add", space},
       "run as root, in a container with CAP_SYS_ADMIN; kernel: CONFIG_NET_NS"},
      {"virtual cables",
       {"ip", "-n", space, "link", "add", "name", "left", "type", "veth", "peer", "name", "right"},
       "modprobe veth; kernel: CONFIG_VETH"},
      {"port rates",
       {"tc", "-n", space, "qdisc", "add", "dev", "left", "root", "tbf", "rate", "10mbit", "burst",
        "16kb", "limit", "200kb"},
       "modprobe sch_tbf; kernel: CONFIG_NET_SCH_TBF"}};
}

Finding attempt(Trial trial) {
  const auto done = run_program(std::move(trial.words));
  if (done && done->exit_code == 0) return {std::move(trial.subject), Verdict::ok, "can be made"};
  const std::string said = done ? done->complaints : to_string(done.error());
  return {std::move(trial.subject), Verdict::fail, said.substr(0, said.find('\n')),
          std::move(trial.remedy)};
}

}  // namespace

Findings try_kernel() {
  // No other process has it.
  const std::string space = fmt::format("ebb-doctor-{}", getpid());
  Findings findings;
  for (Trial& trial : trials(space)) {
    findings.push_back(attempt(std::move(trial)));
    if (findings.back().verdict != Verdict::ok) break;
  }
  if (findings[0].verdict == Verdict::ok)
    static_cast<void>(run_program({"ip", "netns", "del", space}));
  return findings;
}

}  // namespace ebb::testbed::preflight
