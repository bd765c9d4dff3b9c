// SPDX-License-Identifier: Apache-2.0
#include "parts_file_numbers.hpp"

#include "ebb/core/suggest.hpp"

#include <algorithm>
#include <vector>

namespace ebb::files::parts {
namespace {

using power::Evidence;

const std::vector<std::string>& evidence_names() {
  static const std::vector<std::string> names = {std::string(power::to_text(Evidence::measured)),
                                                 std::string(power::to_text(Evidence::datasheet)),
                                                 std::string(power::to_text(Evidence::published)),
                                                 std::string(power::to_text(Evidence::assumed))};
  return names;
}

Evidence read_evidence(Section& source) {
  const auto written = source.require_one_of("evidence", evidence_names());
  if (!written) return Evidence::published;
  const auto at = std::find(evidence_names().begin(), evidence_names().end(), *written);
  return static_cast<Evidence>(at - evidence_names().begin());
}

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// YYYY or YYYY-MM.
bool is_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7) return false;
  if (!is_digits(text.substr(0, 4))) return false;
  if (text.size() == 4) return true;
  const std::string_view month = text.substr(5);
  return text[4] == '-' && is_digits(month) && month >= "01" && month <= "12";
}

std::string read_date(Section& source) {
  const auto value = source.require("date");
  const auto date = value ? value->text(source.errors()) : std::nullopt;
  if (!date) return {};
  if (!is_date(*date)) value->report(source.errors(), "expected a date like 2010 or 2010-06");
  return *date;
}

std::string read_title(Section& source) {
  const auto value = source.require("title");
  const auto title = value ? value->text(source.errors()) : std::nullopt;
  if (title && title->empty()) value->report(source.errors(), "the title is empty");
  return title.value_or("");
}

power::Source read_source(const std::string& id, const Value& value, Diagnostics& errors) {
  Section section(value, errors);
  power::Source source{.id = id};
  source.title = read_title(section);
  source.date = read_date(section);
  source.evidence = read_evidence(section);
  source.note = section.find_text("note").value_or("");
  if (source.evidence == Evidence::assumed && source.note.empty()) {
    value.report(errors, "an assumed source needs a note that says how its values were derived");
  }
  section.finish();
  return source;
}

}  // namespace

FileSources::FileSources(Section& file, power::Library& library) {
  const auto value = file.require("sources");
  if (!value) return;
  Section sources(*value, file.errors());
  for (const auto& [id, source] : sources.entries()) {
    by_id_[id] = library.add_source(read_source(id, source, file.errors()));
  }
}

std::uint32_t FileSources::index_of(const Value& id, Diagnostics& errors) const {
  const auto written = id.text(errors);
  if (!written) return 0;
  const auto found = by_id_.find(*written);
  if (found != by_id_.end()) return found->second;
  std::vector<std::string> ids;
  for (const auto& [known, index] : by_id_) ids.push_back(known);
  id.report(errors, unknown_name("source", written->substr(0, 40), ids));
  return 0;
}

Numbers::Numbers(Section& part, const FileSources& sources) : sources_(&sources) {
  if (const auto id = part.find("source")) default_ = sources.index_of(*id, part.errors());
}

std::uint32_t Numbers::default_of(const Value& value, Diagnostics& errors) const {
  if (!default_) {
    value.report(errors,
                 "this number has no source: give the part a 'source', or write "
                 "{value: ..., source: ...}");
  }
  return default_.value_or(0);
}

}  // namespace ebb::files::parts
