// SPDX-License-Identifier: Apache-2.0
//
// Cuts a stream into lines. It holds at most one unfinished line beside what was fed and not yet
// taken, and gives up on a stream whose line is longer than the limit: who feeds it and takes all
// that there is after each piece holds a bounded number of bytes.
//
//   lines.feed(text);
//   for (auto line = lines.next(); line && *line; line = lines.next()) obey(**line);
#pragma once

#include "ebb/core/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::transport {

class LineFramer {
 public:
  explicit LineFramer(std::size_t longest) : longest_(longest) {}

  void feed(std::string_view text) { waiting_ += text; }

  // The next whole line without its end; none when more is needed. A stream that failed is lost.
  [[nodiscard]] Result<std::optional<std::string>> next();

 private:
  std::size_t longest_;  // without the end of the line
  std::string waiting_;
  std::size_t taken_ = 0;      // of `waiting_`: was given out
  std::size_t looked_at_ = 0;  // of `waiting_`: no line end comes before
};

}  // namespace ebb::transport
