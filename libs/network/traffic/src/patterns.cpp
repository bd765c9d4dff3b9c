// SPDX-License-Identifier: Apache-2.0
#include "patterns/all_to_all.hpp"
#include "patterns/bit_complement.hpp"
#include "patterns/bit_reversal.hpp"
#include "patterns/group_adversarial.hpp"
#include "patterns/hotspot.hpp"
#include "patterns/neighbour.hpp"
#include "patterns/permutation.hpp"
#include "patterns/shift.hpp"
#include "patterns/tornado.hpp"
#include "patterns/transpose.hpp"
#include "patterns/uniform.hpp"

#include "ebb/core/find_named.hpp"
#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic {

// One line per pattern, so that adding one changes one line.
std::span<const PatternKind> pattern_kinds() {
  // clang-format off
  static const std::vector<PatternKind> kKinds = {
      uniform::kind(),
      permutation::kind(),
      bit_complement::kind(),
      bit_reversal::kind(),
      transpose::kind(),
      tornado::kind(),
      group_adversarial::kind(),
      hotspot::kind(),
      all_to_all::kind(),
      shift::kind(),
      neighbour::kind(),
  };
  // clang-format on
  return kKinds;
}

Result<const PatternKind*> find_pattern_kind(std::string_view name) {
  return find_named("pattern", pattern_kinds(), name, &PatternKind::name);
}

Result<std::unique_ptr<Pattern>> make_pattern(std::string_view name, const Shape& shape,
                                              const ParameterTexts& parameters,
                                              std::uint64_t seed) {
  Errors errors = mistakes(shape);
  const auto kind = find_pattern_kind(name);
  if (!kind) {
    errors.insert(errors.end(), kind.error().begin(), kind.error().end());
    return fail(std::move(errors));
  }
  const auto resolved = Parameters::resolve((*kind)->parameters, parameters);
  if (!resolved) errors.insert(errors.end(), resolved.error().begin(), resolved.error().end());
  if (!errors.empty()) return fail(std::move(errors));
  return (*kind)->make(shape, *resolved, seed);
}

}  // namespace ebb::traffic
