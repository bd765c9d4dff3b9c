// SPDX-License-Identifier: Apache-2.0
//
// What experiments work with: the parts, and simulations. Rows of one paper look at the same runs
// from different sides, so each run is done once and kept.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/results/summary.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::repro {

class Lab {
 public:
  explicit Lab(const power::Library& parts);
  ~Lab();
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  [[nodiscard]] const power::Library& parts() const { return parts_; }

  // Runs a simulation file with some of its values replaced, as `ebb sim --set` does. What it
  // gives lives as long as the laboratory.
  [[nodiscard]] Result<const results::Summary*> simulate(std::string_view file,
                                                         const std::vector<std::string>& settings);

  // Of the runs that were asked for since the last call.
  [[nodiscard]] std::set<std::uint64_t> take_seeds();

 private:
  struct Done;

  const power::Library& parts_;
  std::map<std::string, std::unique_ptr<const Done>> done_;  // by resolved file
  std::set<std::uint64_t> seeds_;
};

}  // namespace ebb::repro
