// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/part.hpp"

namespace ebb::power {

std::string_view to_text(Evidence evidence) {
  switch (evidence) {
    case Evidence::measured:
      return "measured";
    case Evidence::datasheet:
      return "datasheet";
    case Evidence::published:
      return "published";
    case Evidence::assumed:
      return "assumed";
  }
  return "?";
}

std::string_view kind_of(const Part& part) {
  struct Name {
    std::string_view operator()(const Ladder&) const { return "ladder"; }
    std::string_view operator()(const Chip&) const { return "chip"; }
    std::string_view operator()(const Box&) const { return "box"; }
    std::string_view operator()(const Module&) const { return "module"; }
    std::string_view operator()(const Nic&) const { return "nic"; }
    std::string_view operator()(const Components&) const { return "components"; }
  };
  return std::visit(Name{}, part.body);
}

}  // namespace ebb::power
