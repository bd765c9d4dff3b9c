// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/leadership.hpp"

namespace ebb::drivers {
namespace {

using openflow::Answer;
using openflow::Connection;
using openflow::Role;
using openflow::RoleReply;
using openflow::Why;

// What a switch says that has never heard of a generation.
constexpr std::uint64_t kNone = ~std::uint64_t{0};

std::uint64_t known(std::uint64_t generation) { return generation == kNone ? 0 : generation; }

// Packets that a rule sends to the controller and all changes of ports; as slaves, ports alone. On
// a management socket nothing is heard before this.
openflow::AsyncMasks what_we_hear() {
  constexpr std::uint32_t kAll = 7;
  return {.packet_in = {kAll, 0}, .port_status = {kAll, kAll}, .flow_removed = {0, 0}};
}

void answer_outdated(Connection& connection, const Claimed& claimed) {
  connection.role(Role::no_change, 0, [=](const Answer<RoleReply>& now) {
    if (!now) return claimed(Claim::unanswered, 0);
    claimed(Claim::outdated, known(now->generation));
  });
}

}  // namespace

void claim(Connection& connection, std::uint64_t generation, const Claimed& claimed) {
  connection.role(Role::master, generation, [=, &connection](const Answer<RoleReply>& answer) {
    if (!answer && answer.error().why != Why::refused) return claimed(Claim::unanswered, 0);
    if (!answer && answer.error().text.find("stale") != std::string::npos)
      return answer_outdated(connection, claimed);
    const Claim how = answer ? Claim::obeyed : Claim::no_roles;
    connection.set_async(what_we_hear(), [=](const Answer<void>& hears) {
      claimed(!hears && hears.error().why != Why::refused ? Claim::unanswered : how, generation);
    });
  });
}

void stand_by(Connection& connection, const std::function<void(std::uint64_t)>& heard) {
  connection.role(Role::no_change, 0, [=, &connection](const Answer<RoleReply>& now) {
    if (!now) return;
    const std::uint64_t generation = known(now->generation);
    connection.role(Role::slave, generation, [=](const Answer<RoleReply>&) { heard(generation); });
  });
}

void ask_who_leads(Connection& connection, const std::function<void(bool)>& answer) {
  connection.role(Role::no_change, 0, [=](const Answer<RoleReply>& now) {
    if (now) answer(now->role == Role::master);
  });
}

bool obeys_another(const std::string& refusal) {
  return refusal.find("is_slave") != std::string::npos;
}

}  // namespace ebb::drivers
