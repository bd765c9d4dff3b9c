// SPDX-License-Identifier: Apache-2.0
//
// One message of each kind, as ebb sends them.
#pragma once

#include "ebb/openflow/message.hpp"

namespace ebb::openflow {

inline Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

inline Port some_port() {
  return {.number = 3,
          .address = 0x020000010203,
          .name = "p3",
          .config = kPortDown,
          .state = kLinkDown,
          .current = 0x840,
          .current_speed = 10'000'000,
          .max_speed = 40'000'000};
}

// Answers every ARP request for 10.Y.X.H with the address 02:00:00:Y:X:H.
inline FlowMod arp_responder() {
  const auto all = [](FieldId field, std::uint16_t bits) { return Bits{field, 0, bits}; };
  return {.cookie = 1,
          .priority = 200,
          .match = {{{FieldId::eth_type, 0x0806},
                     {FieldId::arp_op, 1},
                     {FieldId::arp_tpa, 0x0a000000, 0xff000000}}},
          .instructions = {ApplyActions{{
              Move{all(FieldId::eth_src, 48), FieldId::eth_dst, 0},
              SetField{{FieldId::eth_src, 0x020000000000}},
              Move{all(FieldId::arp_tpa, 24), FieldId::eth_src, 0},
              SetField{{FieldId::arp_op, 2}},
              Move{all(FieldId::arp_sha, 48), FieldId::arp_tha, 0},
              Move{all(FieldId::eth_src, 48), FieldId::arp_sha, 0},
              Move{all(FieldId::arp_tpa, 32), FieldId::register0, 0},
              Move{all(FieldId::arp_spa, 32), FieldId::arp_tpa, 0},
              Move{all(FieldId::register0, 32), FieldId::arp_spa, 0},
              Output{port::kInPort},
          }}}};
}

inline GroupMod failover() {
  return {
      .type = GroupType::fast_failover,
      .group = 102,
      .buckets = {{.watch_port = 4, .actions = {Output{4}}},
                  {.watch_port = 2, .actions = {Load{{FieldId::eth_dst, 32, 1}, 1}, Output{2}}}}};
}

inline FlowMod tree_edge() {
  return {
      .table = 0,
      .priority = 50,
      .flags = kSendFlowRemoved,
      .match = {{{FieldId::in_port, 1}}},
      .instructions = {ApplyActions{{PushVlan{}, SetField{{FieldId::vlan_vid, 10 | kVlanPresent}},
                                     SetField{{FieldId::vlan_pcp, 5}}}},
                       WriteActions{{PopVlan{}, ToGroup{102}}}, GotoTable{1}}};
}

inline FlowMod coordinate_rule() {
  return {.table = 1,
          .priority = 100,
          .match = {{eth_dst(0x020000010000, 0x030000ff0000),
                     eth_src(0x020000000000, 0x030000000000),
                     {FieldId::vlan_vid, 10 | kVlanPresent},
                     {FieldId::vlan_pcp, 5}}},
          .instructions = {ApplyActions{{Output{7}}}}};
}

}  // namespace ebb::openflow
