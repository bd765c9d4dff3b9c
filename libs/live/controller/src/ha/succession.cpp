// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/succession.hpp"

#include <algorithm>

namespace ebb::controller {

Succession::Succession(std::string folder, std::string fabric)
    : folder_(std::move(folder)),
      fabric_(std::move(fabric)),
      lease_(folder_ + "/lease", kPatience),
      waiting_room_(folder_ + "/standby") {}

void Succession::heard(std::uint64_t generation) {
  generation_ = std::max(generation_, generation);
}

Result<Recalled> Succession::begin_term(WallTime now) {
  Recalled recalled = recall(folder_, fabric_, now);
  generation_ = std::max(generation_, recalled.newest) + 1;
  Memory mine{generation_, recalled.memory.links};
  if (auto begun = begin(mine, folder_, fabric_, now); !begun) return fail(begun.error());
  forget_older(folder_, recalled, generation_);
  return recalled;
}

Result<void> Succession::remember(std::map<std::string, controller::LinkMemory> links,
                                  WallTime now) const {
  if (!lease_.is_ours()) return {};
  return controller::remember({generation_, std::move(links)}, folder_, fabric_, now);
}

}  // namespace ebb::controller
