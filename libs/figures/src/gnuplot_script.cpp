// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_marks.hpp"
#include "gnuplot_text.hpp"

#include "ebb/figures/gnuplot.hpp"

#include <fmt/format.h>

namespace ebb::figures {
namespace {

constexpr std::size_t kTitleWidth = 72;  // characters that fit over the drawing

std::string terminal(Format format) {
  switch (format) {
    case Format::svg:
      return fmt::format(
          "svg size {},{} enhanced font 'Helvetica,Arial,sans-serif,13' background rgb 'white'",
          kWidth, kHeight);
    case Format::png:
      return fmt::format("pngcairo size {},{} enhanced font 'sans,20' linewidth {} pointscale {}",
                         kWidth * kPngScale, kHeight * kPngScale, kPngScale, kPngScale);
    case Format::pdf:
      return "pdfcairo size 6.4in,4.2in enhanced font 'sans,12'";
  }
  return "";
}

std::string axis_lines(char name, const Axis& axis) {
  std::string lines = fmt::format("set {}label {} noenhanced\n", name, quoted(axis_text(axis)));
  if (axis.log) lines += fmt::format("set logscale {0}\nset format {0} '10^{{%T}}'\n", name);
  return lines;
}

std::string looks() {
  return "set border 3\n"
         "set tics nomirror out\n"
         "set grid ytics linecolor rgb '#cccccc' linewidth 1 dashtype 1\n"
         "set key below Left reverse noenhanced spacing 1.2\n"
         "set errorbars 1.5\n";
}

}  // namespace

std::optional<Format> format_of(std::string_view extension) {
  if (extension == "svg") return Format::svg;
  if (extension == "png") return Format::png;
  if (extension == "pdf") return Format::pdf;
  return std::nullopt;
}

std::string gnuplot_script(const Figure& figure, Format format) {
  std::string script = fmt::format("set terminal {}\nset encoding utf8\n", terminal(format));
  script += fmt::format("set title {} noenhanced\n", quoted_lines(figure.title, kTitleWidth));
  script += axis_lines('x', figure.x) + axis_lines('y', figure.y) + looks();
  const bool bars = figure.kind == Kind::bars || figure.kind == Kind::stacked_bars;
  const Marks marks = bars ? bar_marks(figure) : line_marks(figure);
  script += marks.settings + marks.data + "plot";
  for (std::size_t i = 0; i < marks.plots.size(); ++i)
    script += (i == 0 ? " \\\n  " : ", \\\n  ") + marks.plots[i];
  return script + "\n";
}

}  // namespace ebb::figures
