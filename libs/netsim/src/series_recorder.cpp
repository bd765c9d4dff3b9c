// SPDX-License-Identifier: Apache-2.0
#include "series_recorder.hpp"

#include <utility>

namespace ebb::netsim {
namespace {

using topology::ChannelId;

// Numbered as the ledger's states are (meters.cpp).
std::uint8_t numbered(policy::State state) {
  if (state.changing) return 1;
  return state.mode == policy::Mode::asleep ? 0 : static_cast<std::uint8_t>(index(state.step) + 2);
}

}  // namespace

SeriesRecorder::SeriesRecorder(Network& network, std::uint32_t channels, Duration every)
    : network_(network), frame_end_(network.now() + every) {
  series_.every = every;
  series_.channels = channels;
  for (std::uint32_t c = 0; c < channels; ++c) before_.push_back(counters(c));
}

SeriesRecorder::Counters SeriesRecorder::counters(std::uint32_t channel) {
  return {network_.use(ChannelId{channel}), network_.channel_energy(ChannelId{channel})};
}

void SeriesRecorder::run_until(TimePoint end) {
  while (frame_end_ <= end) {
    network_.run_until(frame_end_);
    close_frame();
  }
  network_.run_until(end);
}

void SeriesRecorder::close_frame() {
  for (std::uint32_t c = 0; c < series_.channels; ++c) {
    const Counters now = counters(c);
    series_.busy.push_back(now.use.busy - before_[c].use.busy);
    series_.sent.push_back(now.use.sent - before_[c].use.sent);
    series_.energy.push_back(now.energy - before_[c].energy);
    series_.queued.push_back(network_.queued(ChannelId{c}));
    series_.states.push_back(numbered(network_.state(ChannelId{c})));
    before_[c] = now;
  }
  series_.ends.push_back(network_.now());
  frame_end_ = network_.now() + series_.every;
}

Series SeriesRecorder::finish() && {
  if (network_.now() > frame_end_ - series_.every) close_frame();
  return std::move(series_);
}

}  // namespace ebb::netsim
