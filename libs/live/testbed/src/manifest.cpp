// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/manifest.hpp"

#include "ebb/core/names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace ebb::testbed {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Manifest& manifest) {
  Json members = Json::array();
  for (const Manifest::Member& member : manifest.members)
    members.push_back({{"name", member.name}, {"namespace", member.space}});
  return {{"schema_version", 1},           {"name", manifest.name},
          {"complete", manifest.complete}, {"agents", manifest.agents},
          {"switches", manifest.switches}, {"links", manifest.links},
          {"members", std::move(members)}, {"snmp", manifest.snmp},
          {"gnmi", manifest.gnmi}};
}

// And not what only rounding makes a count.
bool has_counts(const Json& json) {
  return json.at("switches").is_number_unsigned() && json.at("links").is_number_unsigned();
}

Manifest manifest_of(const Json& json) {
  Manifest manifest;
  manifest.name = json.at("name").get<std::string>();
  manifest.complete = json.at("complete").get<bool>();
  manifest.agents = json.value("agents", false);
  manifest.switches = json.at("switches").get<std::size_t>();
  manifest.links = json.at("links").get<std::size_t>();
  for (const Json& member : json.at("members"))
    manifest.members.push_back({member.at("name"), member.at("namespace")});
  manifest.snmp = json.value("snmp", false);
  manifest.gnmi = json.value("gnmi", false);
  return manifest;
}

// What is deleted later is what stands here: a file that somebody else wrote is not believed.
bool is_ours(const Manifest& manifest, const std::string& name) {
  if (manifest.name != name || manifest.switches > manifest.members.size()) return false;
  for (std::size_t m = 0; m < manifest.members.size(); ++m) {
    const bool host = m >= manifest.switches;
    const std::string space =
        fmt::format("ebb-{}-{}{}", name, host ? 'h' : 's', host ? m - manifest.switches : m);
    if (manifest.members[m].space != space) return false;
  }
  return true;
}

}  // namespace

Manifest Manifest::of(const Layout& layout) {
  Manifest manifest{
      .name = layout.name, .switches = layout.switches, .links = layout.cables.size()};
  for (const Node& node : layout.nodes) manifest.members.push_back({node.name, node.space});
  return manifest;
}

Result<std::size_t> Manifest::find(const std::string& member) const {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m].name == member) return m;
    names.push_back(members[m].name);
  }
  return fail(unknown_name("node", member.substr(0, 40), names));
}

std::string to_text(const Manifest& manifest) { return json_of(manifest).dump(1) + "\n"; }

Result<Manifest> parse_manifest(const std::string& text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (!has_counts(json)) return fail("switches and links of a manifest are counted");
    Manifest manifest = manifest_of(json);
    if (is_ours(manifest, name)) return manifest;
  } catch (const Json::exception&) {
  }
  return fail("not the manifest of a fabric of this name");
}

Result<void> write(const Manifest& manifest, const StateFolder& state) {
  const std::string path = state.manifest(manifest.name);
  const std::string fresh = path + ".new";
  {
    std::ofstream file(fresh);
    file << to_text(manifest);
    if (!file.flush()) return fail(fmt::format("cannot write: {}", std::strerror(errno)), {fresh});
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    return fail(fmt::format("cannot write: {}", std::strerror(errno)), {path});
  return {};
}

Result<Manifest> read_manifest(const std::string& name, const StateFolder& state) {
  const std::string path = state.manifest(name);
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("cannot be read", {path});
  auto manifest = parse_manifest(text.str(), name);
  if (!manifest) return fail(manifest.error().front().message, {path});
  return manifest;
}

}  // namespace ebb::testbed
