// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/openconfig.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ebb::gnmi {
namespace {

bool is_any(std::string_view text) { return text == "*"; }

bool covers(const Element& asked, const Element& element) {
  if (!is_any(asked.name) && asked.name != element.name) return false;
  return std::all_of(asked.keys.begin(), asked.keys.end(), [&](const auto& key) {
    const auto found = element.keys.find(key.first);
    return found != element.keys.end() && (is_any(key.second) || key.second == found->second);
  });
}

}  // namespace

std::string to_text(const Path& path) {
  std::string text;
  for (const Element& element : path.elements) {
    text.append("/").append(element.name);
    for (const auto& [key, value] : element.keys)
      text.append("[").append(key).append("=").append(value).append("]");
  }
  return text.empty() ? "/" : text;
}

bool covers(const Path& asked, const Path& leaf) {
  if (asked.elements.size() > leaf.elements.size()) return false;
  return std::equal(asked.elements.begin(), asked.elements.end(), leaf.elements.begin(),
                    [](const Element& a, const Element& b) { return covers(a, b); });
}

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
    case Leaf::power_admin_state:
      return "components/component/linecard/config/power-admin-state";
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
  const LeafOf power{Leaf::power_admin_state, name};
  return path_of(power) == plain ? std::optional(power) : std::nullopt;
}

bool can_be_set(Leaf leaf) {
  return leaf == Leaf::enabled || leaf == Leaf::port_speed || leaf == Leaf::access_vlan ||
         leaf == Leaf::module_enabled || leaf == Leaf::power_admin_state;
}

std::string module_of(const std::string& interface) { return "transceiver-" + interface; }

namespace {

constexpr std::int64_t kMega = 1'000'000;
constexpr std::int64_t kGiga = 1'000'000'000;
constexpr std::int64_t kMost = 1'000'000;  // of either; a rate stays far from overflow
constexpr std::string_view kPrefix = "SPEED_";

}  // namespace

std::optional<std::string> speed_name(DataRate rate) {
  const std::int64_t count = rate.count();
  if (count <= 0 || count % kMega != 0 || count / kMega > kMost * 1000) return std::nullopt;
  const bool giga = count % kGiga == 0;
  return std::string(kPrefix) + std::to_string(count / (giga ? kGiga : kMega)) +
         (giga ? "GB" : "MB");
}

std::optional<DataRate> read_speed(std::string_view name) {
  if (const auto colon = name.find(':'); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (problem != std::errc{} || number <= 0 || number > kMost) return std::nullopt;
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  if (name == "MB") return bits_per_second(number * kMega);
  if (name == "GB") return bits_per_second(number * kGiga);
  return std::nullopt;
}

}  // namespace ebb::gnmi
