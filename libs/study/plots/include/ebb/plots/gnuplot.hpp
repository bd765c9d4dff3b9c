// SPDX-License-Identifier: Apache-2.0
//
// Draws figures with gnuplot, a program that is needed only here and only when it is called. It is
// started without a shell, reads the script from a file that has no name, and writes nothing but
// the drawing. The same figure gives the same bytes with the same version of gnuplot and, for PNG
// and PDF, the same fonts.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/figure.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::plots {

enum class Format : std::uint8_t { svg, png, pdf };

// PNG is drawn at twice the size of SVG.
inline constexpr int kWidth = 640;
inline constexpr int kLeastHeight = 420;
inline constexpr int kPngScale = 2;
[[nodiscard]] int height_of(const Figure& figure);  // grows with the legend

[[nodiscard]] std::optional<Format> format_of(std::string_view extension);  // "svg"

// The whole script with its data in it, for researchers who want to edit it: `gnuplot FILE` writes
// the drawing to standard output.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, Format format);

// The bytes of the drawing.
[[nodiscard]] Result<std::string> draw(const Figure& figure, Format format);

// Whether the program that draw() starts is there.
[[nodiscard]] bool gnuplot_found();
inline constexpr std::string_view kGnuplotMissing =
    "gnuplot is not installed (Debian: gnuplot-nox), and figures are drawn by it";

}  // namespace ebb::plots
