// SPDX-License-Identifier: Apache-2.0
//
// Which of several legal outputs a packet takes. A kind of selection is a class of its own in
// output_selector.cpp and a line of its list; docs/models/netsim.md describes them.
#pragma once

#include "channel_view.hpp"

#include "ebb/core/random.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/routing/routing.hpp"

#include <cstdint>
#include <memory>

namespace ebb::netsim {

class OutputSelector {
 public:
  OutputSelector() = default;
  OutputSelector(const OutputSelector&) = delete;
  OutputSelector& operator=(const OutputSelector&) = delete;
  virtual ~OutputSelector() = default;

  // There are two candidates or more. `first_vc` is the first virtual channel of the packet's lane;
  // equal ones are drawn from `ties`.
  [[nodiscard]] virtual routing::Candidate select(const routing::Candidates& candidates,
                                                  std::uint8_t first_vc,
                                                  RandomStream& ties) const = 0;
};

// `view` must outlive it. A routing whose candidates are in order of preference decides instead of
// the hardware.
[[nodiscard]] std::unique_ptr<OutputSelector> make_output_selector(const Hardware& hardware,
                                                                   const routing::Routing& routing,
                                                                   ChannelView& view);

}  // namespace ebb::netsim
