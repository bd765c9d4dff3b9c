// SPDX-License-Identifier: Apache-2.0
//
// The content of a results file for other programs. Runs are sorted by key and numbers printed
// exactly, so the same content gives the same bytes whatever the order of storing.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/store.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace ebb::cli {

using Write = std::function<void(std::string_view)>;

// One JSON object; written run by run, since a file may hold more than memory.
[[nodiscard]] Errors export_json(const results::Store& store, const Write& write);

// Tidy tables, one file each, in `folder`, which is made if need be.
[[nodiscard]] Errors export_csv(const results::Store& store, const std::string& folder);

}  // namespace ebb::cli
