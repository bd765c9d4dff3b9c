// SPDX-License-Identifier: Apache-2.0
//
// Data sheets as entries of NetworkPowerZoo: the typical and the maximum power of a whole box.
#include "readings.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace ebb::measurements {
namespace {

using files::Section;
using files::Value;

bool has_content(const std::optional<Value>& value) { return value && !is_null(*value); }

struct Draw {
  Reading watts;
  std::string description;
};

// {value, unit, description}, or null.
Draw read_draw(Section& file, std::string_view key) {
  const auto value = file.find(key);
  if (!has_content(value)) return {.watts = find_number(file, key)};
  Section draw(*value, file.errors());
  Draw result{.watts = find_number(draw, "value")};
  const auto unit = draw.find("unit");
  if (has_content(unit) && result.watts.value) {
    const auto written = unit->text(file.errors());
    if (written && *written == "kW") *result.watts.value *= 1000;
    if (written && *written != "W" && *written != "kW") {
      unit->report(file.errors(), fmt::format("expected W or kW, got '{}'", shown(*written)));
    }
  }
  result.description = find_text_or_null(draw, "description");
  draw.finish();
  return result;
}

std::string read_throughput(Section& file) {
  const auto value = file.find("max_throughput");
  if (!has_content(value)) return {};
  Section throughput(*value, file.errors());
  const std::string number = find_text_or_null(throughput, "value");
  const std::string unit = find_text_or_null(throughput, "unit");
  throughput.finish();
  return number.empty() ? "" : fmt::format("Throughput {} {}. ", number, unit);
}

// What is neither power nor name: it is known, so that a mistyped key is told from it.
void ask_for_the_rest(Section& file) {
  for (const std::string_view key :
       {"u_height", "part_number", "series", "release_date", "end_of_sale_date",
        "end_of_support_date", "is_poe_capable", "max_poe_draw", "psu"}) {
    static_cast<void>(file.find(key));
  }
}

std::string sentence(std::string_view before, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("{}{}{}", before, text, text.ends_with('.') ? " " : ". ");
}

}  // namespace

std::optional<DataSheet> read_data_sheet(Section& file) {
  DataSheet sheet;
  const Value& top = file.value();
  sheet.where = place_of(top, file.errors());
  for (const std::string_view key : {"manufacturer", "model"}) {
    const std::string text = find_text_or_null(file, key);
    if (text.empty()) {
      file.find(key).value_or(top).report(file.errors(), fmt::format("'{}' is not given", key));
    }
    sheet.name += (sheet.name.empty() ? "" : " ") + text;
    if (key == "model") sheet.device = text;
  }
  const std::string slug = find_text_or_null(file, "slug");
  if (!slug.empty()) sheet.device = slug;
  const Draw typical = read_draw(file, "typical_power_draw");
  const Draw maximum = read_draw(file, "max_power_draw");
  sheet.typical = typical.watts;
  sheet.notes = sentence("Typical power: ", typical.description);
  if (maximum.watts.value) sheet.notes += fmt::format("At most {} W. ", *maximum.watts.value);
  sheet.notes += sentence("Maximum power: ", maximum.description);
  sheet.notes += read_throughput(file);
  sheet.notes += sentence("Data sheet: ", find_text_or_null(file, "datasheet_url"));
  static_cast<void>(find_text_or_null(file, "datasheet_pdf"));
  ask_for_the_rest(file);
  file.finish();
  if (sheet.device.empty()) return std::nullopt;
  return sheet;
}

}  // namespace ebb::measurements
