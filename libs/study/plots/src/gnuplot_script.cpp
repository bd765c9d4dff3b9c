// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_script.hpp"

#include "ebb/core/process.hpp"
#include "ebb/plots/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::plots {
namespace {

constexpr std::size_t kTitleWidth = 72;        // characters that fit over the drawing
constexpr std::size_t kLegendCharacters = 72;  // that gnuplot surely puts on one line of the legend
constexpr std::size_t kSampleCharacters = 10;  // of the line or box before each of its entries
constexpr std::size_t kLabelCharacters = 70;   // of an entry that stands alone on its line
constexpr int kTextLine = 22;

// The legend stands below the drawing, which keeps its height: the figure grows by further lines.
struct Legend {
  std::size_t columns = 1;
  std::size_t lines = 1;
};

Legend legend_of(const Figure& figure) {
  std::size_t entries = 0;
  std::size_t longest = 0;
  for (const std::string& label : legend_labels(figure)) {
    entries += legend_lines(label).size();
    longest = std::max(longest, label.size());
  }
  const std::size_t fit = kLegendCharacters / (longest + kSampleCharacters);
  const std::size_t columns = std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(entries, 1));
  return {columns, (entries + columns - 1) / columns};
}

// Between the drawing and the lower edge, in lines of text: gnuplot would not count lines of
// labels below bars.
double lines_below(const Figure& figure) {
  const double axis = axis_text(figure.x).empty() ? 0 : 1.4;
  const double labels = 0.9 + static_cast<double>(label_lines(figure));
  return labels + axis + 0.8 + 1.3 * static_cast<double>(legend_of(figure).lines);
}

std::string terminal(const Figure& figure, Format format) {
  const int height = height_of(figure);
  switch (format) {
    case Format::svg:
      return fmt::format(
          "svg size {},{} enhanced font 'Helvetica,Arial,sans-serif,13' background rgb 'white'",
          kWidth, height);
    case Format::png:
      return fmt::format("pngcairo size {},{} enhanced font 'sans,20' linewidth {} pointscale {}",
                         kWidth * kPngScale, height * kPngScale, kPngScale, kPngScale);
    case Format::pdf:
      return fmt::format("pdfcairo size {}in,{}in enhanced font 'sans,12'", kWidth / 100.0,
                         height / 100.0);
  }
  return "";
}

std::string axis_lines(char name, const Axis& axis) {
  std::string lines = fmt::format("set {}label {} noenhanced\n", name, quoted(axis_text(axis)));
  if (axis.log) lines += fmt::format("set logscale {0}\nset format {0} '10^{{%T}}'\n", name);
  return lines;
}

std::string looks(const Figure& figure) {
  return fmt::format(
             "set border 3\n"
             "set tics nomirror out\n"
             "set grid ytics linecolor rgb '#cccccc' linewidth 1 dashtype 1\n"
             "set key below Left reverse noenhanced spacing 1.2 maxcols {}\n"
             "set errorbars 1.5\n",
             legend_of(figure).columns) +
         fmt::format("set bmargin {:.1f}\n", lines_below(figure));
}

}  // namespace

std::vector<std::string> legend_lines(const std::string& label) {
  std::vector<std::string> lines;
  for (const std::string_view line : broken(label, kLabelCharacters)) lines.emplace_back(line);
  return lines;
}

void add_titled(const std::string& element, const std::string& label, Marks& marks) {
  const auto lines = legend_lines(label);
  marks.plots.push_back(element + " title " + quoted(lines.front()));
  for (std::size_t i = 1; i < lines.size(); ++i)
    marks.plots.push_back("NaN with lines linecolor rgb 'white' title " + quoted(lines[i]));
}

int height_of(const Figure& figure) {
  const std::size_t more = legend_of(figure).lines - 1 + label_lines(figure) - 1;
  return kLeastHeight + kTextLine * static_cast<int>(more);
}

std::optional<Format> format_of(std::string_view extension) {
  if (extension == "svg") return Format::svg;
  if (extension == "png") return Format::png;
  if (extension == "pdf") return Format::pdf;
  return std::nullopt;
}

std::string gnuplot_script(const Figure& figure, Format format) {
  std::string script =
      fmt::format("set terminal {}\nset encoding utf8\n", terminal(figure, format));
  script += fmt::format("set title {} noenhanced\n", quoted_lines(figure.title, kTitleWidth));
  script += axis_lines('x', figure.x) + axis_lines('y', figure.y) + looks(figure);
  const bool bars = figure.kind == Kind::bars || figure.kind == Kind::stacked_bars;
  const Marks marks = bars ? bar_marks(figure) : line_marks(figure);
  script += marks.settings + marks.data + "plot";
  for (std::size_t i = 0; i < marks.plots.size(); ++i)
    script += (i == 0 ? " \\\n  " : ", \\\n  ") + marks.plots[i];
  return script + "\n";
}

namespace {

// -d: the user's own settings would make other drawings.
Result<Finished> run_gnuplot(const std::string& script) {
  return run_program({"gnuplot", "-d"}, {.input = script});
}

// Cairo writes when it drew. The same figure must be the same file.
void forget_the_date(std::string& pdf) {
  constexpr std::string_view kKey = "/CreationDate (D:";
  constexpr std::string_view kNever = "19700101000000";
  const auto found = pdf.find(kKey);
  if (found != std::string::npos) pdf.replace(found + kKey.size(), kNever.size(), kNever);
}

}  // namespace

bool gnuplot_found() {
  const auto tried = run_gnuplot("exit\n");
  return tried && tried->exit_code == 0;
}

Result<std::string> draw(const Figure& figure, Format format) {
  if (!gnuplot_found()) return fail(std::string(kGnuplotMissing));
  auto drawn = run_gnuplot(gnuplot_script(figure, format));
  if (!drawn) return fail(drawn.error());
  if (drawn->exit_code != 0 || drawn->output.empty()) {
    return fail(
        fmt::format("gnuplot ended with code {}: {}", drawn->exit_code, drawn->stderr_text));
  }
  if (format == Format::pdf) forget_the_date(drawn->output);
  return std::move(drawn->output);
}

}  // namespace ebb::plots
