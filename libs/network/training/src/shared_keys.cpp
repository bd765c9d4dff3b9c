// SPDX-License-Identifier: Apache-2.0
#include "shared_keys.hpp"

#include "ebb/core/text_lines.hpp"

#include <algorithm>
#include <utility>

namespace ebb::training {
namespace {

constexpr std::size_t kMostModelBytes = 1 << 20;
constexpr std::string_view kSharedKeys[] = {"ebb", "schema_version", "model"};

}  // namespace

bool begins_with_line(std::string_view text, std::string_view line) {
  TextLines lines(text, {});
  return lines.next() && lines.line() == line;
}

std::optional<Model> read_model_key(files::Section& section, files::Diagnostics& errors) {
  const auto value = section.require("model");
  const auto text = value ? value->text(errors) : std::nullopt;
  if (!text) return std::nullopt;
  auto model = [&]() -> Result<Model> {
    if (!text->ends_with(".yaml")) return find_model(*text);
    const std::string path = files::beside(errors.file(), *text);
    const auto file = files::read_file(path, kMostModelBytes);
    return file ? read_model(*file, path) : Result<Model>(fail(file.error()));
  }();
  if (model) return *std::move(model);
  for (const Error& error : model.error())
    value->report(errors, error.where.file.empty() ? error.message : to_string(error));
  return std::nullopt;
}

files::KeyValues parameter_keys(files::Section& section, std::span<const std::string_view> others) {
  files::KeyValues given = section.entries();
  std::erase_if(given, [&](const auto& entry) {
    return std::ranges::find(kSharedKeys, entry.first) != std::end(kSharedKeys) ||
           std::ranges::find(others, entry.first) != others.end();
  });
  return given;
}

}  // namespace ebb::training
