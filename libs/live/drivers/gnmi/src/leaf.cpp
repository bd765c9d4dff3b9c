// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/leaf.hpp"

namespace ebb::gnmi {
namespace {

// The second element is a list with the key "name".
constexpr std::size_t kList = 1;

constexpr std::string_view text_of(Leaf leaf) {
  switch (leaf) {
    case Leaf::enabled:
      return "interfaces/interface/config/enabled";
    case Leaf::admin_status:
      return "interfaces/interface/state/admin-status";
    case Leaf::oper_status:
      return "interfaces/interface/state/oper-status";
    case Leaf::in_octets:
      return "interfaces/interface/state/counters/in-octets";
    case Leaf::out_octets:
      return "interfaces/interface/state/counters/out-octets";
    case Leaf::out_pkts:
      return "interfaces/interface/state/counters/out-pkts";
    case Leaf::port_speed:
      return "interfaces/interface/ethernet/config/port-speed";
    case Leaf::access_vlan:
      return "interfaces/interface/ethernet/switched-vlan/config/access-vlan";
    case Leaf::module_enabled:
      return "components/component/transceiver/config/enabled";
  }
  return "";
}

// OpenConfig writes the prefix of the model where another one is mounted; targets differ.
std::string_view without_model(std::string_view name) {
  const auto colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

Path path_of(const LeafOf& leaf) {
  Path path;
  std::string_view rest = text_of(leaf.leaf);
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    path.elements.push_back({std::string(rest.substr(0, slash)), {}});
    rest = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  }
  path.elements[kList].keys = {{"name", leaf.name}};
  return path;
}

std::optional<LeafOf> leaf_at(const Path& path) {
  if (path.elements.size() <= kList || path.elements[kList].keys.size() != 1) return std::nullopt;
  const auto& [key, name] = *path.elements[kList].keys.begin();
  Path plain = path;
  for (Element& element : plain.elements) element.name = without_model(element.name);
  for (const Leaf leaf : kLeaves) {
    const LeafOf candidate{leaf, name};
    if (path_of(candidate) == plain) return candidate;
  }
  return std::nullopt;
}

bool can_be_set(Leaf leaf) {
  return leaf == Leaf::enabled || leaf == Leaf::port_speed || leaf == Leaf::access_vlan ||
         leaf == Leaf::module_enabled;
}

std::string module_of(const std::string& interface) { return "transceiver-" + interface; }

}  // namespace ebb::gnmi
