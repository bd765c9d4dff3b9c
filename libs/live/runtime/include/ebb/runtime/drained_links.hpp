// SPDX-License-Identifier: Apache-2.0
//
// Which links and switches are drained, in a folder that outlives a reboot. The persisted state of
// all links lies with the lease in /run, where it is written at every change; an operator's word
// must last longer, and changes rarely enough to be synced to a disk each time.
//
//   DrainedLinks drained("/var/lib/ebb", "tour");      // in /var/lib/ebb/tour/state.G.json
//   drained.add_to(restored, now);                     // what the folder in /run does not know
//   if (auto kept = drained.save(generation, links, now); !kept) ...
#pragma once

#include "ebb/controller/ha/high_availability.hpp"
#include "ebb/core/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ebb::runtime {

class DrainedLinks {
 public:
  using Links = std::map<std::string, controller::PersistedLink>;
  using Switches = std::map<std::string, controller::PersistedSwitch>;

  // An empty folder: nothing is kept.
  DrainedLinks(const std::string& folder, std::string fabric);

  // The newest generation that is known here, so that the next term is newer.
  [[nodiscard]] std::uint64_t newest_generation(controller::WallTime now) const;
  // Adds links to a state that is older, as that of a folder which is empty after a reboot.
  void add_to(controller::RestoredState& restored, controller::WallTime now) const;
  // Of these links those that are drained, and the switches that are. Writes nothing when they are
  // the same as the last time.
  [[nodiscard]] Result<void> save(std::uint64_t generation, const Links& links,
                                  const Switches& switches, controller::WallTime now);

 private:
  std::string folder_;  // of the fabric
  std::string fabric_;
  std::optional<std::string> written_;  // names of what was written last, by this object
};

}  // namespace ebb::runtime
