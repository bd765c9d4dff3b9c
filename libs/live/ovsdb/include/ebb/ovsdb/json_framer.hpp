// SPDX-License-Identifier: Apache-2.0
//
// Cuts a stream into JSON objects that follow each other without a separator. Each byte is looked
// at once. What is too large or too deep is refused before it is parsed.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::ovsdb {

struct FrameLimits {
  std::size_t bytes = std::size_t{16} << 20U;  // of one object; a switch of 10,000 ports needs 8 MB
  int depth = 64;
};

class JsonFramer {
 public:
  explicit JsonFramer(FrameLimits limits = {}) : limits_(limits) {}

  void feed(std::string_view text) { waiting_ += text; }

  // The text of the next whole object; empty when more is needed. A stream that failed is lost.
  [[nodiscard]] Result<std::string> next();

 private:
  // What was given out or skipped goes.
  void drop(std::size_t count);
  void look_at(char c);

  FrameLimits limits_;
  std::string waiting_;
  std::size_t looked_at_ = 0;  // of `waiting_`
  std::uint64_t offset_ = 0;   // of `waiting_` in the stream
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace ebb::ovsdb
