// SPDX-License-Identifier: Apache-2.0
//
// Deals out the values of a field among links by its low bits: one masked rule for each link, which
// together match every value exactly once. With as many values as links each link gets one; else
// the shares differ by a factor of about two at most, because a mask can only halve.
#pragma once

#include "ebb/forwarding/table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::forwarding {

// For values 0 .. values-1 of the field. As many matches as links, or as values when these are
// fewer; ascending by value.
[[nodiscard]] std::vector<Match> deal(const Field& field, std::uint64_t values, std::size_t links);

// The link whose match an address has; the matches are in the order of the links.
[[nodiscard]] topology::ChannelId dealt(std::span<const Match> matches,
                                        std::span<const topology::ChannelId> links,
                                        Address address);

}  // namespace ebb::forwarding
