// SPDX-License-Identifier: Apache-2.0
//
// What experiments work with: the parts, and simulations. Rows of one paper look at the same runs
// from different sides, so each run is done once and kept.
//
//   const auto runs = cache.simulate({{kFile, {}}, {kFile, {"policy=epoch"}}});
//   if (!runs) return fail(runs.error());
//   const results::Summary& fast = *(*runs)[0];
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/results/summary.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::repro {

// A simulation file with some of its values replaced, as `ebb sim --set` does.
struct Run {
  std::string file;  // its text
  std::vector<std::string> settings;
};

// Named numbers, in the unit that the row's file states. A figure may need more of them than the
// paper printed.
using Measurements = std::vector<std::pair<std::string, double>>;

// By row: how it is measured on real switches. An error that begins with kCannotRunHere is of the
// machine, not of what was measured.
using LiveMeasures = std::map<std::string, std::function<Result<Measurements>()>>;
inline constexpr std::string_view kCannotRunHere = "cannot run here";

class RunCache {
 public:
  explicit RunCache(const power::Library& parts, LiveMeasures live = {});
  ~RunCache();
  RunCache(const RunCache&) = delete;
  RunCache& operator=(const RunCache&) = delete;

  [[nodiscard]] const power::Library& parts() const { return parts_; }

  // Does what was not done before, on all cores, one run on each: faster than one run on all of
  // them, and the result is the same. What it gives is in the order of the runs, and lives as long
  // as the cache. Put the longest run first.
  [[nodiscard]] Result<std::vector<const results::Summary*>> simulate(const std::vector<Run>& runs);

  // On real switches, by whoever has them.
  [[nodiscard]] Result<Measurements> measure_live(const std::string& row) const;

  // Of the runs that were asked for since the last call.
  [[nodiscard]] std::set<std::uint64_t> take_seeds();

 private:
  struct Done;
  // By resolved file; a run that is still to be done has no report.
  using Cache = std::map<std::string, std::unique_ptr<Done>>;

  [[nodiscard]] Result<Cache::iterator> prepare(const Run& run);

  const power::Library& parts_;
  LiveMeasures live_;
  Cache cached_;
  std::set<std::uint64_t> seeds_;
};

}  // namespace ebb::repro
