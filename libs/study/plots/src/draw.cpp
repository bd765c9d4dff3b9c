// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/child_process.hpp"
#include "ebb/plots/gnuplot.hpp"

#include <fmt/format.h>

namespace ebb::plots {
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
    return fail(fmt::format("gnuplot ended with code {}: {}", drawn->exit_code, drawn->complaints));
  }
  if (format == Format::pdf) forget_the_date(drawn->output);
  return std::move(drawn->output);
}

}  // namespace ebb::plots
