// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/port_drivers.hpp"

#include "ebb/core/names.hpp"
#include "ebb/snmp/ports.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <variant>
#include <vector>

namespace ebb::runtime {
namespace {

// The first line of the file. A file that everyone may read is refused: it is no secret.
Result<std::string> read_secret(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (problem) return fail(problem.message(), {path});
  if (!fs::is_regular_file(status)) return fail("not a file", {path});
  if ((status.permissions() & fs::perms::others_read) != fs::perms::none)
    return fail("everyone may read this secret: chmod o-r", {path});
  std::ifstream file(path);
  std::string secret;
  if (!std::getline(file, secret) || secret.empty()) return fail("no secret in it", {path});
  return secret;
}

Result<std::variant<snmp::Community, snmp::User>> who_we_are(
    const fabric_config::SnmpAccess& access) {
  if (!access.community_file.empty()) {
    const auto community = read_secret(access.community_file);
    if (!community) return fail(community.error());
    return snmp::Community{*community};
  }
  const auto authentication = read_secret(access.authentication_file);
  const auto privacy = read_secret(access.privacy_file);
  Errors errors = authentication ? Errors{} : authentication.error();
  if (!privacy) errors.insert(errors.end(), privacy.error().begin(), privacy.error().end());
  if (!errors.empty()) return fail(std::move(errors));
  return snmp::User{access.user, *authentication, *privacy, access.sha256};
}

Result<drivers::PortsOn> snmp_ports_of_file(const FabricSite& site) {
  const auto file = fabric_config::read_devices(site.devices, site.switches);
  if (!file) return fail(file.error());
  if (!file->snmp) return fail("--ports snmp: there is no section snmp", {site.devices});
  const auto who = who_we_are(*file->snmp);
  if (!who) return fail(who.error());
  return snmp::ports_on([file = *file, who = *who](std::uint32_t device) {
    return snmp::Agent{
        .address = file.addresses.at(device), .who = who, .interfaces = file.interfaces};
  });
}

}  // namespace

Result<drivers::PortsOn> ports_by_snmp(const FabricSite& site) {
  if (!site.devices.empty()) return snmp_ports_of_file(site);
  const auto manifest = testbed::read_manifest(site.fabric, site.state);
  if (!manifest) return fail(manifest.error());
  if (!manifest->snmp) {
    return fail(fmt::format("the switches of {} have no SNMP agents: bring it up with --snmp",
                            site.fabric));
  }
  return snmp::ports_on([state = site.state, fabric = site.fabric](std::uint32_t device) {
    return snmp::Agent{.address = testbed::snmp_address(state.device(fabric, device)),
                       .who = snmp::Community{testbed::kSnmpCommunity}};
  });
}

Result<drivers::PortsOn> ports_by(const std::string& name, const FabricSite& site) {
  if (name == "snmp") return ports_by_snmp(site);
  if (name == "gnmi") return ports_by_gnmi(site);
  if (name != "openflow") {
    return fail(unknown_name("driver of ports", name,
                             std::vector<std::string>{"gnmi", "openflow", "snmp"}));
  }
  if (!site.devices.empty()) return fail("--devices is for --ports snmp and --ports gnmi");
  return [](transport::Loop&) { return drivers::MakePorts{}; };
}

}  // namespace ebb::runtime
