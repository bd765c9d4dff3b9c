// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/parts_file.hpp"

#include "parts_file_kinds.hpp"
#include "parts_file_numbers.hpp"

#include "ebb/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <system_error>

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

  // Ladders may stand in a later file than the chips that use them.
  void resolve() const {
    for (const Reference& reference : references_) resolve(reference);
  }

 private:
  struct Declared {
    std::string place;
    std::string kind;
    DataRate full_rate;  // of a ladder; zero when not known
  };
  struct Reference {
    Value value;
    std::string ladder;
    DataRate port_rate;
    Diagnostics* errors;
  };

  static DataRate full_rate(const power::Part& part) {
    const auto* ladder = std::get_if<power::Ladder>(&part.body);
    return ladder != nullptr && !ladder->steps.empty() ? ladder->steps.back().rate : DataRate{};
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
      part.body = parts::read_body(*kind, section, parts::Numbers(section, sources));
      remember_ladder(part, section, errors);
      section.finish();
    }
    declare(part, kind.value_or(""), value, errors);
    library_->add_part(std::move(part));
  }

  void remember_ladder(const power::Part& part, Section& section, Diagnostics& errors) {
    const auto* chip = std::get_if<power::Chip>(&part.body);
    if (chip == nullptr || !chip->ladder) return;
    references_.push_back({*section.find("ladder"), *chip->ladder, chip->port_rate, &errors});
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
    const auto found = declared_.find(reference.ladder);
    if (found == declared_.end()) {
      reference.value.report(*reference.errors,
                             unknown_name("ladder", reference.ladder.substr(0, 64), ladders()));
      return;
    }
    const Declared& ladder = found->second;
    if (ladder.kind != "ladder" && !ladder.kind.empty()) {
      reference.value.report(*reference.errors,
                             fmt::format("'{}' is a {}, not a ladder", found->first, ladder.kind));
      return;
    }
    const bool known = ladder.full_rate.count() != 0 && reference.port_rate.count() != 0;
    if (known && ladder.full_rate != reference.port_rate) {
      reference.value.report(
          *reference.errors,
          fmt::format("ladder '{}' ends at {}, but the ports run at {}", found->first,
                      to_text(ladder.full_rate), to_text(reference.port_rate)));
    }
  }

  std::vector<std::string> ladders() const {
    std::vector<std::string> names;
    for (const auto& [name, declared] : declared_) {
      if (declared.kind == "ladder") names.push_back(name);
    }
    return names;
  }

  power::Library* library_;
  std::map<std::string, Declared> declared_;
  std::vector<Reference> references_;
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
