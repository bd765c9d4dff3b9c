// SPDX-License-Identifier: Apache-2.0

#include "ebb/runtime/switch_access.hpp"

#include "device_access.hpp"

#include "ebb/core/names.hpp"
#include "ebb/snmp/ports.hpp"

#ifdef EBB_HAVE_GNMI
#include "ebb/gnmi/gnmi_ports.hpp"
#include "ebb/gnmi/openconfig.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ebb::runtime {

using transport::Address;
using transport::Kind;

Result<Address> parse_listen_address(const std::string& text) {
  constexpr std::string_view kSsl = "ssl:";
  return transport::parse_address(text.starts_with(kSsl) ? "tls:" + text.substr(kSsl.size())
                                                         : text);
}

Result<Address> address_of(const RemoteListener& remote) {
  auto address = parse_listen_address(remote.listen);
  if (!address) return fail(address.error());
  if (address->kind == Kind::unix_socket)
    return fail("--listen takes tcp:ADDRESS:PORT or ssl:ADDRESS:PORT");
  const bool certified =
      !remote.tls.certificate.empty() && !remote.tls.key.empty() && !remote.tls.authority.empty();
  if (address->kind == Kind::tls && !certified)
    return fail(remote.listen + ": TLS needs --certificate, --key and --ca");
  if (!transport::is_local(*address) && !remote.other_machines) {
    return fail(
        fmt::format("{}: other machines reach this address, and who speaks to a controller "
                    "controls the network; say --other-machines if that is meant",
                    remote.listen));
  }
  if (!transport::is_local(*address) && address->kind == Kind::tcp && !remote.insecure)
    return fail(remote.listen + kPlain);
  return address;
}

Result<transport::Listener> open_remote_listener(transport::Loop& loop,
                                                 const RemoteListener& remote,
                                                 transport::Listener::Accepted accepted) {
  const auto address = address_of(remote);
  if (!address) return fail(address.error());
  transport::ListenerOptions options{.streams = {}, .other_machines = remote.other_machines};
  if (address->kind == Kind::tls) {
    auto tls = transport::TlsContext::load(remote.tls);
    if (!tls) return fail(tls.error());
    options.streams.tls = std::move(*tls);
  }
  return transport::Listener::open(loop, *address, options, std::move(accepted));
}

Result<transport::Listener> open_switch_listener(transport::Loop& loop,
                                                 const std::string& device_folder,
                                                 transport::Listener::Accepted accepted) {
  const std::string path = device_folder + "/br0.controller";
  std::filesystem::remove(path);
  return transport::Listener::open(loop, {.kind = Kind::unix_socket, .path = path}, {},
                                   std::move(accepted));
}

// ---- drivers of ports

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

}  // namespace

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

bool is_local_agent(std::string_view address) {
  if (address.starts_with("unix:")) return true;
  for (const std::string_view kind : {"udp:", "tcp:", "udp6:", "tcp6:"}) {
    if (address.starts_with(kind)) address.remove_prefix(kind.size());
  }
  const std::string host(address.substr(0, address.rfind(':')));
  return transport::is_local({.kind = Kind::tcp, .host = host == "[::1]" ? "::1" : host});
}

namespace {

Result<drivers::PortsOn> snmp_ports_of_file(const FabricSite& site) {
  const auto file = fabric_config::read_devices(site.devices, site.switches);
  if (!file) return fail(file.error());
  if (!file->snmp) return fail("--ports snmp: there is no section snmp", {site.devices});
  const auto who = who_we_are(*file->snmp);
  if (!who) return fail(who.error());
  const auto remote =
      std::find_if_not(file->addresses.begin(), file->addresses.end(), is_local_agent);
  if (!file->snmp->community_file.empty() && !site.insecure && remote != file->addresses.end()) {
    return fail(*remote + kCommunityInClear, {site.devices});
  }
  return snmp::ports_on([file = *file, who = *who](std::uint32_t device) {
    return snmp::Agent{
        .address = file.addresses.at(device), .who = who, .interfaces = file.interfaces};
  });
}

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

#ifdef EBB_HAVE_GNMI

// All that are no addresses, at once.
Result<std::vector<transport::Address>> parse_targets(const std::vector<std::string>& names,
                                                      const std::vector<std::string>& texts,
                                                      const std::string& file) {
  std::vector<transport::Address> addresses;
  Errors errors;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto address = transport::parse_address(texts[i]);
    if (address) {
      addresses.push_back(*address);
    } else {
      errors.push_back(
          {fmt::format("{}: {}", names[i], address.error().front().message), {.file = file}});
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  return addresses;
}

Result<drivers::PortsOn> gnmi_ports_of_file(const FabricSite& site) {
  const auto file = fabric_config::read_devices(site.devices, site.switches);
  if (!file) return fail(file.error());
  if (!file->gnmi) return fail("--ports gnmi: there is no section gnmi", {site.devices});
  const fabric_config::GnmiAccess& access = *file->gnmi;
  if (site.modules && access.modules.empty())
    return fail("--modules: the section gnmi does not say what modules are called", {site.devices});
  auto targets = parse_targets(site.switches, file->addresses, site.devices);
  if (!targets) return fail(targets.error());
  for (const Address& target : *targets) {
    if (target.kind == Kind::tcp && !transport::is_local(target) && !site.insecure)
      return fail(to_text(target) + kPlain, {site.devices});
  }
  return gnmi::GnmiPorts::of_fabric(
      std::move(*targets),
      {.form = access.json_ietf ? gnmi::ValueForm::json_ietf : gnmi::ValueForm::proto,
       .interfaces = file->interfaces,
       .modules = site.modules ? access.modules : "",
       .tls = {access.certificate, access.key, access.authority, ""}});
}

Result<drivers::PortsOn> ports_by_gnmi(const FabricSite& site) {
  if (!site.devices.empty()) return gnmi_ports_of_file(site);
  const auto manifest = testbed::read_manifest(site.fabric, site.state);
  if (!manifest) return fail(manifest.error());
  if (!manifest->gnmi) {
    return fail(fmt::format("the switches of {} have no gNMI targets: bring it up with --gnmi",
                            site.fabric));
  }
  std::vector<std::string> devices;
  for (std::size_t i = 0; i < site.switches.size(); ++i)
    devices.push_back(testbed::gnmi_address(site.state.device(site.fabric, i)));
  auto targets = parse_targets(site.switches, devices, "");
  if (!targets) return fail(targets.error());
  return gnmi::GnmiPorts::of_fabric(std::move(*targets),
                                    {.modules = site.modules ? gnmi::module_of("p") : ""});
}

#else

Result<drivers::PortsOn> ports_by_gnmi(const FabricSite& /*site*/) {
  return fail(
      "this ebb was built without gNMI: it needs libgrpc++-dev, protobuf-compiler and "
      "protobuf-compiler-grpc");
}

#endif

}  // namespace

Result<void> validate_driver(const std::string& name) {
  const std::vector<std::string> known = {"gnmi", "openflow", "snmp"};
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  return fail(unknown_name("driver of ports", name, known));
}

Result<drivers::PortsOn> ports_by(const std::string& name, const FabricSite& site) {
  if (const auto known = validate_driver(name); !known) return fail(known.error());
  if (name == "snmp") return ports_by_snmp(site);
  if (name == "gnmi") return ports_by_gnmi(site);
  if (!site.devices.empty()) return fail("--devices is for --ports snmp and --ports gnmi");
  return [](transport::Loop&) { return drivers::MakePorts{}; };
}

}  // namespace ebb::runtime
