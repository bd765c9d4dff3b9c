// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/port_drivers.hpp"

#include <fmt/format.h>

#ifdef EBB_HAVE_GNMI
#include "ebb/gnmi/gnmi_ports.hpp"
#include "ebb/gnmi/openconfig.hpp"
#endif

namespace ebb::runtime {

#ifdef EBB_HAVE_GNMI

namespace {

// All that are no addresses, at once.
Result<std::vector<transport::Address>> parse_targets(const std::vector<std::string>& texts,
                                                      const std::string& file) {
  std::vector<transport::Address> addresses;
  Errors errors;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto address = transport::parse_address(texts[i]);
    if (address) {
      addresses.push_back(*address);
    } else {
      errors.push_back(
          {fmt::format("s{}: {}", i, address.error().front().message), {.file = file}});
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
  auto targets = parse_targets(file->addresses, site.devices);
  if (!targets) return fail(targets.error());
  return gnmi::GnmiPorts::of_fabric(
      std::move(*targets),
      {.form = access.json_ietf ? gnmi::ValueForm::json_ietf : gnmi::ValueForm::proto,
       .interfaces = file->interfaces,
       .modules = site.modules ? access.modules : "",
       .tls = {access.certificate, access.key, access.authority, ""}});
}

}  // namespace

Result<drivers::PortsOn> ports_by_gnmi(const FabricSite& site) {
  if (!site.devices.empty()) return gnmi_ports_of_file(site);
  const auto manifest = testbed::read_manifest(site.fabric, site.state);
  if (!manifest) return fail(manifest.error());
  if (!manifest->gnmi) {
    return fail(fmt::format("the switches of {} have no gNMI targets: bring it up with --gnmi",
                            site.fabric));
  }
  std::vector<std::string> boxes;
  for (std::uint32_t i = 0; i < site.switches; ++i)
    boxes.push_back(testbed::gnmi_address(site.state.device(site.fabric, i)));
  auto targets = parse_targets(boxes, "");
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

}  // namespace ebb::runtime
