// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/notice_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ebb::drivers {

std::optional<Notice> NoticeLimit::pass(Notice notice, transport::Clock::time_point now) {
  const auto [found, is_new] = accounts_.try_emplace({std::string(notice.event), notice.device});
  Account& account = found->second;
  if (is_new) account.counted_to = now;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now - account.counted_to);
  account.left = std::min(kAtOnce, account.left + seconds.count());
  account.counted_to += seconds;
  if (account.left == 0) {
    ++account.kept_back;
    return std::nullopt;
  }
  --account.left;
  if (account.kept_back > 0)
    notice.text += fmt::format(" ({} more like it were not told)", account.kept_back);
  account.kept_back = 0;
  return notice;
}

}  // namespace ebb::drivers
