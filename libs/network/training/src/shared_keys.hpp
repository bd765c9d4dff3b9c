// SPDX-License-Identifier: Apache-2.0
//
// What training files and inference files have in common: the line that says what they are, and
// their model.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/training/model.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace ebb::training {

// Whether the first line of a text that is no comment is `line`.
[[nodiscard]] bool begins_with_line(std::string_view text, std::string_view line);

// `model` by its name in the library, or from its file beside the file of the section. Nothing
// (reported) when there is no such model.
[[nodiscard]] std::optional<Model> read_model_key(files::Section& section,
                                                  files::Diagnostics& errors);

// What is left of a file for its table of parameters: all keys but `ebb`, `schema_version`, `model`
// and some others.
[[nodiscard]] files::KeyValues parameter_keys(files::Section& section,
                                              std::span<const std::string_view> others = {});

}  // namespace ebb::training
