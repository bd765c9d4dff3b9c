// SPDX-License-Identifier: Apache-2.0
//
// Looks at a network at the end of each frame. It has counters of its own: neither the network nor
// the samples of its policy notice.
#pragma once

#include "ebb/netsim/network.hpp"
#include "ebb/netsim/series.hpp"

#include <cstdint>
#include <vector>

namespace ebb::netsim {

class SeriesRecorder {
 public:
  // From now on; the meters of the network have been started.
  SeriesRecorder(Network& network, Duration every);

  // As Network::run_until, stopping on the way where frames end.
  void run_until(TimePoint end);
  // Closes a frame that has begun. On ranks other than 0 only their own channels are filled in.
  [[nodiscard]] Series finish() &&;

 private:
  void close_frame();

  Network& network_;
  TimePoint frame_end_;
  std::vector<Network::Look> before_;  // by channel, at the beginning of the frame
  Series series_;
};

}  // namespace ebb::netsim
