// SPDX-License-Identifier: Apache-2.0
#include "sweep/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::cli {

void SweepProgress::show(std::size_t running) {
  if (!line_.due()) return;
  const std::size_t here = done_ + failed_;
  const double rate = static_cast<double>(here) / std::max(line_.seconds(), 1e-6);
  std::string text = fmt::format("{} of {} done, {} running", kept(), runs_, running);
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  if (here > 0) {
    const auto left = static_cast<double>(runs_ - kept());
    text += rate >= 1 ? fmt::format("; {:.1f} runs/s", rate)
                      : fmt::format("; {} per run", wall_text(1 / rate));
    text += fmt::format(", {} left", wall_text(left / rate));
  }
  line_.write(std::move(text));
}

}  // namespace ebb::cli
