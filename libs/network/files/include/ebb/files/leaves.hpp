// SPDX-License-Identifier: Apache-2.0
//
// A document as a flat list of its values, to compare two of them or to look one up.
//
//   leaves("policy: {name: epoch, target: 0.5}\n")  ->  policy.name = epoch, policy.target = 0.5
#pragma once

#include "ebb/core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::files {

struct Leaf {
  std::string path;   // "traffic.injection.load"
  std::string value;  // a list as "[a, b]"

  bool operator==(const Leaf&) const = default;
};

// In the order of the text.
[[nodiscard]] Result<std::vector<Leaf>> leaves(std::string_view yaml);

}  // namespace ebb::files
