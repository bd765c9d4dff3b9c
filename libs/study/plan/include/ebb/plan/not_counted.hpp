// SPDX-License-Identifier: Apache-2.0
//
// What a design needs but the plan names no part for, so that it draws nothing there, and which
// part of the library would do. A reader of a sum must know what is not in it.
//
//   for (const NotCounted& missing : not_counted(parts, inputs, library)) ... missing.proposal ...
#pragma once

#include "ebb/plan/inputs.hpp"
#include "ebb/plan/power.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::plan {

// A part of the library that would count a component.
struct Proposal {
  std::string part;
  Power each;
  power::Source source;  // of that power

  bool operator==(const Proposal&) const = default;
};

struct NotCounted {
  std::string component;  // "network cards"
  std::string key;        // of the plan file and the command line that names a part: "nic"
  std::int64_t count = 0;
  std::optional<Proposal> proposal;  // none: the library has nothing of that rate

  [[nodiscard]] Power proposed() const { return proposal ? proposal->each * count : Power{}; }
  bool operator==(const NotCounted&) const = default;
};

// Cards of hosts, and ends of cables. A box whose setup says what a plugged module draws counts its
// own ends; those at hosts are still missing. `inputs` has the rate of a link. The first part of
// the library that has the rate of the plan is proposed.
[[nodiscard]] std::vector<NotCounted> not_counted(const PartsCount& count, const Inputs& inputs,
                                                  const power::Library& library);

}  // namespace ebb::plan
