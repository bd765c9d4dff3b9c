// SPDX-License-Identifier: Apache-2.0
//
// Many simulations as one file; docs/sweep.md lists the keys.
//
//   schema_version: 1
//   base: sim.yaml
//   vary:
//     traffic.injection.load: [5%, 10%, 20%]
//     policy: [always-on, {name: epoch, target: 50%}]
//   seeds: 3
//
// Only the shape is known here. Whether a key and its value mean anything is known when the
// simulations are read.
#pragma once

#include "ebb/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::config {

// A value for a key of the simulation file.
struct Setting {
  std::string key;    // "traffic.injection.load"
  std::string value;  // YAML on one line
  Location where;     // of the value

  [[nodiscard]] std::string text() const { return key + "=" + value; }  // as `--set` takes it
};
using Settings = std::vector<Setting>;

struct SweepSpec {
  std::string name;
  std::string base;  // path of the simulation file
  Location base_place;
  // In the place of the file's: a caller may have the simulation without a file. `base` then stands
  // in errors only.
  std::optional<std::string> base_text = {};
  Settings set;                      // for every run
  std::vector<Settings> runs;        // never empty; each is combined with every point of the grid
  std::vector<Settings> vary;        // the grid: for each key its values
  std::vector<std::uint64_t> seeds;  // empty: that of the simulation file
};

inline constexpr std::size_t kMostRuns = 100'000;

// The base is relative to the file.
[[nodiscard]] Result<SweepSpec> read_sweep(const std::string& path);
[[nodiscard]] Result<SweepSpec> read_sweep_text(std::string_view text, const std::string& file);

// What is set in each run, seeds not counted: the entries of `runs` in their order, in each the
// grid with its last key changing fastest. `set` is left out.
[[nodiscard]] std::vector<Settings> combinations(const SweepSpec& spec);

}  // namespace ebb::config
