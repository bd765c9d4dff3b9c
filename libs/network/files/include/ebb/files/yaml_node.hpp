// SPDX-License-Identifier: Apache-2.0
//
// Text as nodes of yaml-cpp, for readers that change a document before they read it. Everything
// that yaml-cpp would throw at or choke on is reported instead.
#pragma once

#include "ebb/files/document.hpp"

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string_view>

namespace ebb::files {

// One document, which may be empty.
[[nodiscard]] std::optional<YAML::Node> load_yaml(std::string_view text, Diagnostics& errors);

// The root of a file: one document, not empty.
[[nodiscard]] std::optional<YAML::Node> load_document(std::string_view text, Diagnostics& errors);

}  // namespace ebb::files
