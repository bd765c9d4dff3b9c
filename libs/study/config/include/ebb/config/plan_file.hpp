// SPDX-License-Identifier: Apache-2.0
//
// The inputs of `ebb plan` as a file, and the named designs of `ebb plan compare`.
//
//   schema_version: 1
//   hosts: 32768
//   rate: 40Gb/s
//   parts: {switch: isca10-chip, nic: isca10-nic}
//   electricity: {price: $0.07/kWh, pue: 1.6, years: 4}
//   designs:
//     flat: {family: fbfly, hosts: 8, dims: 8x8x8x8}
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/plan/design.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/power/library.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::config {

struct PlanFile {
  plan::Inputs inputs;
  std::vector<plan::Candidate> designs;  // empty unless the file names some
};

// Part names are looked up in `library`, so that a mistyped one is reported where it stands.
[[nodiscard]] Result<PlanFile> read_plan(const std::string& path, const power::Library& library);
[[nodiscard]] Result<PlanFile> read_plan_text(std::string_view text, const std::string& file,
                                              const power::Library& library);

}  // namespace ebb::config
