// SPDX-License-Identifier: Apache-2.0
//
// What a link-power policy saves on a design in a year: energy at the meter, money, carbon dioxide.
// The share of the links' power that it saves comes from one of two sources, and the answer says
// from which:
//   - break-even: the idle gaps of the hosts' links (libs/study/breakeven), taken for all links.
//     It takes seconds, whatever the size. Links between switches have other gaps: shorter where
//     many hosts share one, longer where a switch chooses among parallel ones. Only for policies
//     that look at one channel alone.
//   - packet: a short packet simulation of the design.
// Only the links of switches are looked at: network cards and modules draw what they did.
//
//   const auto share = link_saving(question, design, inputs, library);
//   const Year year = year_of(design, inputs, library, *share);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/plan/design.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::savings {

enum class Basis : std::uint8_t { breakeven, packet };
[[nodiscard]] std::string_view to_text(Basis basis);

struct Question {
  files::Named policy;
  files::Named workload;       // a workload or an injection; an injection sends to random hosts
  std::optional<Basis> basis;  // none: break-even for the policies that it knows
  // How long to look at the links of hosts, or to simulate before and while it is measured. None:
  // as long as a link takes to carry 1 GB, at most an hour; 200 us.
  std::optional<Duration> time;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> threads;  // of the packet simulation; none: one
};

// The share of the links' power that the policy saves.
struct LinkSaving {
  Basis basis = Basis::breakeven;
  std::string workload;    // with every parameter
  std::string rate_table;  // that the links follow
  double load = 0;         // of a host's link
  double saved = 0;        // 0 to 1
  // Added to a message on average; a short simulation does not say.
  std::optional<Duration> delay;
  // Of a simulation that was too short for its messages to say more: how long they need.
  std::optional<Duration> needed;
  bool saturated = false;  // of a simulation: less arrived than was offered
};

// Whether break-even has a rule for the policy as it is set.
[[nodiscard]] bool known_to_breakeven(const files::Named& policy);

// Refuses a switch without a rate table, policies and workloads that ebb does not know, a policy
// that needs a state which the rate table does not have, and threads where nothing is simulated.
[[nodiscard]] Result<LinkSaving> link_saving(const Question& question, const plan::Design& design,
                                             const plan::Inputs& inputs,
                                             const power::Library& library);

// Of a year with 8,760 hours. Energy, money and mass are at the meter of the facility: PUE
// included, and of what the wall saves where the switch part names a power supply.
struct Year {
  Power links;  // of the switches, always on
  Power saved;
  std::optional<Power> saved_at_wall;
  Energy energy;
  Money money;
  Mass carbon;
};

[[nodiscard]] Result<Year> year_of(const plan::Design& design, const plan::Inputs& inputs,
                                   const power::Library& library, const LinkSaving& share);

}  // namespace ebb::savings
