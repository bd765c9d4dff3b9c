// SPDX-License-Identifier: Apache-2.0
//
// Boxes and power supplies as a part file. Every text is written so that YAML reads it back as it
// is.
#include "ebb/measurements/import.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace ebb::measurements {
namespace {

using power::Box;
using power::Library;
using power::PortSetup;
using power::PowerSupply;
using power::Sourced;

// Letters, digits and a few marks between them need no quotes, except the word for nothing.
bool is_plain(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == ' ' || c == '.' || c == '-' || c == '+' || c == '/';
  };
  if (text.empty() || std::isalnum(static_cast<unsigned char>(text.front())) == 0) return false;
  if (text == "null" || text == "Null" || text == "NULL" || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), allowed);
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      result += '\\';
      result += letter;
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += letter;
    }
  }
  return result + '"';
}

std::string scalar(std::string_view text) {
  return is_plain(text) ? std::string(text) : double_quoted(text);
}

class PartsWriter {
 public:
  explicit PartsWriter(const Library& library) : library_(library) {}

  std::string text() {
    line("schema_version: 1\n\nsources:");
    for (const power::Source& source : library_.sources()) write(source);
    line("\nparts:");
    for (const power::Part& part : library_.parts()) {
      if (const auto* box = std::get_if<Box>(&part.body)) write(part, *box);
      if (const auto* supply = std::get_if<PowerSupply>(&part.body)) write(part, *supply);
    }
    return std::move(text_);
  }

 private:
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }

  void write(const power::Source& source) {
    line(fmt::format("  {}:", scalar(source.id)));
    line(fmt::format("    title: {}", double_quoted(source.title)));
    line(fmt::format("    date: {}", source.date));
    line(fmt::format("    evidence: {}", to_text(source.evidence)));
    if (!source.note.empty()) line(fmt::format("    note: {}", double_quoted(source.note)));
  }

  void begin(const power::Part& part, std::string_view kind, std::uint32_t source) {
    part_source_ = source;
    line(fmt::format("  {}:", scalar(part.name)));
    line(fmt::format("    kind: {}", kind));
    line(fmt::format("    summary: {}", double_quoted(part.summary)));
    line(fmt::format("    source: {}", scalar(library_.source(part_source_).id)));
  }

  void write(const power::Part& part, const PowerSupply& supply) {
    begin(part, "power_supply", supply.efficiency.front().efficiency.source);
    if (supply.rated) line(fmt::format("    rated: {}", number(*supply.rated)));
    line("    efficiency:");
    for (const power::EfficiencyPoint& point : supply.efficiency) {
      line(fmt::format("      - {{load: {}, efficiency: {}}}", to_text(point.load),
                       number(point.efficiency)));
    }
  }

  void write(const power::Part& part, const Box& box) {
    begin(part, "box", box.base.source);
    line(fmt::format("    ports: {}", box.ports));
    line(fmt::format("    base: {}", number(box.base)));
    line("    setups:");
    for (const PortSetup& setup : box.setups) write(setup);
  }

  void write(const PortSetup& setup) {
    line(fmt::format("      - name: {}", scalar(setup.name)));
    line(fmt::format("        medium: {}", setup.medium));
    line(fmt::format("        rate: {}", to_text(setup.rate)));
    if (setup.ports) line(fmt::format("        ports: {}", *setup.ports));
    line(fmt::format("        port: {}", number(setup.port)));
    line(fmt::format("        plugged: {}", number(setup.plugged)));
    line(fmt::format("        up: {}", number(setup.up)));
    if (const auto& energy = setup.energy_per_bit)
      line(fmt::format("        energy_per_bit: {}", number(*energy)));
    if (const auto& energy = setup.energy_per_packet)
      line(fmt::format("        energy_per_packet: {}", number(*energy)));
  }

  template <class T>
  [[nodiscard]] std::string number(const Sourced<T>& number) const {
    if (number.source == part_source_) return to_text(number.value);
    return fmt::format("{{value: {}, source: {}}}", to_text(number.value),
                       scalar(library_.source(number.source).id));
  }

  const Library& library_;
  std::uint32_t part_source_ = 0;
  std::string text_;
};

}  // namespace

std::string parts_text(const Library& library) { return PartsWriter(library).text(); }

}  // namespace ebb::measurements
