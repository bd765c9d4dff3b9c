// SPDX-License-Identifier: Apache-2.0
//
// Controllers of one fabric that share a folder: one leads, others wait. Each term of a leader has
// a generation that is newer than all before, which switches compare; see lease.hpp and memory.hpp.
#pragma once

#include "ebb/controller/ha/lease.hpp"
#include "ebb/controller/ha/memory.hpp"
#include "ebb/controller/ha/waiting_room.hpp"

#include <map>
#include <string>

namespace ebb::controller {

// A leader that has not stirred for so long hangs, and is passed over.
inline constexpr std::chrono::seconds kPatience{2};

class Succession {
 public:
  Succession(std::string folder, std::string fabric);

  [[nodiscard]] Lease& lease() { return lease_; }
  [[nodiscard]] WaitingRoom& waiting_room() { return waiting_room_; }

  // A generation that a switch has seen: the next term is newer.
  void heard(std::uint64_t generation);
  // The lease is ours: a new generation begins, with what the last leader left.
  [[nodiscard]] Result<Recalled> begin_term(WallTime now);
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  // For the next leader. Nothing is written when the lease is no longer ours.
  [[nodiscard]] Result<void> remember(std::map<std::string, controller::LinkMemory> links,
                                      WallTime now) const;

 private:
  std::string folder_;
  std::string fabric_;
  Lease lease_;
  WaitingRoom waiting_room_;
  std::uint64_t generation_ = 0;
};

}  // namespace ebb::controller
