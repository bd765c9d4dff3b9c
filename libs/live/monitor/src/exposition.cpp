// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/exposition.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ebb::monitor {
namespace {

std::string_view to_text(Kind kind) {
  switch (kind) {
    case Kind::counter:
      return "counter";
    case Kind::gauge:
      return "gauge";
    case Kind::histogram:
      return "histogram";
  }
  return "untyped";
}

// Help texts escape backslashes and line ends, label values quotes as well.
std::string escaped(std::string_view text, bool quotes) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\n') {
      result += "\\n";
      continue;
    }
    if (letter == '\\' || (quotes && letter == '"')) result += '\\';
    result += letter;
  }
  return result;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

void Exposition::family(std::string_view name, Kind kind, std::string_view help) {
  family_ = name;
  text_ +=
      fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, to_text(kind));
}

void Exposition::sample(const Labels& labels, double value) { line("", labels, value); }

void Exposition::histogram(const Labels& labels, const Histogram& histogram) {
  std::uint64_t up_to_here = 0;
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    up_to_here += histogram.counts()[i];
    const std::string bound =
        i < histogram.bounds().size() ? number_text(histogram.bounds()[i]) : "+Inf";
    Labels with_bound = labels;
    with_bound.emplace_back("le", bound);
    line("_bucket", with_bound, static_cast<double>(up_to_here));
  }
  line("_sum", labels, histogram.sum());
  line("_count", labels, static_cast<double>(up_to_here));
}

void Exposition::line(std::string_view suffix, const Labels& labels, double value) {
  text_ += family_;
  text_ += suffix;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text_ += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", labels[i].first,
                         escaped(labels[i].second, true));
  }
  text_ += fmt::format("{} {}\n", labels.empty() ? "" : "}", number_text(value));
}

}  // namespace ebb::monitor
