// SPDX-License-Identifier: Apache-2.0
//
// Patterns: where messages go. A pattern is built once from (shape, parameters, seed) and is
// constant from then on, so all hosts, threads and processes share it or build their own equal one.
// What a host draws comes from the host's own stream: hosts never influence each other. Adding one:
// a source under src/patterns/, its declaration in kinds.hpp and its line in patterns.cpp, a
// test; see docs/add-a-pattern.md.
//
//   const auto pattern = make_pattern("hotspot", shape, {{"hot", "4"}}, seed);
//   const auto to = (*pattern)->destination(17, n, stream);  // of the n-th message of host 17
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::traffic {

// What patterns may know of a network, without knowing graphs. Hosts are numbered as every topology
// numbers them: those of a switch are consecutive, those of a group are consecutive, and on a grid
// the first coordinate of the switch varies fastest.
struct Shape {
  std::uint32_t hosts = 0;
  std::uint32_t hosts_per_switch = 0;  // 0: not the same everywhere
  std::uint32_t hosts_per_group = 0;   // 0: the network has no groups; the last may be smaller
  std::vector<std::uint32_t> dims;     // switches per dimension; empty: not a grid
};

// Every reason why no network has this shape; empty when there is none.
[[nodiscard]] Errors validate(const Shape& shape);

class Pattern {
 public:
  Pattern() = default;
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  virtual ~Pattern() = default;

  // Destination of message `sequence` (0, 1, ...) of `source`: a host other than `source`, drawn
  // from `stream` where the pattern is random. Asked only of hosts that send.
  [[nodiscard]] virtual std::uint32_t destination(std::uint32_t source, std::uint64_t sequence,
                                                  RandomStream& stream) const = 0;

  // False for a host that the pattern maps to itself, such as the diagonal of a transposition: it
  // stays silent for the whole run.
  [[nodiscard]] virtual bool sends(std::uint32_t /*source*/) const { return true; }
};

struct PatternKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  // Refuses a shape on which the pattern does not exist, with the reason and what would work. May
  // rely on validate(shape) being empty.
  Result<std::unique_ptr<Pattern>> (*make)(const Shape&, const Parameters&,
                                           std::uint64_t seed) = nullptr;
};

// Every pattern, in the order `ebb list` prints them.
[[nodiscard]] std::span<const PatternKind> pattern_kinds();
[[nodiscard]] Result<const PatternKind*> find_pattern_kind(std::string_view name);

// Resolves, checks and builds; refuses with all errors.
[[nodiscard]] Result<std::unique_ptr<Pattern>> make_pattern(std::string_view name,
                                                            const Shape& shape,
                                                            const ParameterTexts& parameters,
                                                            std::uint64_t seed);

}  // namespace ebb::traffic
