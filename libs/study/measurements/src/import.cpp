// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/import.hpp"

#include "box_maker.hpp"
#include "readings.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace ebb::measurements {
namespace {

using files::Diagnostics;
using files::Section;

// Files in the order in which they were given; power models of one device are one box.
class Importer {
 public:
  explicit Importer(const ImportOptions& options) : options_(options) {}

  void read(const ImportText& text) {
    Diagnostics& errors = diagnostics_.emplace_back(text.file);
    const auto root = files::read_yaml(text.text, errors);
    if (!root) return;
    Section file(*root, errors);
    if (!root->is_map()) return;
    if (file.find("metadata") || file.find("Power_model") || file.find("P_BASE")) {
      if (auto model = read_power_model(file)) add({std::move(*model), text.file});
    } else if (file.find("manufacturer") || file.find("typical_power_draw")) {
      if (auto sheet = read_data_sheet(file)) add(std::move(*sheet));
    } else {
      root->report(errors,
                   "neither a power model, which has 'metadata', 'Power_model' or 'P_BASE', nor a "
                   "data sheet, which has 'manufacturer'");
    }
  }

  Result<Imported> finish() {
    Errors errors;
    for (Diagnostics& found : diagnostics_) {
      for (Error& error : found.take()) errors.push_back(std::move(error));
    }
    check_options(errors);
    Imported imported;
    for (const Device& device : devices_) {
      BoxMaker box(device.name, options_, errors);
      if (device.sheet) {
        box.add(*device.sheet, imported.boxes, imported.gaps);
      } else {
        box.add(device.models, imported.boxes, imported.gaps);
      }
    }
    if (!errors.empty()) return fail(std::move(errors));
    return imported;
  }

 private:
  struct Device {
    std::string name;
    Location where;
    std::vector<ModelOfFile> models;
    std::optional<DataSheet> sheet;
  };

  void add(ModelOfFile from) {
    const std::string name = from.model.device;
    const auto same = [&](const Device& device) { return device.name == name && !device.sheet; };
    const auto found = std::find_if(devices_.begin(), devices_.end(), same);
    if (found != devices_.end()) {
      found->models.push_back(std::move(from));
    } else if (is_new(name, from.model.where)) {
      devices_.push_back({name, from.model.where, {}, {}});
      devices_.back().models.push_back(std::move(from));
    }
  }

  void add(DataSheet sheet) {
    const std::string name = sheet.device;
    if (is_new(name, sheet.where)) devices_.push_back({name, sheet.where, {}, std::move(sheet)});
  }

  // Names that differ in letters of which a part's name knows nothing are the same.
  bool is_new(const std::string& name, const Location& where) {
    for (const Device& device : devices_) {
      if (part_name(device.name) != part_name(name)) continue;
      diagnostics_.back().add(fmt::format("part '{}' is already given by {}:{}", part_name(name),
                                          device.where.file, device.where.line),
                              where.line, where.column);
      return false;
    }
    return true;
  }

  void check_options(Errors& errors) const {
    std::vector<std::string> names;
    for (const Device& device : devices_) names.push_back(device.name);
    if (names.empty()) return;
    for (const auto& [name, counts] : options_.ports) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      errors.push_back({"--ports: " + unknown_name("device", shown(name), names), {}});
    }
  }

  const ImportOptions& options_;
  std::deque<Diagnostics> diagnostics_;
  std::vector<Device> devices_;
};

}  // namespace

Result<std::vector<PortCount>> parse_port_counts(std::string_view text) {
  constexpr std::uint64_t kMostPorts = 4096;
  std::vector<PortCount> counts;
  std::uint64_t total = 0;
  for (const std::string_view part : fields_of(text, ',')) {
    const std::size_t cross = part.find('x');
    TextLines number(part.substr(0, cross), "");
    const auto count = number.next()
                           ? number.whole(number.line(), "a number of ports", 1, kMostPorts)
                           : std::nullopt;
    if (!count || (cross != std::string_view::npos && cross + 1 == part.size())) {
      return fail(
          fmt::format("expected numbers of ports as 36, 32xQSFP28,4xQSFP-DD or "
                      "32x400Gb/s, got '{}'",
                      shown(text)));
    }
    const bool has_kind = cross != std::string_view::npos;
    counts.push_back(
        {static_cast<int>(*count), has_kind ? std::string(part.substr(cross + 1)) : std::string()});
    total += *count;
  }
  if (total > kMostPorts) return fail(fmt::format("a box has at most {} ports", kMostPorts));
  return counts;
}

bool is_part_name(std::string_view text) { return !text.empty() && text == part_name(text); }

Result<Imported> import_boxes(std::span<const ImportText> texts, const ImportOptions& options) {
  Importer importer(options);
  for (const ImportText& text : texts) importer.read(text);
  return importer.finish();
}

}  // namespace ebb::measurements
