// SPDX-License-Identifier: Apache-2.0

#include "ternary_minimisation.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace ebb::forwarding {
namespace {

constexpr std::size_t kMostLayers = 60'000;  // priorities have 16 bits

class Minimiser {
 public:
  explicit Minimiser(const OutputsByValue& outputs) : outputs_(outputs) {
    const std::int32_t most = *std::max_element(outputs.output.begin(), outputs.output.end());
    values_.resize(static_cast<std::size_t>(std::max(most + 1, 0)));
    for (std::uint64_t v = 0; v < outputs.output.size(); ++v) {
      if (outputs.output[v] >= 0) values_[at(v)].push_back(v);
    }
    place_.assign(values_.size(), 1);
  }

  [[nodiscard]] std::vector<std::vector<TernaryEntry>> in_layers() {
    std::vector<std::vector<TernaryEntry>> layers = {singles()};
    if (layers.front().size() == occurring()) return layers;
    const std::vector<std::uint32_t> order = hardest_last();
    for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i + 1;
    for (const std::uint32_t output : order) {
      if (values_[output].size() < 2) continue;
      for (const Cube& cube : cubes_for(output)) layers.push_back({{cube, output}});
    }
    if (layers.front().empty()) layers.erase(layers.begin());
    return layers;
  }

