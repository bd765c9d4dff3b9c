// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/parts_file.hpp"

#include "parts_file_kinds.hpp"
#include "parts_file_supply.hpp"

#include "ebb/core/names.hpp"
#include "ebb/power/model.hpp"
#include "ebb/power/power_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <system_error>
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

namespace ebb::files {
namespace {

// Part files are written by hand; ours are below 20 kB.
constexpr std::size_t kLargestPartsFile = std::size_t{256} * 1024;
constexpr std::int64_t kSchemaVersion = 1;

// Names are typed on command lines, so they need no quotes there.
bool is_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), allowed);
}

class Reader {
 public:
  explicit Reader(power::Library& library) : library_(&library) {
    for (const power::Part& part : library.parts()) {
      declared_[part.name] = {"the library", std::string(kind_of(part)), full_rate(part)};
    }
  }

  void read(std::string_view text, Diagnostics& errors) {
    const auto root = read_yaml(text, errors);
    if (!root) return;
    Section file(*root, errors);
    file.require_schema_version(kSchemaVersion);
    const parts::FileSources sources(file, *library_);
    if (const auto value = file.require("parts")) {
      Section all(*value, errors);
      for (const auto& [name, part] : all.entries()) read_part(name, part, sources, errors);
    }
    file.finish();
  }

  // Rate tables may stand in a later file than the chips that use them.
  void resolve() const {
    for (const Reference& reference : references_) resolve(reference);
    for (const ChipReference& reference : chips_) resolve(reference);
    for (const SupplyReference& reference : supplies_) resolve(reference);
  }

 private:
  struct Declared {
    std::string place;
    std::string kind;
    DataRate full_rate;  // of a rate table; zero when not known
  };
  struct Reference {
    Value value;
    std::string rate_table;
    DataRate port_rate;
    Diagnostics* errors;
  };
  // Of a box, to the chip inside.
  struct ChipReference {
    Value value;
    std::string chip;
    Power base;
    Power groups;
    Diagnostics* errors;
  };

  // Of a chip, to its power supply.
  struct SupplyReference {
    Value value;
    power::SupplyChoice choice;
    Power chip;
    Diagnostics* errors;
  };

  static DataRate full_rate(const power::Part& part) {
    const auto* rate_table = std::get_if<power::RateTable>(&part.body);
    return rate_table != nullptr && !rate_table->steps.empty() ? rate_table->steps.back().rate
                                                               : DataRate{};
  }

  void read_part(const std::string& name, const Value& value, const parts::FileSources& sources,
                 Diagnostics& errors) {
    if (!is_name(name)) {
      value.report(errors, "a part's name is made of 1 to 64 of a-z, 0-9, '-' and '.'");
    }
    Section section(value, errors);
    const auto kind = section.require_one_of("kind", parts::kind_names());
    power::Part part{.name = name, .summary = section.require_text("summary").value_or("")};
    if (kind) {
      const parts::Numbers numbers(section, sources);
      part.body = parts::read_body(*kind, section, numbers);
      if (*kind != "rate_table" && *kind != "components" && *kind != "power_supply")
        part.price = numbers.find(section, "price", parts::kPrices);
      remember_rate_table(part, section, errors);
      remember_chip(part, section, errors);
      remember_supply(part, section, errors);
      section.finish();
    }
    declare(part, kind.value_or(""), value, errors);
    library_->add_part(std::move(part));
  }

  void remember_rate_table(const power::Part& part, Section& section, Diagnostics& errors) {
    const auto* chip = std::get_if<power::Chip>(&part.body);
    if (chip == nullptr || !chip->rate_table) return;
    references_.push_back(
        {*section.find("rate_table"), *chip->rate_table, chip->port_rate, &errors});
  }

  void remember_chip(const power::Part& part, Section& section, Diagnostics& errors) {
    const auto* box = std::get_if<power::Box>(&part.body);
    if (box == nullptr || !box->chip) return;
    chips_.push_back({*section.find("chip"), *box->chip, box->base.value,
                      power::awake_power(box->groups, box->ports), &errors});
  }

  void remember_supply(const power::Part& part, Section& section, Diagnostics& errors) {
    const auto* chip = std::get_if<power::Chip>(&part.body);
    if (chip == nullptr || !chip->supply || chip->supply->part.empty()) return;
    supplies_.push_back({*section.find("supply"), *chip->supply, chip->power.value, &errors});
  }

  void declare(const power::Part& part, const std::string& kind, const Value& value,
               Diagnostics& errors) {
    const auto [at, fresh] = declared_.try_emplace(
        part.name,
        Declared{fmt::format("{}:{}", errors.file(), value.line()), kind, full_rate(part)});
    if (!fresh) {
      value.report(errors, fmt::format("part '{}' is already defined in {}",
                                       part.name.substr(0, 64), at->second.place));
    }
  }

