// SPDX-License-Identifier: Apache-2.0
//
// What a leader leaves to the next one, on disk: FOLDER/memory.G.json, where G is the generation.
// Each leader writes its own file, so one that does not know yet that it has been replaced spoils
// nothing. Written in one step, and on disk before the call returns: a reader finds the old file
// or the new one, also after the machine lost its power.
#pragma once

#include "ebb/controller/link_memory.hpp"
#include "ebb/core/result.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace ebb::controller {

// Of this machine and others: transitions are counted by the hour, a few ms do not matter.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

struct Memory {
  std::uint64_t generation = 0;
  std::map<std::string, controller::LinkMemory> links;  // by name; others are as if never touched

  bool operator==(const Memory&) const = default;
};

struct Recalled {
  Memory memory;             // of the newest file that can be believed; empty when there is none
  std::uint64_t newest = 0;  // generation that a file has in its name, whatever is in it
  Errors problems;           // files that cannot be believed
};

// A clock that went backwards makes changes younger, never older, than they are.
[[nodiscard]] Recalled recall(const std::string& folder, const std::string& fabric, WallTime now);

// Begins a generation: an error when there is such a file, because somebody else began it.
[[nodiscard]] Result<void> begin(const Memory& memory, const std::string& folder,
                                 const std::string& fabric, WallTime now);
// Writes it again.
[[nodiscard]] Result<void> remember(const Memory& memory, const std::string& folder,
                                    const std::string& fabric, WallTime now);
// Removes older generations. What could not be believed is kept as memory.G.json.bad.
void forget_older(const std::string& folder, const Recalled& recalled, std::uint64_t than);

}  // namespace ebb::controller
