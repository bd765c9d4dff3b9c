// SPDX-License-Identifier: Apache-2.0
#include "fabric/doctor.hpp"

#include "command_line/interrupt.hpp"
#include "fabric/trial.hpp"

#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/testbed/preflight/certificates.hpp"
#include "ebb/testbed/preflight/clock.hpp"
#include "ebb/testbed/preflight/descriptors.hpp"
#include "ebb/testbed/preflight/door.hpp"
#include "ebb/testbed/preflight/folder.hpp"
#include "ebb/testbed/preflight/kernel.hpp"
#include "ebb/testbed/preflight/privileges.hpp"
#include "ebb/testbed/preflight/programs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

namespace ebb::cli {
namespace {

using testbed::preflight::Finding;
using testbed::preflight::Findings;
using testbed::preflight::Verdict;
using Json = nlohmann::ordered_json;

void append(Findings& findings, Findings more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

bool any_failed(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& one) { return one.verdict == Verdict::fail; });
}

// What a fabric of this machine needs.
Findings look_at_machine() {
  Findings findings;
  for (const testbed::preflight::Program& program : testbed::preflight::fabric_programs())
    findings.push_back(testbed::preflight::look_for(program));
  findings.push_back(testbed::preflight::look_at_user());
  // Without ip, tc or root it would fail for that reason.
  if (!any_failed(findings)) append(findings, testbed::preflight::try_kernel());
  return findings;
}

// What a controller of switches elsewhere needs.
Findings look_at_door(const FabricDoctorOptions& options, const transport::Address& address) {
  Findings findings = {testbed::preflight::try_door(address)};
  if (address.kind == transport::Kind::tls) {
    append(findings, testbed::preflight::look_at_certificates(options.tls));
  } else if (!transport::is_local(address)) {
    findings.push_back({"TLS", Verdict::warn, "off: who reaches the port controls the network",
                        "--listen ssl:..., with certificates"});
  }
  return findings;
}

// What the controller of the fabric last wrote down; nothing when none has run.
std::optional<Finding> look_at_controller(const std::string& status_file) {
  std::ifstream in(status_file);
  const auto status = nlohmann::json::parse(in, nullptr, false);
  if (status.is_discarded()) return std::nullopt;
  std::string missing;
  for (const auto& name : status["switches_away"]) missing += " " + name.get<std::string>();
  if (!missing.empty()) {
    return Finding{"controller", Verdict::fail, "switches that are not here:" + missing,
                   "look at their power, their way to the controller and their set-controller"};
  }
  if (!status["wrong_cables"].empty()) {
    return Finding{"controller", Verdict::fail, status["wrong_cables"][0].get<std::string>(),
                   "plug the cable as the file says, or change the file"};
  }
  return Finding{"controller", Verdict::ok,
                 fmt::format("had all {} switches and their cables", status["switches"].dump())};
}

Json to_json(const Findings& findings) {
  Json all = Json::array();
  for (const Finding& one : findings) {
    all.push_back({{"subject", one.subject},
                   {"verdict", to_text(one.verdict)},
                   {"found", one.found},
                   {"remedy", one.remedy.empty() ? Json(nullptr) : Json(one.remedy)}});
  }
  return {{"findings", all}, {"healthy", !any_failed(findings)}};
}

std::string to_text(const Findings& findings) {
  std::string text;
  for (const Finding& one : findings) {
    text += fmt::format("{:4}  {:18}  {}\n", to_text(one.verdict), one.subject, one.found);
    if (!one.remedy.empty()) text += fmt::format("{:26}-> {}\n", "", one.remedy);
  }
  return text;
}

// Open vSwitch says ssl for TLS, and so do its users.
Result<transport::Address> door_address(const std::string& listen) {
  constexpr std::string_view kOvsWord = "ssl:";
  if (listen.starts_with(kOvsWord))
    return transport::parse_address("tls:" + listen.substr(kOvsWord.size()));
  return transport::parse_address(listen);
}

}  // namespace

ExitCode examine_fabric(const FabricDoctorOptions& options) {
  std::optional<fabric_config::FabricFile> file;
  if (!options.file.empty()) {
    auto read = fabric_config::read_fabric(options.file);
    if (!read) return refuse(read.error());
    file = std::move(*read);
  }
  Findings findings;
  if (options.listen.empty()) {
    findings = look_at_machine();
  } else {
    const auto address = door_address(options.listen);
    if (!address) return refuse(address.error());
    findings = look_at_door(options, *address);
  }
  findings.push_back(testbed::preflight::look_at_clock());
  constexpr std::uint32_t kTrialSwitches = 3;
  findings.push_back(
      testbed::preflight::look_at_descriptors(file ? file->graph.switch_count() : kTrialSwitches));
  findings.push_back(testbed::preflight::look_at_folder(options.state.path));
  if (file) {
    auto found = look_at_controller(options.state.controller(file->name) + "/status.json");
    if (found) findings.push_back(std::move(*found));
  }
  if (options.live && !any_failed(findings)) append(findings, try_fabric());
  if (interrupted()) end_interrupted();
  fmt::print("{}", options.json ? to_json(findings).dump(2) + "\n" : to_text(findings));
  return any_failed(findings) ? ExitCode::not_met : ExitCode::done;
}

}  // namespace ebb::cli
