// SPDX-License-Identifier: Apache-2.0
#include "export/attributes.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::topology {

std::string metres_text(const Link& link) {
  std::string text = fmt::format("{}.{:03}", link.length_mm / 1'000, link.length_mm % 1'000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string rate_text(const Graph& graph, const Link& link) {
  return to_text(graph.full_rate(link));
}

}  // namespace ebb::topology
