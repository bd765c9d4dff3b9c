// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/named_section.hpp"

#include "ebb/files/parameter_texts.hpp"
#include "ebb/files/shown.hpp"

#include <utility>

namespace ebb::files {
namespace {

struct Parts {
  Value name;
  KeyValues parameters;
};

std::optional<Parts> parts_of(const Value& value, std::string_view name_key, Diagnostics& errors) {
  if (!value.is_map()) return Parts{value, {}};
  Section section(value, errors);
  const auto name = section.require(name_key);
  if (!name) return std::nullopt;
  Parts parts{*name, section.entries()};
  std::erase_if(parts.parameters, [&](const auto& entry) { return entry.first == name_key; });
  return parts;
}

}  // namespace

std::optional<Named> read_named(const Value& value, Declared declared, Diagnostics& errors,
                                std::string_view name_key) {
  const auto parts = parts_of(value, name_key, errors);
  const auto name = parts ? parts->name.text(errors) : std::nullopt;
  if (!name) return std::nullopt;
  const auto known = declared(shown(*name));
  if (!known) {
    parts->name.report(errors, known.error().front().message);
    return std::nullopt;
  }
  auto resolved = Parameters::resolve(*known, parameter_texts(parts->parameters, errors));
  if (resolved) return Named{*name, resolved->texts()};
  report_parameters(std::move(resolved.error()), parts->parameters, value, errors);
  return std::nullopt;
}

}  // namespace ebb::files
