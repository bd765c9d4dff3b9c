// SPDX-License-Identifier: Apache-2.0
//
// Reads part files (docs/parts.md) into a library. Every mistake of every file is reported, with
// file, line, column and path; a library comes back only when there was none, so each number in it
// has a source, each assumed source says how it was derived, and each chip's rate table exists.
//
//   const auto library = read_parts_folder("parts");
//   if (!library) std::cerr << to_string(library.error());
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/power/library.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::files {

// Parts of one file may refer to parts of another; names are unique over all of them. Source ids
// belong to their file.
[[nodiscard]] Result<power::Library> read_parts(const std::vector<std::string>& files);

// The *.yaml files of a folder itself, in the order of their names.
[[nodiscard]] Result<std::vector<std::string>> part_files(const std::string& folder);

// All of them.
[[nodiscard]] Result<power::Library> read_parts_folder(const std::string& folder);

// Adds the parts of one document to `library`, which is unusable when `errors` is not empty.
void read_parts_text(std::string_view text, Diagnostics& errors, power::Library& library);

}  // namespace ebb::files
