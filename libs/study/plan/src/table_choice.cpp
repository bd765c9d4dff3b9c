// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/table_choice.hpp"

#include <fmt/format.h>

namespace ebb::plan {

Result<const power::ForwardingTable*> table_of(const Inputs& inputs,
                                               const power::Library& library) {
  const TableChoice& choice = *inputs.tables;
  if (choice.kind == "CAM" && choice.detail != forwarding::Detail::flat)
    return fail("a CAM matches whole addresses: its tables are 'flat'");
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  if (const auto* box = std::get_if<power::Box>(&(*part)->body)) {
    for (const power::ForwardingTable& table : box->tables) {
      if (table.kind == choice.kind) return &table;
    }
  }
  return fail(fmt::format("'{}' says nothing of a {}", (*part)->name, choice.kind));
}

}  // namespace ebb::plan
