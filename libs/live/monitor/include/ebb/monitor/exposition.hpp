// SPDX-License-Identifier: Apache-2.0
//
// Metrics as Prometheus reads them: its text format, version 0.0.4.
//
//   Exposition page;
//   page.family("ebb_switches", Kind::gauge, "Switches of the fabric.");
//   page.sample({{"presence", "here"}}, 9);
#pragma once

#include "ebb/monitor/histogram.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::monitor {

enum class Kind : std::uint8_t { counter, gauge, histogram };
using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

class Exposition {
 public:
  static constexpr std::string_view kType = "text/plain; version=0.0.4; charset=utf-8";

  // All samples of a family follow it, up to the next.
  void family(std::string_view name, Kind kind, std::string_view help);
  void sample(const Labels& labels, double value);
  void histogram(const Labels& labels, const Histogram& histogram);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void line(std::string_view suffix, const Labels& labels, double value);

  std::string family_;
  std::string text_;
};

}  // namespace ebb::monitor
