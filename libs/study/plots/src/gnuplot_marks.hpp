// SPDX-License-Identifier: Apache-2.0
//
// The part of a script that depends on the kind of figure: its data and what the plot command
// draws of them.
#pragma once

#include "ebb/plots/figure.hpp"

#include <string>
#include <vector>

namespace ebb::plots {

struct Marks {
  std::string settings;            // ranges and tics
  std::string data;                // data blocks
  std::vector<std::string> plots;  // elements of the plot command
};

[[nodiscard]] Marks line_marks(const Figure& figure);
[[nodiscard]] Marks bar_marks(const Figure& figure);

// Lines of text that the labels of the x axis take.
[[nodiscard]] std::size_t label_lines(const Figure& figure);

// A horizontal line for each level of the figure.
void add_levels(const Figure& figure, Marks& marks);

}  // namespace ebb::plots
