// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/json_framer.hpp"

#include <fmt/format.h>

namespace ebb::ovsdb {

Result<std::string> JsonFramer::next() {
  if (looked_at_ == 0) drop(std::min(waiting_.find_first_not_of(" \t\r\n"), waiting_.size()));
  if (waiting_.empty()) return std::string();
  if (waiting_.front() != '{')
    return fail(fmt::format("JSON: no object begins at byte {} of the stream", offset_));
  while (looked_at_ < waiting_.size()) {
    if (looked_at_ >= limits_.bytes) {
      return fail(fmt::format("JSON: the object at byte {} of the stream exceeds {} bytes", offset_,
                              limits_.bytes));
    }
    look_at(waiting_[looked_at_]);
    ++looked_at_;
    if (depth_ > limits_.depth) {
      return fail(fmt::format("JSON: the object at byte {} of the stream is deeper than {}",
                              offset_, limits_.depth));
    }
    if (depth_ == 0) {
      std::string object = waiting_.substr(0, looked_at_);
      drop(looked_at_);
      return object;
    }
  }
  return std::string();
}

void JsonFramer::drop(std::size_t count) {
  waiting_.erase(0, count);
  offset_ += count;
  looked_at_ = 0;
}

// Brackets outside of strings; which kind closes which is the parser's business.
void JsonFramer::look_at(char c) {
  if (in_string_) {
    if (!escaped_ && c == '"') in_string_ = false;
    escaped_ = !escaped_ && c == '\\';
    return;
  }
  if (c == '"') in_string_ = true;
  if (c == '{' || c == '[') ++depth_;
  if (c == '}' || c == ']') --depth_;
}

}  // namespace ebb::ovsdb
