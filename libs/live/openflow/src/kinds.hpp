// SPDX-License-Identifier: Apache-2.0
//
// By which numbers each message is known on the wire.
#pragma once

#include "ebb/openflow/message.hpp"

namespace ebb::openflow {

constexpr std::uint8_t kHelloType = 0;
constexpr std::uint8_t kExperimenterType = 4;
constexpr std::uint8_t kMultipartRequest = 18;
constexpr std::uint8_t kMultipartReply = 19;
constexpr std::uint8_t kLastType = 29;

struct Kind {
  std::uint8_t type;
  std::string_view name;
  std::uint32_t sub = 0;  // of multipart and experimenter messages
};

template <class T>
constexpr Kind kKind{0xff, "message"};  // found by no number: OtherMessage
template <>
inline constexpr Kind kKind<Hello>{kHelloType, "hello"};
template <>
inline constexpr Kind kKind<ErrorMessage>{1, "error"};
template <>
inline constexpr Kind kKind<EchoRequest>{2, "echo request"};
template <>
inline constexpr Kind kKind<EchoReply>{3, "echo reply"};
template <>
inline constexpr Kind kKind<BundleControl>{kExperimenterType, "bundle control", 2300};
template <>
inline constexpr Kind kKind<BundleAdd>{kExperimenterType, "bundle add", 2301};
template <>
inline constexpr Kind kKind<FeaturesRequest>{5, "features request"};
template <>
inline constexpr Kind kKind<FeaturesReply>{6, "features reply"};
template <>
inline constexpr Kind kKind<SetConfig>{9, "set_config"};
template <>
inline constexpr Kind kKind<PacketIn>{10, "packet_in"};
template <>
inline constexpr Kind kKind<FlowRemoved>{11, "flow_removed"};
template <>
inline constexpr Kind kKind<PortStatus>{12, "port_status"};
template <>
inline constexpr Kind kKind<PacketOut>{13, "packet_out"};
template <>
inline constexpr Kind kKind<FlowMod>{14, "flow_mod"};
template <>
inline constexpr Kind kKind<GroupMod>{15, "group_mod"};
template <>
inline constexpr Kind kKind<PortMod>{16, "port_mod"};
template <>
inline constexpr Kind kKind<DescriptionRequest>{kMultipartRequest, "description request", 0};
template <>
inline constexpr Kind kKind<Description>{kMultipartReply, "description", 0};
template <>
inline constexpr Kind kKind<FlowStatsRequest>{kMultipartRequest, "flow stats request", 1};
template <>
inline constexpr Kind kKind<FlowStats>{kMultipartReply, "flow stats", 1};
template <>
inline constexpr Kind kKind<PortStatsRequest>{kMultipartRequest, "port stats request", 4};
template <>
inline constexpr Kind kKind<PortStats>{kMultipartReply, "port stats", 4};
template <>
inline constexpr Kind kKind<GroupStatsRequest>{kMultipartRequest, "group stats request", 6};
template <>
inline constexpr Kind kKind<GroupStats>{kMultipartReply, "group stats", 6};
template <>
inline constexpr Kind kKind<GroupsRequest>{kMultipartRequest, "groups request", 7};
template <>
inline constexpr Kind kKind<Groups>{kMultipartReply, "groups", 7};
template <>
inline constexpr Kind kKind<PortsRequest>{kMultipartRequest, "ports request", 13};
template <>
inline constexpr Kind kKind<Ports>{kMultipartReply, "ports", 13};
template <>
inline constexpr Kind kKind<BarrierRequest>{20, "barrier request"};
template <>
inline constexpr Kind kKind<BarrierReply>{21, "barrier reply"};
template <>
inline constexpr Kind kKind<RoleRequest>{24, "role request"};
template <>
inline constexpr Kind kKind<RoleReply>{25, "role reply"};
template <>
inline constexpr Kind kKind<GetAsyncRequest>{26, "get_async request"};
template <>
inline constexpr Kind kKind<GetAsyncReply>{27, "get_async reply"};
template <>
inline constexpr Kind kKind<SetAsync>{28, "set_async"};

}  // namespace ebb::openflow
