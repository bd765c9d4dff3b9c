// SPDX-License-Identifier: Apache-2.0
//
// {"lldp": {"interface": [
//   {"eth0": {"via": "LLDP", "chassis": {"s1": {"id": {"type": "mac", "value": "..."}, ...}},
//             "port": {"id": {"type": "ifname", "value": "eth3"}, "descr": "eth3", ...}}}, ...]}}
//
// With one neighbour the list is its only entry. A neighbour that tells no system name has "id" and
// the rest without the name around them.
#include "line_source.hpp"
#include "node_names.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/counters/lldp.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace ebb::counters {
namespace {

// Objects keep their order: interfaces come as the device lists them.
using TableJson = nlohmann::ordered_json;

const TableJson* member(const TableJson& json, const char* key) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}

std::string text_of(const TableJson* json) {
  return json != nullptr && json->is_string() ? json->get<std::string>() : "";
}

class LldpcliReader {
 public:
  LldpcliReader(const std::string& path, topology::NodeId device, MappingFiles& files,
                Problems& problems)
      : path_(path), device_(device), files_(files), problems_(problems) {}

  void read(const TableJson& root) {
    const TableJson* const table = member(root, "lldp");
    if (table == nullptr || !table->is_object())
      return report("no \"lldp\": {...}: not the output of 'lldpcli show neighbors -f json'", "");
    const TableJson* const interfaces = member(*table, "interface");
    if (interfaces == nullptr) return;  // without a neighbour
    if (interfaces->is_array()) {
      for (std::size_t which = 0; which < interfaces->size(); ++which)
        read_interfaces((*interfaces)[which], fmt::format("lldp.interface[{}]", which));
    } else {
      read_interfaces(*interfaces, "lldp.interface");
    }
  }

 private:
  void report(std::string message, std::string where) {
    problems_.add(std::move(message), {.file = path_, .path = std::move(where)});
  }

  void read_interfaces(const TableJson& entries, const std::string& where) {
    if (!entries.is_object()) return report("not an interface: {\"eth0\": {...}}", where);
    for (const auto& [interface, entry] : entries.items())
      read_neighbour(interface, entry, fmt::format("{}.{}", where, shown(interface)));
  }

  void read_neighbour(const std::string& interface, const TableJson& entry,
                      const std::string& where) {
    const TableJson* const chassis = member(entry, "chassis");
    const TableJson* const port = member(entry, "port");
    if (chassis == nullptr || !chassis->is_object())
      return report("a neighbour without its chassis", where);
    if (port == nullptr || !port->is_object()) return report("a neighbour without its port", where);
    Neighbour neighbour{
        .device = device_, .interface = {interface}, .where = {.file = path_, .path = where}};
    // The value of a name is what the chassis has; that of "id" has a type.
    const bool is_named = !chassis->empty() && member(chassis->begin().value(), "id") != nullptr;
    if (is_named) neighbour.peer = chassis->begin().key();
    for (const std::string& name : {text_of(id_value(*port)), text_of(member(*port, "descr"))}) {
      if (!name.empty()) neighbour.peer_port.push_back(name);
    }
    if (neighbour.peer_port.empty()) return report("a neighbour whose port has no id", where);
    files_.neighbours.push_back(std::move(neighbour));
  }

  static const TableJson* id_value(const TableJson& port) {
    const TableJson* const id = member(port, "id");
    return id == nullptr ? nullptr : member(*id, "value");
  }

  const std::string& path_;
  topology::NodeId device_;
  MappingFiles& files_;
  Problems& problems_;
};

}  // namespace

void read_lldpcli(std::string_view text, const std::string& path, const NodeNames& names,
                  MappingFiles& files, Problems& problems) {
  const std::filesystem::path file(path);
  const std::string stem = file.stem().string();
  auto device = names.of_device(stem);
  if (!device) device = names.of_device(file.parent_path().filename().string());
  if (!device) {
    return problems.add("the file of a table is named after its device, as s0.json: " +
                            unknown_name("node", stem, names.all()),
                        {.file = path});
  }
  files.devices.insert(*device);
  const TableJson root = TableJson::parse(text, nullptr, false);
  if (root.is_discarded()) return problems.add("is not JSON", {.file = path});
  LldpcliReader(path, *device, files, problems).read(root);
}

}  // namespace ebb::counters
