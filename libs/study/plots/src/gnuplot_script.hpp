// SPDX-License-Identifier: Apache-2.0
//
// The part of a script that depends on the kind of figure: its data and what the plot command
// draws of them.
#pragma once

#include "ebb/plots/figure.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::plots {

struct Marks {
  std::string settings;            // ranges and tics
  std::string data;                // data blocks
  std::vector<std::string> plots;  // elements of the plot command
};

[[nodiscard]] Marks line_marks(const Figure& figure);
[[nodiscard]] Marks bar_marks(const Figure& figure);

// What the legend says, entry by entry; each is broken into lines that fit into the picture.
[[nodiscard]] std::vector<std::string> legend_labels(const Figure& figure);
[[nodiscard]] std::vector<std::string> legend_lines(const std::string& label);

// `element` of the plot command under the label. Lines after the first are entries of their own
// with nothing drawn before them: gnuplot gives an entry the room of one line.
void add_titled(const std::string& element, const std::string& label, Marks& marks);

// Lines of text that the labels of the x axis take.
[[nodiscard]] std::size_t label_lines(const Figure& figure);

// A horizontal line for each level of the figure.
void add_levels(const Figure& figure, Marks& marks);

// Words in the language of gnuplot.

// Between single quotes gnuplot knows no escapes, no commands and no variables. A quote in the text
// becomes an apostrophe (gnuplot would take two of them for the end at some places), a control
// character a blank.
[[nodiscard]] std::string quoted(std::string_view text);

// At blanks, into pieces of at most `width` characters where the words allow it.
[[nodiscard]] std::vector<std::string_view> broken(std::string_view text, std::size_t width);

// The same as one text of several lines.
[[nodiscard]] std::string quoted_lines(std::string_view text, std::size_t width);

[[nodiscard]] std::size_t lines_of(std::string_view text, std::size_t width);

// "offered load (%)", with the micro sign where units spell it "u".
[[nodiscard]] std::string axis_text(const Axis& axis);

// Four significant digits and separators between thousands: "1,147", "34.47".
[[nodiscard]] std::string short_number(double number);

// Colours that people with any colour vision tell apart, and that differ in brightness or shape so
// that a black-and-white print does too.

// Of the i-th line: colour (Okabe and Ito's set), dash and shape of its points.
[[nodiscard]] std::string line_style(std::size_t i);

// Of the i-th of n bars side by side, dark and bright in turn.
[[nodiscard]] std::string bar_style(std::size_t i);

// Of the i-th of n layers: from dark to bright as in the cividis map.
[[nodiscard]] std::string layer_style(std::size_t i, std::size_t n);

}  // namespace ebb::plots
