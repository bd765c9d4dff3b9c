// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

namespace ebb::policy {

Errors check(std::span<const Way> ways) {
  Errors errors;
  std::map<ChannelId, std::uint32_t> device_of;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Way& way = ways[i];
    const auto report = [&](std::string_view message) {
      errors.push_back({std::string(message), {.path = fmt::format("ways[{}]", i)}});
    };
    if (way.channels.empty()) report("a way has at least one channel");
    if (std::adjacent_find(way.channels.begin(), way.channels.end(), std::greater_equal<>()) !=
        way.channels.end())
      report("the channels of a way must ascend");
    if (i > 0 && std::tie(way.device, way.destination) <
                     std::tie(ways[i - 1].device, ways[i - 1].destination))
      report("ways must ascend by device, then destination");
    const bool elsewhere =
        std::any_of(way.channels.begin(), way.channels.end(), [&](ChannelId channel) {
          return device_of.try_emplace(channel, way.device).first->second != way.device;
        });
    if (elsewhere) report("a channel of this way leaves another device");
  }
  return errors;
}

}  // namespace ebb::policy
