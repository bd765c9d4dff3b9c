// SPDX-License-Identifier: Apache-2.0
//
// `ebb plan --policy`: what a link-power policy saves on the designs that are shown, in a year.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/design.hpp"
#include "ebb/power/library.hpp"
#include "ebb/savings/savings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ebb::cli {

struct SavingsOptions {
  std::vector<std::string> policy;    // NAME key=value ...
  std::vector<std::string> workload;  // NAME key=value ...
  std::string basis;
  std::string time;
  std::optional<std::uint32_t> threads;
  bool carbon_given = false;  // --co2, which only means something here
};

void add_savings_options(CLI::App& command, SavingsOptions& options);

// What was asked, or nothing. Refuses options that mean nothing without the others.
[[nodiscard]] Result<std::optional<savings::Question>> question_of(const SavingsOptions& options);

struct PlannedSavings {
  savings::Question question;
  savings::LinkSaving share;
  std::vector<savings::Year> years;  // of the first designs: by packets of one, else of all
};

[[nodiscard]] Result<PlannedSavings> planned_savings(const savings::Question& question,
                                                     const std::vector<plan::Design>& designs,
                                                     const plan::Inputs& inputs,
                                                     const power::Library& library);

[[nodiscard]] std::string savings_table(const PlannedSavings& savings,
                                        const std::vector<plan::Design>& designs,
                                        const plan::Inputs& inputs, const power::Library& library);
[[nodiscard]] nlohmann::ordered_json savings_json(const PlannedSavings& savings,
                                                  const std::vector<plan::Design>& designs,
                                                  const plan::Inputs& inputs,
                                                  const power::Library& library);

}  // namespace ebb::cli
