// SPDX-License-Identifier: Apache-2.0
#include "window_tally.hpp"

#include <algorithm>

namespace ebb::traffic {

void WindowTally::add(std::span<const std::int64_t> busy, std::span<const std::int64_t> born) {
  for (const std::int64_t time : busy) {
    ++seen_[static_cast<std::size_t>(time * kBins / window_.count())];
    idle_ += time == 0 ? 1 : 0;
    most_ = std::max(most_, time);
    busy_ += static_cast<double>(time);
  }
  const auto count = static_cast<double>(born.size());
  windows_ += static_cast<std::int64_t>(busy.size());
  double sum = 0;
  for (const std::int64_t data : born) sum += static_cast<double>(data);
  double squares = 0;
  for (const std::int64_t data : born) {
    const double off = static_cast<double>(data) - sum / count;
    squares += off * off;
  }
  means_ += sum / count;
  if (count > 1) variances_ += squares / (count - 1);
}

double WindowTally::quantile(double share) const {
  const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(windows_ - 1));
  std::int64_t below = 0;
  for (std::size_t bin = 0; bin < seen_.size(); ++bin) {
    below += seen_[bin];
    if (below > wanted) return static_cast<double>(bin) / kBins;
  }
  return 1;
}

WindowUse WindowTally::use(double mean_size) const {
  if (windows_ == 0) return {};
  const auto count = static_cast<double>(windows_);
  const auto length = static_cast<double>(window_.count());
  WindowUse use;
  use.mean = busy_ / count / length;
  use.p50 = quantile(0.5);
  use.p99 = quantile(0.99);
  use.most = static_cast<double>(most_) / length;
  use.idle = static_cast<double>(idle_) / count;
  if (means_ > 0) use.dispersion = variances_ / means_ / mean_size;
  return use;
}

}  // namespace ebb::traffic
