// SPDX-License-Identifier: Apache-2.0
//
// The content of a results file for other programs. Runs are sorted by key and numbers printed
// exactly, so the same content gives the same bytes whatever the order of storing.
//
//   const auto store = Store::open_to_read("runs.db");
//   const Errors errors = export_json(*store, [](std::string_view text) { std::cout << text; });
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/store.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace ebb::results {

// A CSV field, quoted when it has to be.
[[nodiscard]] std::string csv_field(std::string_view text);

using Write = std::function<void(std::string_view)>;

// One JSON object; written run by run, since a file may hold more than memory.
[[nodiscard]] Errors export_json(const Store& store, const Write& write);

// Tidy tables, one file each, in `folder`, which is made if need be.
[[nodiscard]] Errors export_csv(const Store& store, const std::string& folder);

}  // namespace ebb::results
