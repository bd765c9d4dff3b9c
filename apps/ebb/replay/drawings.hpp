// SPDX-License-Identifier: Apache-2.0
//
// Drawings of a replay, as SVG within a page: drawn here and not by gnuplot, because the page must
// stand by itself and follow the reader's colours.
#pragma once

#include "replay/output.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace ebb::cli {

// Watts by the hour of the day: all links awake, and every policy with its lowest and highest day.
[[nodiscard]] std::string watts_drawing(const Replayed& replayed);
// Links over time, those that slept longest first, as many as a page takes: the darker, the longer
// a link slept. Empty when none did.
[[nodiscard]] std::string sleep_drawing(const Replayed& replayed, const replay::PolicyRun& run);
// How many links it shows, and how many slept at all.
struct Shown {
  std::size_t rows = 0;
  std::size_t slept = 0;
};
[[nodiscard]] Shown shown_rows(const replay::PolicyRun& run);

// Words as they stand in a page: names of a file may have any letters.
[[nodiscard]] std::string escaped(std::string_view words);

}  // namespace ebb::cli
