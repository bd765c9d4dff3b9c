// SPDX-License-Identifier: Apache-2.0
//
// Keeps the log readable and the disk free whatever a peer does: of one kind about one switch so
// many notices pass at once, and one a second after that. Those that were kept back are counted.
#pragma once

#include "ebb/drivers/notice.hpp"
#include "ebb/transport/loop.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ebb::drivers {

class NoticeLimit {
 public:
  // More than the cables of a switch, all of which may be wrong when it comes.
  static constexpr std::int64_t kAtOnce = 100;

  // The notice, which says how many like it were kept back before; none: it is kept back.
  [[nodiscard]] std::optional<Notice> pass(Notice notice, transport::Clock::time_point now);

 private:
  struct Account {
    std::int64_t left = kAtOnce;
    transport::Clock::time_point counted_to;  // `left` is as of then
    std::uint64_t kept_back = 0;
  };

  // By kind and switch: as many as the description has.
  std::map<std::pair<std::string, std::string>, Account> accounts_;
};

}  // namespace ebb::drivers
