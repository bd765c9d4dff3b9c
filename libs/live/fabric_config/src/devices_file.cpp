// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include "ebb/core/names.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ebb::fabric_config {

// A community, or a user with two passphrases: never both, never half of either.
SnmpAccess read_snmp(const files::Value& value, files::Diagnostics& errors) {
  files::Section section(value, errors);
  SnmpAccess access;
  if (const auto community = section.find_text("community_file")) {
    access.community_file = *community;
  } else {
    access.user = section.require_text("user").value_or("");
    access.authentication_file = section.require_text("authentication_file").value_or("");
    access.privacy_file = section.require_text("privacy_file").value_or("");
    if (section.find("hash"))
      access.sha256 = section.require_one_of("hash", {"sha1", "sha256"}) == "sha256";
  }
  section.finish();
  return access;
}

GnmiAccess read_gnmi(const files::Value& value, files::Diagnostics& errors) {
  files::Section section(value, errors);
  GnmiAccess access{.certificate = section.find_text("certificate").value_or(""),
                    .key = section.find_text("key").value_or(""),
                    .authority = section.find_text("ca").value_or(""),
                    .modules = section.find_text("modules").value_or("")};
  if (section.find("values"))
    access.json_ietf = section.require_one_of("values", {"proto", "json_ietf"}) == "json_ietf";
  section.finish();
  return access;
}

std::optional<std::size_t> find_switch(std::span<const std::string> names,
                                       const std::string& name) {
  const auto named = std::find(names.begin(), names.end(), name);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (fmt::format("s{}", i) == name) return i;
  }
  return std::nullopt;
}

namespace {

constexpr std::size_t kLargestDevicesFile = 1 << 20;

std::vector<std::string> read_addresses(const files::Value& value,
                                        std::span<const std::string> names,
                                        files::Diagnostics& errors) {
  std::vector<std::string> addresses(names.size());
  for (const auto& [name, place] : files::Section(value, errors).entries()) {
    const auto found = find_switch(names, std::string(name));
    const auto text = place.text(errors);
    if (!found) {
      place.report(errors, unknown_name("switch", name, names));
    } else if (text && text->empty()) {
      place.report(errors, "an address is missing");
    } else if (!addresses[*found].empty()) {
      place.report(errors, fmt::format("{} has an address already", names[*found]));
    } else if (text) {
      addresses[*found] = *text;
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (addresses[i].empty()) value.report(errors, fmt::format("{} has no address", names[i]));
  }
  return addresses;
}

}  // namespace

Result<DevicesFile> read_devices_text(std::string_view text, const std::string& file,
                                      std::span<const std::string> switches) {
  files::Diagnostics errors(file);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  DevicesFile devices;
  section.require_schema_version(1);
  if (const auto name = section.find_text("interfaces")) devices.interfaces = *name;
  if (const auto value = section.find("snmp")) devices.snmp = read_snmp(*value, errors);
  if (const auto value = section.find("gnmi")) devices.gnmi = read_gnmi(*value, errors);
  if (const auto value = section.require("switches"))
    devices.addresses = read_addresses(*value, switches, errors);
  section.finish();
  if (!errors.empty()) return fail(errors.take());
  return devices;
}

Result<DevicesFile> read_devices(const std::string& path, std::span<const std::string> switches) {
  const auto text = files::read_file(path, kLargestDevicesFile);
  if (!text) return fail(text.error());
  return read_devices_text(*text, path, switches);
}

}  // namespace ebb::fabric_config
