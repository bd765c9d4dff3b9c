// SPDX-License-Identifier: Apache-2.0
//
// Published distributions of message sizes: how many of a million messages have at most so many
// bytes. Between two points sizes are equally likely; the messages of the first point all have its
// size. Integers decide, so a draw gives the same bytes everywhere.
//
//   const auto sizes = find_size_distribution("websearch");
//   const DataSize size = (*sizes)->draw(stream);
// Adding one: an entry in src/size_distributions.cpp, with its source and its unit.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/core/result.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::traffic {

struct SizePoint {
  std::int64_t bytes = 0;
  std::int64_t of_a_million = 0;  // messages of at most that size
};

class SizeDistribution {
 public:
  // Points ascend, the last one is at a million.
  SizeDistribution(std::string name, std::string source, std::vector<SizePoint> points);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::span<const SizePoint> points() const { return points_; }

  // A whole number of bytes, at least one.
  [[nodiscard]] DataSize draw(RandomStream& stream) const;
  // To the nearest bit.
  [[nodiscard]] DataSize mean() const;
  [[nodiscard]] MessageSizes extent() const;

 private:
  std::string name_;
  std::string source_;
  std::vector<SizePoint> points_;
};

// Every distribution, in the order `ebb list` prints them.
[[nodiscard]] std::span<const SizeDistribution> size_distributions();
[[nodiscard]] Result<const SizeDistribution*> find_size_distribution(std::string_view name);

}  // namespace ebb::traffic
