// SPDX-License-Identifier: Apache-2.0
//
// What ebb writes is what Open vSwitch reads.
#include "samples.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

namespace ebb::openflow {
namespace {

bool has_ovs_ofctl() { return std::system("command -v ovs-ofctl >/dev/null 2>&1") == 0; }

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return text;
}

// As Open vSwitch prints it, without its trailing newline.
std::string printed(const Message& message) {
  const auto bytes = encode(message);
  if (!bytes) return to_string(bytes.error());
  const std::string command = "ovs-ofctl ofp-print " + hex(*bytes) + " 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get()))
    text.push_back(static_cast<char>(c));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

struct Case {
  std::string name;
  Body body;
  std::string expected;

  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

Bytes inner_flow() { return *encode({9, coordinate_rule()}); }

std::vector<Case> cases() {
  return {
      {"hello", Hello{}, "OFPT_HELLO (OF1.3) (xid=0x9):\n version bitmap: 0x04"},
      {"echo_request", EchoRequest{bytes_of({1, 2})},
       "OFPT_ECHO_REQUEST (OF1.3) (xid=0x9): 2 bytes of payload\n00000000  01 02                   "
       "                        |..              |"},
      {"echo_reply", EchoReply{}, "OFPT_ECHO_REPLY (OF1.3) (xid=0x9): 0 bytes of payload"},
      {"error", ErrorMessage{.type = 5, .code = 3, .data = *encode({9, BarrierRequest{}})},
       "OFPT_ERROR (OF1.3) (xid=0x9): OFPFMFC_OVERLAP\nOFPT_BARRIER_REQUEST (OF1.3) (xid=0x9):"},
      {"bundle_error", ErrorMessage{kExperimenterError, 2313, kOnf, *encode({9, BarrierRequest{}})},
       "OFPT_ERROR (OF1.3) (xid=0x9): OFPBFC_MSG_FAILED\nOFPT_BARRIER_REQUEST (OF1.3) (xid=0x9):"},
      {"features_request", FeaturesRequest{}, "OFPT_FEATURES_REQUEST (OF1.3) (xid=0x9):"},
      {"features_reply", FeaturesReply{0x0000020000010100, 0, 254, 0, 0x4f, 0},
       "OFPT_FEATURES_REPLY (OF1.3) (xid=0x9): dpid:0000020000010100\nn_tables:254, "
       "n_buffers:0\ncapabilities: FLOW_STATS TABLE_STATS PORT_STATS GROUP_STATS QUEUE_STATS"},
      {"set_config", SetConfig{},
       "OFPT_SET_CONFIG (OF1.3) (xid=0x9): frags=normal miss_send_len=128"},
      {"packet_in",
       PacketIn{.total_length = 4,
                .reason = 1,
                .cookie = 5,
                .match = {{{FieldId::in_port, 3}}},
                .data = bytes_of({1, 2, 3, 4})},
       "OFPT_PACKET_IN (OF1.3) (xid=0x9): cookie=0x5 total_len=4 in_port=3 (via action) data_len=4 "
       "(unbuffered)\nvlan_tci=0x0000,dl_src=00:00:00:00:00:00,dl_dst=00:00:00:00:00:00,dl_type="
       "0x0000"},
      {"packet_out", PacketOut{.actions = {Output{2}}, .data = bytes_of({1, 2, 3, 4})},
       "OFPT_PACKET_OUT (OF1.3) (xid=0x9): in_port=CONTROLLER actions=output:2 "
       "data_len=4\nvlan_tci=0x0000,dl_src=00:00:00:00:00:00,dl_dst=00:00:00:00:00:00,dl_type="
       "0x0000"},
      {"flow_removed",
       FlowRemoved{.cookie = 5,
                   .priority = 7,
                   .reason = 1,
                   .table = 2,
                   .seconds = 3,
                   .hard_timeout = 3,
                   .packets = 8,
                   .bytes = 512,
                   .match = {{{FieldId::in_port, 3}}}},
       "OFPT_FLOW_REMOVED (OF1.3) (xid=0x9): priority=7,in_port=3 reason=hard table_id=2 "
       "cookie:0x5 duration3s idle0 hard3 pkts8 bytes512"},
      {"port_status", PortStatus{PortChange::modified, some_port()},
       "OFPT_PORT_STATUS (OF1.3) (xid=0x9): MOD: 3(p3): addr:02:00:00:01:02:03\n     config:     "
       "PORT_DOWN\n     state:      LINK_DOWN\n     current:    10GB-FD COPPER\n     speed: 10000 "
       "Mbps now, 40000 Mbps max"},
      {"port_mod",
       PortMod{.port = 3, .address = 0x020000010203, .config = kPortDown, .mask = kPortDown},
       "OFPT_PORT_MOD (OF1.3) (xid=0x9): port: 3: addr:02:00:00:01:02:03\n     config: PORT_DOWN\n "
       "    mask:   PORT_DOWN\n     advertise: UNCHANGED"},
      {"arp_responder", arp_responder(),
       "OFPT_FLOW_MOD (OF1.3) (xid=0x9): ADD priority=200,arp,arp_tpa=10.0.0.0/8,arp_op=1 "
       "cookie:0x1 "
       "actions=move:NXM_OF_ETH_SRC[]->NXM_OF_ETH_DST[],set_field:02:00:00:00:00:00->eth_src,move:"
       "NXM_OF_ARP_TPA[0..23]->NXM_OF_ETH_SRC[0..23],set_field:2->arp_op,move:NXM_NX_ARP_SHA[]->"
       "NXM_NX_ARP_THA[],move:NXM_OF_ETH_SRC[]->NXM_NX_ARP_SHA[],move:NXM_OF_ARP_TPA[]->NXM_NX_"
       "REG0[],move:NXM_OF_ARP_SPA[]->NXM_OF_ARP_TPA[],move:NXM_NX_REG0[]->NXM_OF_ARP_SPA[],IN_"
       "PORT"},
      {"tree_edge", tree_edge(),
       "OFPT_FLOW_MOD (OF1.3) (xid=0x9): ADD priority=50,in_port=1 send_flow_rem "
       "actions=push_vlan:0x8100,set_field:4106->vlan_vid,set_field:5->vlan_pcp,write_actions(pop_"
       "vlan,group:102),goto_table:1"},
      {"coordinates", coordinate_rule(),
       "OFPT_FLOW_MOD (OF1.3) (xid=0x9): ADD table:1 "
       "priority=100,dl_vlan=10,dl_vlan_pcp=5,dl_src=02:00:00:00:00:00/"
       "03:00:00:00:00:00,dl_dst=02:00:00:01:00:00/03:00:00:ff:00:00 actions=output:7"},
      {"remove_all", FlowMod{.table = kAllTables, .command = FlowCommand::remove},
       "OFPT_FLOW_MOD (OF1.3) (xid=0x9): DEL table:255 actions=drop"},
      {"failover", failover(),
       "OFPT_GROUP_MOD (OF1.3) (xid=0x9):\n ADD "
       "group_id=102,type=ff,bucket=watch_port:4,actions=output:4,bucket=watch_port:2,actions=load:"
       "0x1->NXM_OF_ETH_DST[32],output:2"},
      {"select",
       GroupMod{GroupCommand::modify,
                GroupType::select,
                7,
                {{.weight = 100, .actions = {Output{1}}}, {.weight = 50, .actions = {Output{2}}}}},
       "OFPT_GROUP_MOD (OF1.3) (xid=0x9):\n MOD "
       "group_id=7,type=select,bucket=weight:100,actions=output:1,bucket=weight:50,actions=output:"
       "2"},
      {"indirect", GroupMod{GroupCommand::add, GroupType::indirect, 8, {{.actions = {Output{1}}}}},
       "OFPT_GROUP_MOD (OF1.3) (xid=0x9):\n ADD group_id=8,type=indirect,bucket=actions=output:1"},
      {"remove_groups", GroupMod{.command = GroupCommand::remove, .group = group::kAll},
       "OFPT_GROUP_MOD (OF1.3) (xid=0x9):\n DEL group_id=4294967292,type=all"},
      {"description_request", DescriptionRequest{}, "OFPST_DESC request (OF1.3) (xid=0x9):"},
      {"description", Description{"m", "h", "s", "n", "d"},
       "OFPST_DESC reply (OF1.3) (xid=0x9):\nManufacturer: m\nHardware: h\nSoftware: s\nSerial "
       "Num: n\nDP Description: d"},
      {"ports_request", PortsRequest{}, "OFPST_PORT_DESC request (OF1.3) (xid=0x9): port=ANY"},
      {"ports", Ports{false, {some_port()}},
       "OFPST_PORT_DESC reply (OF1.3) (xid=0x9):\n 3(p3): addr:02:00:00:01:02:03\n     config:     "
       "PORT_DOWN\n     state:      LINK_DOWN\n     current:    10GB-FD COPPER\n     speed: 10000 "
       "Mbps now, 40000 Mbps max"},
      {"port_stats_request", PortStatsRequest{},
       "OFPST_PORT request (OF1.3) (xid=0x9): port_no=ANY"},
      {"port_stats",
       PortStats{true,
                 {{.port = 3,
                   .rx_packets = 1,
                   .tx_packets = 2,
                   .rx_bytes = 3,
                   .tx_bytes = 4,
                   .rx_dropped = 5,
                   .tx_dropped = 6,
                   .rx_errors = 7,
                   .tx_errors = 8,
                   .rx_frame_errors = 9,
                   .rx_overruns = 10,
                   .rx_crc_errors = 11,
                   .collisions = 12,
                   .seconds = 13,
                   .nanoseconds = 14000000}}},
       "OFPST_PORT reply (OF1.3) (xid=0x9): flags=[more] 1 ports\n  port  3: rx pkts=1, bytes=3, "
       "drop=5, errs=7, frame=9, over=10, crc=11\n           tx pkts=2, bytes=4, drop=6, errs=8, "
       "coll=12\n           duration=13.014s"},
      {"flow_stats_request", FlowStatsRequest{.match = {{{FieldId::in_port, 1}}}},
       "OFPST_FLOW request (OF1.3) (xid=0x9): in_port=1"},
      {"flow_stats",
       FlowStats{false,
                 {{.table = 1,
                   .seconds = 2,
                   .priority = 9,
                   .cookie = 3,
                   .packets = 4,
                   .bytes = 5,
                   .match = {{{FieldId::in_port, 1}}},
                   .instructions = {ApplyActions{{Output{2}}}}}}},
       "OFPST_FLOW reply (OF1.3) (xid=0x9):\n cookie=0x3, duration=2s, table=1, n_packets=4, "
       "n_bytes=5, priority=9,in_port=1 actions=output:2"},
      {"groups_request", GroupsRequest{},
       "OFPST_GROUP_DESC request (OF1.3) (xid=0x9): group_id=ALL"},
      {"groups", Groups{false, {{GroupType::fast_failover, 102, failover().buckets}}},
       "OFPST_GROUP_DESC reply (OF1.3) (xid=0x9):\n "
       "group_id=102,type=ff,bucket=watch_port:4,actions=output:4,bucket=watch_port:2,actions=load:"
       "0x1->NXM_OF_ETH_DST[32],output:2"},
      {"group_stats_request", GroupStatsRequest{},
       "OFPST_GROUP request (OF1.3) (xid=0x9): group_id=ALL"},
      {"group_stats", GroupStats{false, {{102, 1, 9, 900, 2, 3'000'000, {{4, 400}, {5, 500}}}}},
       "OFPST_GROUP reply (OF1.3) (xid=0x9):\n "
       "group_id=102,duration=2.003s,ref_count=1,packet_count=9,byte_count=900,bucket0:packet_"
       "count="
       "4,byte_count=400,bucket1:packet_count=5,byte_count=500"},
      {"barrier_request", BarrierRequest{}, "OFPT_BARRIER_REQUEST (OF1.3) (xid=0x9):"},
      {"barrier_reply", BarrierReply{}, "OFPT_BARRIER_REPLY (OF1.3) (xid=0x9):"},
      {"role_request", RoleRequest{Role::master, 5},
       "OFPT_ROLE_REQUEST (OF1.3) (xid=0x9): role=primary generation_id=5"},
      {"role_reply", RoleReply{Role::slave, 6},
       "OFPT_ROLE_REPLY (OF1.3) (xid=0x9): role=secondary generation_id=6"},
      {"get_async_request", GetAsyncRequest{}, "OFPT_GET_ASYNC_REQUEST (OF1.3) (xid=0x9):"},
      {"get_async_reply", GetAsyncReply{{{1, 0}, {7, 7}, {0, 0}}},
       "OFPT_GET_ASYNC_REPLY (OF1.3) (xid=0x9):\n primary:\n       PACKET_IN: no_match\n     "
       "PORT_STATUS: add delete modify\n    FLOW_REMOVED: (off)\n     ROLE_STATUS: (off)\n    "
       "TABLE_STATUS: (off)\n  REQUESTFORWARD: (off)\n\n secondary:\n       PACKET_IN: (off)\n     "
       "PORT_STATUS: add delete modify\n    FLOW_REMOVED: (off)\n     ROLE_STATUS: (off)\n    "
       "TABLE_STATUS: (off)\n  REQUESTFORWARD: (off)"},
      {"set_async", SetAsync{{{1, 0}, {7, 7}, {0, 0}}},
       "OFPT_SET_ASYNC (OF1.3) (xid=0x9):\n primary:\n       PACKET_IN: no_match\n     "
       "PORT_STATUS: add delete modify\n    FLOW_REMOVED: (off)\n     ROLE_STATUS: (off)\n    "
       "TABLE_STATUS: (off)\n  REQUESTFORWARD: (off)\n\n secondary:\n       PACKET_IN: (off)\n     "
       "PORT_STATUS: add delete modify\n    FLOW_REMOVED: (off)\n     ROLE_STATUS: (off)\n    "
       "TABLE_STATUS: (off)\n  REQUESTFORWARD: (off)"},
      {"bundle_open", BundleControl{1, BundleStep::open},
       "ONFT_BUNDLE_CONTROL (OF1.3) (xid=0x9):\n bundle_id=0x1 type=OPEN_REQUEST flags=atomic "
       "ordered"},
      {"bundle_committed", BundleControl{1, BundleStep::committed},
       "ONFT_BUNDLE_CONTROL (OF1.3) (xid=0x9):\n bundle_id=0x1 type=COMMIT_REPLY flags=atomic "
       "ordered"},
      {"bundle_add", BundleAdd{1, kAtomic | kOrdered, inner_flow()},
       "ONFT_BUNDLE_ADD_MESSAGE (OF1.3) (xid=0x9):\n bundle_id=0x1 flags=atomic "
       "ordered\nOFPT_FLOW_MOD (OF1.3) (xid=0x9): ADD table:1 "
       "priority=100,dl_vlan=10,dl_vlan_pcp=5,dl_src=02:00:00:00:00:00/"
       "03:00:00:00:00:00,dl_dst=02:00:00:01:00:00/03:00:00:ff:00:00 actions=output:7"},
  };
}

class OfpPrint : public ::testing::TestWithParam<Case> {};

TEST_P(OfpPrint, ReadsWhatEbbWrites) {
  if (!has_ovs_ofctl()) GTEST_SKIP() << "no ovs-ofctl";
  EXPECT_EQ(printed({9, GetParam().body}), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Messages, OfpPrint, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ebb::openflow
