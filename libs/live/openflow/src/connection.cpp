// SPDX-License-Identifier: Apache-2.0
#include "ebb/openflow/connection.hpp"

#include "bundle.hpp"
#include "operations.hpp"

namespace ebb::openflow {

using openflow::AsyncMasks;
using openflow::BarrierRequest;
using openflow::Description;
using openflow::DescriptionRequest;
using openflow::FlowEntry;
using openflow::FlowStats;
using openflow::FlowStatsRequest;
using openflow::GroupEntry;
using openflow::Groups;
using openflow::GroupsRequest;
using openflow::PacketOut;
using openflow::Port;
using openflow::PortCounters;
using openflow::PortMod;
using openflow::Ports;
using openflow::PortsRequest;
using openflow::PortStats;
using openflow::PortStatsRequest;
using openflow::Role;
using openflow::RoleReply;
using openflow::RoleRequest;
using openflow::SetAsync;

namespace {

using AllPorts = InParts<Ports, Port, &Ports::ports>;
using AllCounters = InParts<PortStats, PortCounters, &PortStats::ports>;
using AllFlows = InParts<FlowStats, FlowEntry, &FlowStats::flows>;
using AllGroups = InParts<Groups, GroupEntry, &Groups::groups>;

void ask_confirmed(Exchange& exchange, const Body& body, const Then<void>& then) {
  const std::uint32_t first = exchange.reserve(2);
  exchange.begin(first, 2, std::make_shared<Confirmed>(then));
  // Messages of this kind have one size, which fits.
  (void)exchange.send(first, body);
  (void)exchange.send(first + 1, BarrierRequest{});
}

}  // namespace

Connection::Connection(transport::Loop& loop, transport::Stream stream, Timing timing,
                       ConnectionEvents events)
    : exchange_(std::make_shared<Exchange>(loop, std::move(stream), timing, std::move(events))) {
  exchange_->start();
}

Connection::~Connection() { exchange_->shut(); }

void Connection::install(const std::vector<Body>& messages, const Then<void>& then) {
  Bundle::start(exchange_, messages, then);
}

void Connection::ports(const Then<std::vector<Port>>& then) {
  exchange_->ask(PortsRequest{}, std::make_shared<AllPorts>(then));
}

void Connection::port_stats(std::uint32_t port, const Then<std::vector<PortCounters>>& then) {
  exchange_->ask(PortStatsRequest{port}, std::make_shared<AllCounters>(then));
}

void Connection::flow_stats(const FlowStatsRequest& which,
                            const Then<std::vector<FlowEntry>>& then) {
  exchange_->ask(which, std::make_shared<AllFlows>(then));
}

void Connection::groups(const Then<std::vector<GroupEntry>>& then) {
  exchange_->ask(GroupsRequest{}, std::make_shared<AllGroups>(then));
}

void Connection::description(const Then<Description>& then) {
  exchange_->ask(DescriptionRequest{}, std::make_shared<OneReply<Description>>(then));
}

void Connection::port_mod(const PortMod& mod, const Then<void>& then) {
  ask_confirmed(*exchange_, mod, then);
}

void Connection::set_async(const AsyncMasks& masks, const Then<void>& then) {
  ask_confirmed(*exchange_, SetAsync{masks}, then);
}

void Connection::role(Role role, std::uint64_t generation, const Then<RoleReply>& then) {
  exchange_->ask(RoleRequest{role, generation}, std::make_shared<OneReply<RoleReply>>(then));
}

void Connection::barrier(const Then<void>& then) {
  exchange_->ask(BarrierRequest{}, std::make_shared<Confirmed>(then));
}

void Connection::packet_out(const PacketOut& packet) {
  (void)exchange_->send(exchange_->reserve(1), packet);
}

}  // namespace ebb::openflow
