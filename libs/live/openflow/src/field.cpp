// SPDX-License-Identifier: Apache-2.0
#include "ebb/openflow/field.hpp"

#include <algorithm>
#include <array>

namespace ebb::openflow {
namespace {

constexpr std::array kKinds{
    FieldKind{FieldId::register0, "reg0", 4},    FieldKind{FieldId::register1, "reg1", 4},
    FieldKind{FieldId::in_port, "in_port", 4},   FieldKind{FieldId::metadata, "metadata", 8},
    FieldKind{FieldId::eth_dst, "eth_dst", 6},   FieldKind{FieldId::eth_src, "eth_src", 6},
    FieldKind{FieldId::eth_type, "eth_type", 2}, FieldKind{FieldId::vlan_vid, "vlan_vid", 2},
    FieldKind{FieldId::vlan_pcp, "vlan_pcp", 1}, FieldKind{FieldId::ip_proto, "ip_proto", 1},
    FieldKind{FieldId::ipv4_src, "ipv4_src", 4}, FieldKind{FieldId::ipv4_dst, "ipv4_dst", 4},
    FieldKind{FieldId::arp_op, "arp_op", 2},     FieldKind{FieldId::arp_spa, "arp_spa", 4},
    FieldKind{FieldId::arp_tpa, "arp_tpa", 4},   FieldKind{FieldId::arp_sha, "arp_sha", 6},
    FieldKind{FieldId::arp_tha, "arp_tha", 6},
};

}  // namespace

std::span<const FieldKind> field_kinds() { return kKinds; }

const FieldKind* find_field(FieldId id) {
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(),
                                         [&](const FieldKind& kind) { return kind.id == id; });
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace ebb::openflow
