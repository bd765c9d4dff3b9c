// SPDX-License-Identifier: Apache-2.0
//
// Text for people of what the runtime gives as JSON: the status of a fabric, the explanation of a
// link, the check of a file, a regulation, and the results of an examination of the machine.
#pragma once

#include "ebb/testbed/preflight.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string status_text(const nlohmann::ordered_json& status);
[[nodiscard]] std::string explain_text(const nlohmann::ordered_json& explanation);
[[nodiscard]] std::string check_text(const nlohmann::ordered_json& check);
[[nodiscard]] std::string regulation_text(const nlohmann::ordered_json& report);
[[nodiscard]] nlohmann::ordered_json results_json(const testbed::preflight::CheckResults& results);
[[nodiscard]] std::string results_text(const testbed::preflight::CheckResults& results);

}  // namespace ebb::cli
