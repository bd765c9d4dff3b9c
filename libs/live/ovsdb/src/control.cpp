// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/control.hpp"

namespace ebb::ovsdb {
namespace {

// Texts of daemons end with a line's end.
std::string without_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Control::Control(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
                 std::function<void(const std::string& reason)> closed)
    : session_(loop, std::move(stream), timing, {.closed = std::move(closed)}) {}

void Control::command(const std::string& name, const std::vector<std::string>& words,
                      const Then<std::string>& then) {
  session_.request(name, json(words), [then](Answer<json> answer) {
    if (!answer) {
      answer.error().error = without_line_end(answer.error().error);
      return then(tl::unexpected(answer.error()));
    }
    if (!answer->is_string())
      return then(tl::unexpected(Refusal{Why::malformed, "the daemon's answer is no text"}));
    then(without_line_end(answer->get<std::string>()));
  });
}

}  // namespace ebb::ovsdb