  void resolve(const Reference& reference) const {
    const auto found = declared_.find(reference.rate_table);
    if (found == declared_.end()) {
      reference.value.report(
          *reference.errors,
          unknown_name("rate table", reference.rate_table.substr(0, 64), names_of("rate_table")));
      return;
    }
    const Declared& rate_table = found->second;
    if (rate_table.kind != "rate_table" && !rate_table.kind.empty()) {
      reference.value.report(*reference.errors, fmt::format("'{}' is a {}, not a rate table",
                                                            found->first, rate_table.kind));
      return;
    }
    const bool known = rate_table.full_rate.count() != 0 && reference.port_rate.count() != 0;
    if (known && rate_table.full_rate != reference.port_rate) {
      reference.value.report(
          *reference.errors,
          fmt::format("rate table '{}' ends at {}, but the ports run at {}", found->first,
                      to_text(rate_table.full_rate), to_text(reference.port_rate)));
    }
  }

  void resolve(const ChipReference& reference) const {
    const auto found = declared_.find(reference.chip);
    if (found == declared_.end()) {
      reference.value.report(*reference.errors,
                             unknown_name("chip", shown(reference.chip), names_of("chip")));
      return;
    }
    const auto chip = library_->find_as<power::Chip>(reference.chip);
    if (!chip && !found->second.kind.empty()) {
      reference.value.report(*reference.errors, fmt::format("'{}' is a {}, not a chip",
                                                            found->first, found->second.kind));
    }
    if (chip && reference.base < power::chip_power(**chip)) {
      reference.value.report(*reference.errors,
                             fmt::format("'{}' draws {}, more than the base of the box around it",
                                         found->first, to_text(power::chip_power(**chip))));
      return;
    }
    const Power links = chip ? power::chip_power(**chip) - power::core_power(**chip) : Power{};
    if (reference.base < reference.groups + links) {
      reference.value.report(
          *reference.errors,
          fmt::format("its links draw {} and the groups of the box {}: more than the base {}",
                      to_text(links), to_text(reference.groups), to_text(reference.base)));
    }
  }

  void resolve(const SupplyReference& reference) const {
    const std::string& name = reference.choice.part;
    const auto found = declared_.find(name);
    if (found == declared_.end()) {
      reference.value.report(*reference.errors,
                             unknown_name("power supply", shown(name), names_of("power_supply")));
      return;
    }
    const auto supply = library_->find_as<power::PowerSupply>(name);
    if (supply) {
      parts::check_supply(reference.value, reference.choice, **supply, reference.chip,
                          *reference.errors);
    } else if (!found->second.kind.empty()) {
      reference.value.report(*reference.errors, fmt::format("'{}' is a {}, not a power supply",
                                                            name, found->second.kind));
    }
  }

  std::vector<std::string> names_of(std::string_view kind) const {
    std::vector<std::string> names;
    for (const auto& [name, declared] : declared_) {
      if (declared.kind == kind) names.push_back(name);
    }
    return names;
  }

  power::Library* library_;
  std::map<std::string, Declared> declared_;
  std::vector<Reference> references_;
  std::vector<ChipReference> chips_;
  std::vector<SupplyReference> supplies_;
};

void append(Errors& all, Errors more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

void read_parts_text(std::string_view text, Diagnostics& errors, power::Library& library) {
  Reader reader(library);
  reader.read(text, errors);
  reader.resolve();
}

Result<power::Library> read_parts(const std::vector<std::string>& files) {
  power::Library library;
  Reader reader(library);
  std::deque<Diagnostics> diagnostics;  // references stay valid as it grows
  Errors all;
  for (const std::string& file : files) {
    Diagnostics& errors = diagnostics.emplace_back(file);
    const auto text = read_file(file, kLargestPartsFile);
    if (text) reader.read(*text, errors);
    if (!text) append(all, text.error());
  }
  reader.resolve();
  for (Diagnostics& errors : diagnostics) append(all, errors.take());
  if (!all.empty()) return fail(std::move(all));
  return library;
}

Result<std::vector<std::string>> part_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".yaml") files.push_back(at->path().string());
  }
  if (error) return fail(error.message(), {folder});
  if (files.empty()) return fail("no .yaml file in this folder", {folder});
  std::sort(files.begin(), files.end());
  return files;
}

Result<power::Library> read_parts_folder(const std::string& folder) {
  const auto files = part_files(folder);
  if (!files) return fail(files.error());
  return read_parts(*files);
}

}  // namespace ebb::files
