// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/path.hpp"

#include <algorithm>
#include <string_view>

namespace ebb::gnmi {
namespace {

bool is_any(std::string_view text) { return text == "*"; }

bool covers(const Element& asked, const Element& element) {
  if (!is_any(asked.name) && asked.name != element.name) return false;
  return std::all_of(asked.keys.begin(), asked.keys.end(), [&](const auto& key) {
    const auto found = element.keys.find(key.first);
    return found != element.keys.end() && (is_any(key.second) || key.second == found->second);
  });
}

}  // namespace

std::string to_text(const Path& path) {
  std::string text;
  for (const Element& element : path.elements) {
    text.append("/").append(element.name);
    for (const auto& [key, value] : element.keys)
      text.append("[").append(key).append("=").append(value).append("]");
  }
  return text.empty() ? "/" : text;
}

bool covers(const Path& asked, const Path& leaf) {
  if (asked.elements.size() > leaf.elements.size()) return false;
  return std::equal(asked.elements.begin(), asked.elements.end(), leaf.elements.begin(),
                    [](const Element& a, const Element& b) { return covers(a, b); });
}

}  // namespace ebb::gnmi
