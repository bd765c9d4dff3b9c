// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include "ebb/core/check.hpp"
#include "ebb/report/report.hpp"

#include <string>
#include <string_view>

namespace ebb::report {
namespace {

// JSON needs "<" only inside strings, where an escape means the same; a script block would end at
// "</script" and change its meaning at "<!--".
void append_escaped(std::string& to, std::string_view json) {
  for (const char c : json) {
    if (c == '<') {
      to += "\\u003c";
    } else {
      to += c;
    }
  }
}

}  // namespace

bool can_write() { return !page().before.empty(); }

Result<std::string> html(const results::Store& store, const Settings& settings) {
  EBB_CHECK(can_write(), "a report without its page");
  const auto json = document(store, settings);
  if (!json) return fail(json.error());
  std::string text;
  for (const std::string_view piece : page().before) text += piece;
  append_escaped(text, *json);
  for (const std::string_view piece : page().after) text += piece;
  return text;
}

}  // namespace ebb::report
