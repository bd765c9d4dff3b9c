// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/speed.hpp"

#include <charconv>

namespace ebb::gnmi {
namespace {

constexpr std::int64_t kMega = 1'000'000;
constexpr std::int64_t kGiga = 1'000'000'000;
constexpr std::int64_t kMost = 1'000'000;  // of either; a rate stays far from overflow
constexpr std::string_view kPrefix = "SPEED_";

}  // namespace

std::optional<std::string> speed_name(DataRate rate) {
  const std::int64_t count = rate.count();
  if (count <= 0 || count % kMega != 0 || count / kMega > kMost * 1000) return std::nullopt;
  const bool giga = count % kGiga == 0;
  return std::string(kPrefix) + std::to_string(count / (giga ? kGiga : kMega)) +
         (giga ? "GB" : "MB");
}

std::optional<DataRate> read_speed(std::string_view name) {
  if (const auto colon = name.find(':'); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (problem != std::errc{} || number <= 0 || number > kMost) return std::nullopt;
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  if (name == "MB") return bits_per_second(number * kMega);
  if (name == "GB") return bits_per_second(number * kGiga);
  return std::nullopt;
}

}  // namespace ebb::gnmi
