// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a part file: read without a crash, and what was accepted can be used. The models
// run on it, so that a limit of the reader that lets an overflow through is found here.
#include "ebb/files/parts_file.hpp"
#include "ebb/power/model.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using namespace ebb;

void use(const power::RateTable& rate_table) {
  if (slowest(rate_table) > Ratio(1, 1)) std::abort();
  const bool scaled = rate_table.steps.front().supply.has_value();
  for (const auto& step : rate_table.steps) {
    if (step.supply.has_value() != scaled) std::abort();
  }
}

void use(const power::Chip& chip) {
  if (chip_power(chip, Ratio(1, 3)) > chip_power(chip)) std::abort();
  for (const power::Breakout& split : chip.breakout) {
    if (chip_power(at_rate(chip, split.rate)) != chip_power(chip)) std::abort();
  }
}

// All ports busy with the smallest packets; only the fits' small negative offsets may subtract.
void use(const power::Box& box) {
  std::vector<power::PortUse> uses;
  for (const auto& setup : box.setups) uses.push_back({&setup, 4096, Ratio(1, 1), bytes(64)});
  const auto offsets = watts(3) * 4096 * static_cast<std::int64_t>(uses.size());
  if (box_power(box, uses, power::Counting::twice) < box.base.value - offsets) std::abort();
  for (const auto& table : box.tables) {
    if (table_leakage(table, 1'000'000'000) < watts(0)) std::abort();
  }
}

void use(const power::Module& module) {
  if (module.steps.empty()) std::abort();
}

void use(const power::Nic& nic) {
  if (nic.power.value < watts(0)) std::abort();
}

// A cell has a size, or a packet would need endlessly many.
void use(const power::Components& components) {
  if (components.buffers.cell < bits(1)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  files::Diagnostics errors("fuzz.yaml");
  power::Library library;
  files::read_parts_text({reinterpret_cast<const char*>(data), size}, errors, library);
  const auto found = errors.take();
  (void)to_string(found);
  if (!found.empty()) return 0;
  for (const power::Part& part : library.parts()) {
    std::visit([](const auto& body) { use(body); }, part.body);
  }
  return 0;
}
