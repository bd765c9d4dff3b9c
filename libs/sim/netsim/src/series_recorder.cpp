// SPDX-License-Identifier: Apache-2.0
#include "series_recorder.hpp"

#include <utility>

namespace ebb::netsim {
namespace {

// Numbered as the ledger's states are (meters.cpp).
std::uint8_t numbered(policy::State state) {
  if (state.changing) return 1;
  return state.mode == policy::Mode::asleep ? 0 : static_cast<std::uint8_t>(index(state.step) + 2);
}

}  // namespace

SeriesRecorder::SeriesRecorder(Network& network, Duration every)
    : network_(network), frame_end_(network.now() + every), before_(network.look()) {
  series_.every = every;
  series_.channels = static_cast<std::uint32_t>(before_.size());
}

void SeriesRecorder::run_until(TimePoint end) {
  while (frame_end_ <= end) {
    network_.run_until(frame_end_);
    close_frame();
  }
  network_.run_until(end);
}

void SeriesRecorder::close_frame() {
  std::vector<Network::Look> now = network_.look();
  for (std::size_t c = 0; c < now.size(); ++c) {
    series_.busy.push_back(now[c].use.busy - before_[c].use.busy);
    series_.sent.push_back(now[c].use.sent - before_[c].use.sent);
    series_.energy.push_back(now[c].energy - before_[c].energy);
    series_.queued.push_back(now[c].queued);
    series_.states.push_back(numbered(now[c].state));
  }
  before_ = std::move(now);
  series_.ends.push_back(network_.now());
  frame_end_ = network_.now() + series_.every;
}

Series SeriesRecorder::finish() && {
  if (network_.now() > frame_end_ - series_.every) close_frame();
  return std::move(series_);
}

}  // namespace ebb::netsim
