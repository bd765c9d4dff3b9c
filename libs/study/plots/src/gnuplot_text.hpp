// SPDX-License-Identifier: Apache-2.0
//
// Words in the language of gnuplot.
#pragma once

#include "ebb/plots/figure.hpp"

#include <string>
#include <string_view>

namespace ebb::plots {

// Between single quotes gnuplot knows no escapes, no commands and no variables. A quote in the text
// becomes an apostrophe (gnuplot would take two of them for the end at some places), a control
// character a blank.
[[nodiscard]] std::string quoted(std::string_view text);

// The same broken at blanks into lines of about `width` characters.
[[nodiscard]] std::string quoted_lines(std::string_view text, std::size_t width);

[[nodiscard]] std::size_t lines_of(std::string_view text, std::size_t width);

// "offered load (%)", with the micro sign where units spell it "u".
[[nodiscard]] std::string axis_text(const Axis& axis);

// Four significant digits and separators between thousands: "1,147", "34.47".
[[nodiscard]] std::string short_number(double number);

}  // namespace ebb::plots
