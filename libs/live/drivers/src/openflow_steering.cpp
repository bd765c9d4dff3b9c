// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/openflow_steering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::drivers {

using forwarding::PortNumber;
using openflow::Bucket;
using openflow::GroupEntry;
using openflow::Reply;
using topology::ChannelId;

namespace {

std::string no_port(PortNumber port) { return fmt::format("there is no port {}", port); }

std::set<PortNumber> live_of(const std::vector<openflow::Port>& ports) {
  std::set<PortNumber> live;
  for (const openflow::Port& port : ports) {
    const bool up = (port.state & openflow::kLinkDown) == 0;
    if (up && (port.config & openflow::kPortDown) == 0) live.insert(port.number);
  }
  return live;
}

// Groups that a bucket watches send frames back where they came from, which is always possible.
bool is_live(const Bucket& bucket, const std::set<PortNumber>& live) {
  return bucket.watch_group != openflow::group::kAny || live.contains(bucket.watch_port);
}

bool sends_by(const Bucket& bucket, PortNumber port) {
  return std::any_of(bucket.actions.begin(), bucket.actions.end(), [&](const auto& action) {
    const auto* output = std::get_if<openflow::Output>(&action);
    return output != nullptr && output->port == port;
  });
}

}  // namespace

bool is_in_use(std::span<const GroupEntry> groups, const std::set<PortNumber>& live,
               PortNumber port) {
  bool has_group = false;
  for (const GroupEntry& group : groups) {
    has_group = has_group || group.group == port;
    const auto taken = std::find_if(group.buckets.begin(), group.buckets.end(),
                                    [&](const Bucket& bucket) { return is_live(bucket, live); });
    if (taken != group.buckets.end() && sends_by(*taken, port)) return true;
  }
  return !has_group && live.contains(port);
}

OpenFlowSteering::OpenFlowSteering(openflow::Connection& connection, const topology::Graph& graph,
                                   const forwarding::Table& table, FailoverState state)
    : connection_(connection), graph_(graph), table_(table), state_(std::move(state)) {}

std::optional<ChannelId> OpenFlowSteering::output_at(PortNumber port) const {
  return forwarding::output_at(graph_, table_.of_switch, port);
}

void OpenFlowSteering::divert(PortNumber port, bool away, const Done& done) {
  const auto output = output_at(port);
  if (!output) return done(false, no_port(port));
  FailoverState ordered = state_;
  ordered.diverted = [&](ChannelId one) { return one == *output ? away : state_.diverted(one); };
  auto groups = groups_with(graph_, table_, *output, ordered);
  // There is nothing to prefer where there is no detour.
  if (groups.empty()) return done(true, "");
  set_groups(std::move(groups), done);
}

void OpenFlowSteering::look(PortNumber port, const Looked& looked) {
  if (!output_at(port)) return looked(std::nullopt, no_port(port));
  const std::weak_ptr<bool> here = here_;
  connection_.ports([=, this](const Reply<std::vector<openflow::Port>>& ports) {
    if (here.expired()) return;
    if (!ports) return looked(std::nullopt, ports.error().text);
    connection_.groups([=, live = live_of(*ports)](const Reply<std::vector<GroupEntry>>& groups) {
      if (here.expired()) return;
      if (!groups) return looked(std::nullopt, groups.error().text);
      looked(is_in_use(*groups, live, port), "");
    });
  });
}

void OpenFlowSteering::renew(ChannelId output, const Done& done) {
  set_groups(groups_of(graph_, table_, output, state_), done);
}

// All of them or none.
void OpenFlowSteering::set_groups(std::vector<openflow::GroupMod> groups, const Done& done) {
  std::vector<openflow::Body> changes;
  changes.reserve(groups.size());
  for (openflow::GroupMod& group : groups) {
    group.command = openflow::GroupCommand::modify;
    changes.emplace_back(std::move(group));
  }
  const std::weak_ptr<bool> here = here_;
  connection_.install(changes, [=](const Reply<void>& answer) {
    if (!here.expired()) done(answer.has_value(), answer ? "" : answer.error().text);
  });
}

}  // namespace ebb::drivers
