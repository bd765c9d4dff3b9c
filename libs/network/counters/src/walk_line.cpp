// SPDX-License-Identifier: Apache-2.0
#include "walk_line.hpp"

#include "ebb/core/text_lines.hpp"

namespace ebb::counters {

std::optional<WalkLine> walk_line(std::string_view line) {
  constexpr std::string_view kEquals = " = ";
  const std::size_t equals = line.find(kEquals);
  if (equals == std::string_view::npos) return std::nullopt;
  std::string_view name = trimmed(line.substr(0, equals));
  if (const std::size_t mib = name.rfind("::"); mib != std::string_view::npos)
    name.remove_prefix(mib + 2);
  if (name.starts_with('.')) name.remove_prefix(1);
  constexpr std::string_view kIso = "iso.";
  return WalkLine{
      name.starts_with(kIso) ? "1." + std::string(name.substr(kIso.size())) : std::string(name),
      line.substr(equals + kEquals.size())};
}

std::optional<std::string> index_of(const WalkLine& line, std::string_view name,
                                    std::string_view number) {
  for (const std::string_view one : {name, number}) {
    if (line.object.size() > one.size() + 1 && line.object.starts_with(one) &&
        line.object[one.size()] == '.')
      return line.object.substr(one.size() + 1);
  }
  return std::nullopt;
}

std::string_view text_of(std::string_view value) {
  const std::size_t colon = value.find(": ");
  if (colon == std::string_view::npos) return {};
  const std::string_view text = trimmed(value.substr(colon + 2));
  return text.size() > 1 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace ebb::counters
