// SPDX-License-Identifier: Apache-2.0
#include "covered.hpp"

#include "cover.hpp"

#include <algorithm>

namespace ebb::rules {

Layers covered(const Field& field, std::span<const std::optional<ChannelId>> outputs) {
  std::vector<ChannelId> different;
  for (const auto& output : outputs) {
    if (output) different.push_back(*output);
  }
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  Colouring colouring{field.bits, {}};
  colouring.output.assign(std::size_t{1} << field.bits, Colouring::kAny);
  for (std::size_t value = 0; value < outputs.size(); ++value) {
    if (!outputs[value]) continue;
    const auto found = std::lower_bound(different.begin(), different.end(), *outputs[value]);
    colouring.output[value] = static_cast<std::int32_t>(found - different.begin());
  }
  Layers layers;
  for (const auto& layer : cover(colouring)) {
    layers.emplace_back();
    for (const auto& [cube, output] : layer) {
      const Match match{field.place(cube.value), field.place(cube.mask)};
      layers.back().push_back({.destination = match, .output = different[output]});
    }
  }
  return layers;
}

}  // namespace ebb::rules
