// SPDX-License-Identifier: Apache-2.0
//
// Processes around a fabric: programs that make its parts (several at a time), its daemons, the
// lock that admits one maker at a time, and the removal of everything that a manifest names.
#pragma once

#include "ebb/core/process.hpp"
#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"

#include <string>
#include <vector>

namespace ebb::testbed {

struct Step {
  std::vector<std::string> words;
  ChildOptions options = {};
  std::string space = {};  // the network namespace that it runs in; empty: ours
};

// All of them, whatever becomes of one; nothing runs any more when this returns. The first that
// failed is told, with what it said.
[[nodiscard]] Result<void> run_all(const std::vector<Step>& steps);

// The running daemons of a fabric, found by what they are: a program of Open vSwitch, or an
// agent of a switch, that was told to keep its process id inside the fabric's folder. So none is
// missed, whenever `up` was killed, and a number that now belongs to another process is never
// signalled.
//
// Each as a descriptor of the process: it stays the same process, whatever becomes of its number.
[[nodiscard]] std::vector<UniqueFd> find_daemons(const std::string& folder);

// Of one switch, at once and without a word, as when its power fails: its database and its bridge.
[[nodiscard]] Result<void> kill_switch_daemons(const std::string& device_folder);

// Politely, then not. Nothing is left when it succeeds.
[[nodiscard]] Result<void> end_daemons(const std::string& folder);

// One at a time on a fabric. The lock is held by this process and by every program it has started
// for a step (`ip`, `tc`, `ovs-vsctl`), because they inherit the open file. So when `up` is killed
// the lock is free only after the last of them has ended: nothing is made after `down` has begun.
// Daemons do not inherit it.
//
// Waits for the holder, but not for ever.
[[nodiscard]] Result<UniqueFd> lock_fabric(const std::string& name, const StateFolder& state);

// Removes what a manifest names. The caller holds the lock. The folder goes last, so that this can
// be done again when it was interrupted.
[[nodiscard]] Result<void> remove_fabric(const Manifest& manifest, const StateFolder& state);

// The folder of a fabric of which nothing had been made.
[[nodiscard]] Result<void> remove_bare_folder(const std::string& name, const StateFolder& state);

}  // namespace ebb::testbed
