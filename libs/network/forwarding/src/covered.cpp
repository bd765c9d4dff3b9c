// SPDX-License-Identifier: Apache-2.0
#include "covered.hpp"

#include "cover.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace ebb::forwarding {

namespace {

bool goes_before(const Way::Step& a, const Way::Step& b) {
  return std::tuple(a.output, a.cos) < std::tuple(b.output, b.cos);
}

}  // namespace

Layers covered(const Field& field, std::span<const std::optional<Way::Step>> steps) {
  std::vector<Way::Step> different;
  for (const auto& step : steps) {
    if (step) different.push_back(*step);
  }
  std::sort(different.begin(), different.end(), goes_before);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  Colouring colouring{field.bits, {}};
  colouring.output.assign(std::size_t{1} << field.bits, Colouring::kAny);
  for (std::size_t value = 0; value < steps.size(); ++value) {
    if (!steps[value]) continue;
    const auto found =
        std::lower_bound(different.begin(), different.end(), *steps[value], goes_before);
    colouring.output[value] = static_cast<std::int32_t>(found - different.begin());
  }
  Layers layers;
  for (const auto& layer : cover(colouring)) {
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
