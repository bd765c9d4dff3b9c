// SPDX-License-Identifier: Apache-2.0
//
// Tables with detours: every rule for frames of other switches becomes two, one for unmarked
// frames, which gives way to the detour of its output, and one for marked frames, which never does
// and sends them in a higher class. A rule for both could not leave marked frames alone: a switch's
// group of two ports does not look at the mark again.
#pragma once

#include "way.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::forwarding {

// For each output that some rule names, if it has one.
[[nodiscard]] std::vector<Detour> detours_for(const Way& way, std::uint32_t at,
                                              const Layers& layers);

// Of the rules for other switches. Where marked frames bounce, that goes before all rules upwards.
[[nodiscard]] Layers marked_and_unmarked(const Way& way, const Table& table, const Layers& layers);

// The class of a marked frame: at most the highest that there is.
[[nodiscard]] std::uint8_t shifted(std::uint8_t cos, std::uint8_t shift);

// Whether an output is the way back for one that bounces.
[[nodiscard]] bool goes_up(std::span<const Rule> bounces, ChannelId output);

void make_unconditional(Layers& layers);

}  // namespace ebb::forwarding