  // A mask for each value.
  [[nodiscard]] std::vector<TernaryEntry> one_by_one(std::size_t most_values) const {
    std::vector<TernaryEntry> result;
    for (std::uint32_t output = 0; output < values_.size(); ++output) {
      if (values_[output].size() > most_values) continue;
      for (const std::uint64_t v : values_[output]) result.push_back({{v, full_mask()}, output});
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t at(std::uint64_t value) const {
    return static_cast<std::size_t>(outputs_.output[value]);
  }
  [[nodiscard]] std::uint64_t full_mask() const { return (std::uint64_t{1} << outputs_.bits) - 1; }
  [[nodiscard]] std::size_t occurring() const {
    return static_cast<std::size_t>(std::count_if(
        values_.begin(), values_.end(), [](const auto& values) { return !values.empty(); }));
  }

  // One value needs one mask whatever the rest does: exact ones, which read best.
  [[nodiscard]] std::vector<TernaryEntry> singles() const { return one_by_one(1); }

  // By the masks each would need if it came first.
  [[nodiscard]] std::vector<std::uint32_t> hardest_last() {
    std::vector<std::size_t> alone(values_.size());
    for (std::uint32_t output = 0; output < values_.size(); ++output) {
      place_[output] = 0;
      alone[output] =
          values_[output].size() < 2 ? values_[output].size() : cubes_for(output).size();
      place_[output] = 1;
    }
    std::vector<std::uint32_t> order(values_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::make_tuple(alone[a], values_[a].size()) <
             std::make_tuple(alone[b], values_[b].size());
    });
    return order;
  }

  // Whether a mask of `output` may not match the value.
  [[nodiscard]] bool forbidden(std::uint64_t value, std::uint32_t output) const {
    const std::int32_t other = outputs_.output[value];
    if (other < 0) return other == OutputsByValue::kNone;
    return place_[static_cast<std::size_t>(other)] > place_[output];
  }

  [[nodiscard]] bool allowed(const Cube& cube, std::uint32_t output) const {
    const std::uint64_t open = full_mask() & ~cube.mask;
    for (std::uint64_t inside = open;; inside = (inside - 1) & open) {
      if (forbidden(cube.value | inside, output)) return false;
      if (inside == 0) return true;
    }
  }

  // Frees bits while nothing forbidden is matched, from bit `first` on, upwards or downwards.
  [[nodiscard]] Cube grown(std::uint64_t seed, int first, bool upwards,
                           std::uint32_t output) const {
    Cube cube{seed, full_mask()};
    for (int i = 0; i < outputs_.bits; ++i) {
      const int step = upwards ? i : outputs_.bits - i;
      const std::uint64_t bit = std::uint64_t{1} << ((first + step) % outputs_.bits);
      const Cube mirrored{cube.value ^ bit, cube.mask};
      if (allowed(mirrored, output)) cube = {cube.value & ~bit, cube.mask & ~bit};
    }
    return cube;
  }

  [[nodiscard]] Cube best_at(std::uint64_t seed, const std::vector<std::uint64_t>& open,
                             std::uint32_t output) const {
    Cube best{seed, full_mask()};
    std::ptrdiff_t most = 0;
    for (int i = 0; i < 2 * outputs_.bits; ++i) {
      const Cube cube = grown(seed, i / 2, i % 2 == 0, output);
      const auto taken =
          std::count_if(open.begin(), open.end(), [&](std::uint64_t v) { return cube.holds(v); });
      if (taken <= most) continue;
      most = taken;
      best = cube;
    }
    return best;
  }

  [[nodiscard]] std::vector<Cube> cubes_for(std::uint32_t output) const {
    std::vector<std::uint64_t> open = values_[output];
    std::vector<Cube> cubes;
    while (!open.empty()) {
      cubes.push_back(best_at(open.front(), open, output));
      std::erase_if(open, [&](std::uint64_t v) { return cubes.back().holds(v); });
    }
    return without_superfluous(std::move(cubes), output);
  }

  // A later cube may have taken all that an earlier one was for.
  [[nodiscard]] std::vector<Cube> without_superfluous(std::vector<Cube> cubes,
                                                      std::uint32_t output) const {
    for (std::size_t i = 0; i < cubes.size();) {
      const auto elsewhere = [&](std::uint64_t v) {
        for (std::size_t j = 0; j < cubes.size(); ++j) {
          if (j != i && cubes[j].holds(v)) return true;
        }
        return false;
      };
      const std::vector<std::uint64_t>& values = values_[output];
      if (std::all_of(values.begin(), values.end(), elsewhere)) {
        cubes.erase(cubes.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    return cubes;
  }

  const OutputsByValue& outputs_;
  std::vector<std::vector<std::uint64_t>> values_;  // by output, ascending
  std::vector<std::uint32_t> place_;                // by output; the lower goes first
};

}  // namespace

std::vector<std::vector<TernaryEntry>> minimise(const OutputsByValue& outputs) {
  Minimiser minimiser(outputs);
  auto all = minimiser.one_by_one(outputs.output.size());
  if (all.empty()) return {};
  if (all.size() > kMostLayers) return {std::move(all)};
  return minimiser.in_layers();
}

namespace {

bool next_hop_goes_before(const TableRouting::NextHop& a, const TableRouting::NextHop& b) {
  return std::tuple(a.output, a.cos) < std::tuple(b.output, b.cos);
}

}  // namespace

Layers minimised(const Field& field,
                 std::span<const std::optional<TableRouting::NextHop>> next_hops) {
  std::vector<TableRouting::NextHop> different;
  for (const auto& next_hop : next_hops) {
    if (next_hop) different.push_back(*next_hop);
  }
  std::sort(different.begin(), different.end(), next_hop_goes_before);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  OutputsByValue outputs{field.bits, {}};
  outputs.output.assign(std::size_t{1} << field.bits, OutputsByValue::kAny);
  for (std::size_t value = 0; value < next_hops.size(); ++value) {
    if (!next_hops[value]) continue;
    const auto found = std::lower_bound(different.begin(), different.end(), *next_hops[value],
                                        next_hop_goes_before);
    outputs.output[value] = static_cast<std::int32_t>(found - different.begin());
  }
  Layers layers;
  for (const auto& layer : minimise(outputs)) {
    layers.emplace_back();
    for (const auto& [cube, which] : layer) {
      const Match match{field.place(cube.value), field.place(cube.mask)};
      layers.back().push_back(
          {.destination = match, .output = different[which].output, .cos = different[which].cos});
    }
  }
  return layers;
}

}  // namespace ebb::forwarding
