// SPDX-License-Identifier: Apache-2.0
// Of which switches this controller is MASTER, and what follows when switches deny it.

#include "peer_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::drivers {

using transport::Clock;

namespace {

constexpr transport::BackOff kQuarantine{.first = std::chrono::seconds(5),
                                         .longest = std::chrono::seconds(60)};
// A switch that has obeyed for so long is quarantined as briefly as the first time.
constexpr auto kForgiven = std::chrono::minutes(10);
// Switches compare generations by their difference as a signed number. A switch that claims to have
// seen a later one than this would make the next leader's generation stale at all others.
constexpr std::uint64_t kLastGeneration = (std::uint64_t{1} << 62U) - 1;

}  // namespace

// A standby controller connects to every switch in the SLAVE role and sends no orders. A leader is
// MASTER of a switch before it writes to it.
void LiveFabric::settle(PeerSession& peer) {
  if (!generation_) {
    return request_slave(*peer.connection,
                         [this](std::uint64_t generation) { learn_generation(generation); });
  }
  if (!options_.writes) return join(peer, peer.device);
  if (const auto denial = denials_.find(peer.device);
      denial != denials_.end() && denial->second.counts()) {
    peer.held = true;
    return;
  }
  request_master(
      *peer.connection, *generation_, [this, &peer](RoleReplyKind how, std::uint64_t generation) {
        learn_generation(generation);
        peer.is_master = how == RoleReplyKind::master;
        peer.silent = how == RoleReplyKind::unanswered;
        if (how == RoleReplyKind::master || how == RoleReplyKind::no_roles)
          return join(peer, peer.device);
        if (how == RoleReplyKind::unanswered) return;
        const topology::Graph& graph = description_.graph;
        const std::string name = graph.name(graph.switch_node(peer.device));
        deny(peer.device, how,
             how == RoleReplyKind::denied ? name + " does not take this controller as MASTER"
                                          : fmt::format("{} has seen generation {}, and ours is {}",
                                                        name, generation, *generation_));
      });
}

void LiveFabric::learn_generation(std::uint64_t generation) {
  if (generation <= kLastGeneration) newest_ = std::max(newest_, generation);
}

// A switch that was slow once has no reason to connect again, and would stay away for ever. So
// would one that connected while it was quarantined.
void LiveFabric::retry_master_requests() {
  for (std::size_t i = 0; i < peers_.size() && options_.writes; ++i) {
    PeerSession& peer = *peers_[i];
    if (peer.gone) continue;
    const bool was_held = std::exchange(peer.held, false);
    if (std::exchange(peer.silent, false) || was_held) settle(peer);
  }
}

void LiveFabric::lose_mastership(RoleReplyKind how, const std::string& why) {
  if (!std::exchange(options_.writes, false)) return;
  mastership_lost_(how, why);
}

// OpenFlow 1.3 does not tell a controller that another one has become MASTER.
void LiveFabric::ask_roles() {
  quarantine_deniers();
  for (const auto& [device, here] : members_) {
    if (!here->is_master || !options_.writes) continue;
    query_role(*here->connection,
               [this, device = device](bool is_master, std::uint64_t generation) {
                 learn_generation(generation);
                 if (is_master) return;
                 const topology::Graph& graph = description_.graph;
                 deny(device, RoleReplyKind::denied,
                      "another controller is MASTER of " + graph.name(graph.switch_node(device)));
               });
  }
}

std::size_t LiveFabric::deniers() const {
  return static_cast<std::size_t>(std::count_if(
      denials_.begin(), denials_.end(), [](const auto& denial) { return denial.second.counts(); }));
}

// One switch may lie, or may have been taken by somebody who knows nothing of leases. A controller
// that took over has done so at all of them.
void LiveFabric::deny(std::uint32_t device, RoleReplyKind how, const std::string& why) {
  if (!options_.writes) return;
  Denial& denial = denials_[device];
  if (denial.counts()) return;
  denial.how = how;
  denial.why = why;
  denial.is_new = true;
  if (2 * deniers() <= description_.graph.switch_count()) return;
  // When all of them have only seen a newer generation, a term with a newer one takes them back.
  const bool all_stale = std::all_of(denials_.begin(), denials_.end(), [](const auto& one) {
    return !one.second.counts() || one.second.how == RoleReplyKind::stale;
  });
  lose_mastership(all_stale ? RoleReplyKind::stale : RoleReplyKind::denied, why);
}

// Not at once: when another controller takes over, the switches say so one after the other within
// milliseconds, and nothing is to be ordered because of the first of them.
void LiveFabric::quarantine_deniers() {
  if (!options_.writes) return;
  const topology::Graph& graph = description_.graph;
  for (auto& [device, denial] : denials_) {
    if (!std::exchange(denial.is_new, false)) continue;
    const auto now = Clock::now();
    if (now - denial.until > kForgiven) denial.times = 0;
    const auto pause = transport::pause_after(kQuarantine, ++denial.times);
    denial.until = now + pause;
    const std::string name = graph.name(graph.switch_node(device));
    report_({"switch_quarantined", name,
             fmt::format("{} is quarantined for {} s: {}. {} of {} switches say so, and more than "
                         "half would end this term",
                         name, std::chrono::duration_cast<std::chrono::seconds>(pause).count(),
                         denial.why, deniers(), graph.switch_count())});
    disconnect(device, "it is quarantined");
  }
}

void LiveFabric::disconnect(std::uint32_t device, const std::string& why) {
  for (const auto& peer : peers_) {
    if (peer->gone || !peer->identified || peer->device != device) continue;
    peer->open_flow.reset();
    peer->connection.reset();
    return went(*peer, why);
  }
}

}  // namespace ebb::drivers
