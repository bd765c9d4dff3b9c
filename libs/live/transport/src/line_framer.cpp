// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/line_framer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::transport {

Result<std::optional<std::string>> LineFramer::next() {
  const std::size_t end = waiting_.find('\n', looked_at_);
  if (std::min(end, waiting_.size()) - taken_ > longest_)
    return fail(fmt::format("a line of more than {} bytes", longest_));
  if (end == std::string::npos) {
    waiting_.erase(0, taken_);
    taken_ = 0;
    looked_at_ = waiting_.size();
    return std::nullopt;
  }
  std::string line = waiting_.substr(taken_, end - taken_);
  taken_ = looked_at_ = end + 1;
  return line;
}

}  // namespace ebb::transport
