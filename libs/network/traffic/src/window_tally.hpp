// SPDX-License-Identifier: Apache-2.0
//
// Counts of one direction of host links in windows of one length, host by host.
#pragma once

#include "ebb/traffic/burstiness.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace ebb::traffic {

class WindowTally {
 public:
  explicit WindowTally(Duration window) : window_(window) {}

  // Of one host, by window: busy time in picoseconds, bits born.
  void add(std::span<const std::int64_t> busy, std::span<const std::int64_t> born);

  // `mean_size` in bits.
  [[nodiscard]] WindowUse use(double mean_size) const;

 private:
  static constexpr std::int64_t kBins = 1000;
  [[nodiscard]] double quantile(double share) const;

  Duration window_;
  std::array<std::int64_t, kBins + 1> seen_{};  // windows by thousandths of busy time
  std::int64_t windows_ = 0;
  std::int64_t idle_ = 0;
  std::int64_t most_ = 0;  // ps
  double busy_ = 0;        // ps
  double variances_ = 0;   // of born data, sum over hosts
  double means_ = 0;
};

}  // namespace ebb::traffic
