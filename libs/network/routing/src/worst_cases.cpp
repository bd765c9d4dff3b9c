// SPDX-License-Identifier: Apache-2.0
#include "worst_cases.hpp"

#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ebb::routing {
namespace worst {

double share(std::int64_t links, std::int64_t hosts) {
  return links >= hosts ? 1 : static_cast<double>(links) / static_cast<double>(hosts);
}

std::string shift_text(std::int64_t by) { return fmt::format("shift by={}", by); }

namespace {

// Switches that are joined to one another, or to one in the middle, by m links each: the c hosts of
// a switch all send to the next.
std::vector<WorstCase> next_switch(const Parameters& parameters) {
  const std::int64_t c = parameters.integer("hosts");
  if (parameters.integer("switches") == 1) return {{"shortest-path", Paths::minimal}};
  return {
      {"shortest-path", Paths::minimal, shift_text(c), share(parameters.integer("parallel"), c)}};
}

struct OfFamily {
  std::string_view family;
  std::vector<WorstCase> (*find)(const Parameters&) = nullptr;
};

constexpr std::array kOfFamilies = {
    OfFamily{"fbfly", of_fbfly},       OfFamily{"torus", of_torus},
    OfFamily{"mesh", of_mesh},         OfFamily{"dragonfly", of_dragonfly},
    OfFamily{"clos", of_clos},         OfFamily{"clos_chassis", of_clos_chassis},
    OfFamily{"complete", of_complete}, OfFamily{"tree", of_tree}};

}  // namespace

std::vector<WorstCase> of_complete(const Parameters& parameters) { return next_switch(parameters); }

std::vector<WorstCase> of_tree(const Parameters& parameters) { return next_switch(parameters); }

}  // namespace worst

Result<std::vector<WorstCase>> worst_cases(std::string_view family,
                                           const ParameterTexts& parameters) {
  // Refuses sizes beyond what ebb holds, so that nothing below can overflow.
  if (const auto known = topology::properties(family, parameters); !known)
    return fail(known.error());
  const auto declared = topology::find_family(family).value()->parameters;
  // All planes carry the same share of what their links can, and a host sends by all of them.
  ParameterTexts of_plane = parameters;
  std::erase_if(of_plane,
                [](const auto& one) { return one.first == topology::planes_parameter().name; });
  const Parameters given = Parameters::resolve(declared, of_plane).value();
  for (const worst::OfFamily& one : worst::kOfFamilies) {
    if (one.family == family) return one.find(given);
  }
  return std::vector<WorstCase>{};
}

const WorstCase* best_of(std::span<const WorstCase> cases, Paths paths) {
  const WorstCase* best = nullptr;
  for (const WorstCase& one : cases) {
    if (one.paths == paths && (best == nullptr || one.capacity > best->capacity)) best = &one;
  }
  return best;
}

}  // namespace ebb::routing
