// SPDX-License-Identifier: Apache-2.0
//
// What a controller says of its fabric over time: a CSV file, a line each second, for ebb plot.
#pragma once

#include "ebb/controller/watts.hpp"
#include "ebb/core/result.hpp"

#include <cstdint>
#include <fstream>
#include <string>

namespace ebb::cli {

struct HistoryPoint {
  TimePoint at{};
  std::uint32_t links_asleep = 0;
  double highest_use = 0;  // of a channel between switches, share of its rate
};

class FabricHistory {
 public:
  [[nodiscard]] static Result<FabricHistory> create(const std::string& path);

  // Whole lines reach the file at once, so that it can be read while the controller runs.
  void add(const HistoryPoint& point, const controller::Watts& watts);

 private:
  explicit FabricHistory(std::ofstream file) : file_(std::move(file)) {}

  std::ofstream file_;
};

}  // namespace ebb::cli
