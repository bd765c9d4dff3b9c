// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/leaves.hpp"

#include "ebb/files/document.hpp"

namespace ebb::files {
namespace {

void collect(const Value& value, Diagnostics& errors, std::vector<Leaf>& into) {
  if (!value.is_map()) {
    into.push_back({value.path(), value.flow_text()});
    return;
  }
  for (const auto& entry : Section(value, errors).entries()) collect(entry.second, errors, into);
}

}  // namespace

Result<std::vector<Leaf>> leaves(std::string_view yaml) {
  Diagnostics errors("configuration");
  const auto root = read_yaml(yaml, errors);
  std::vector<Leaf> found;
  if (root) collect(*root, errors, found);
  if (!errors.empty()) return fail(errors.take());
  return found;
}

}  // namespace ebb::files
