// SPDX-License-Identifier: Apache-2.0
//
// Whether a fabric file can be run, before any switch hears of it. Tables are made and proved, the
// policy is made, parts are looked up, secrets and certificates for switches elsewhere are read.
#pragma once

#include "ebb/runtime/run.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace ebb::runtime {

struct CheckOptions {
  std::string file;
  std::string ports = "openflow";  // what switches ports, at the switches of the file `devices`
  std::string devices;
};

struct FabricCheck {
  nlohmann::ordered_json report;  // null when there are flaws
  Errors flaws;                   // the file is good, but its tables do not hold
};

// An error: the files have mistakes, all of them at once.
[[nodiscard]] Result<FabricCheck> check_fabric(const CheckOptions& options,
                                               const LoadParts& load_parts);

}  // namespace ebb::runtime
