// SPDX-License-Identifier: Apache-2.0
//
// Where the lines of a time-independent trace stand: in one file for all ranks, or in the files
// that an index names.
#include "formats.hpp"
#include "simgrid_lines.hpp"

#include "ebb/core/text_lines.hpp"
#include "ebb/program/check.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace ebb::trace {
namespace {

// The first line that says something.
Words first_words(std::string_view text) {
  constexpr std::size_t kLookAt = 65'536;
  text = text.substr(0, kLookAt);
  while (!text.empty()) {
    Words words = action_words(take_line(text));
    if (!words.empty()) return words;
  }
  return {};
}

bool begins_with_action(std::string_view text) {
  const Words words = first_words(text);
  if (words.size() < 2 || !number_of_word(words[0])) return false;
  return is_simgrid_action(words[1]);
}

// The files that an index names, one on each line.
std::vector<std::string> files_of_index(const Input& input) {
  std::vector<std::string> paths;
  std::string_view rest = input.file->text();
  while (!rest.empty()) {
    const Words words = action_words(take_line(rest));
    if (words.empty()) continue;
    paths.push_back(std::filesystem::path(input.path).parent_path() / std::string(words.front()));
  }
  return paths;
}

bool recognizes_simgrid(const Input& input) {
  if (begins_with_action(input.file->text())) return true;
  const Words words = first_words(input.file->text());
  if (words.size() != 1 || words.front().size() > 1024) return false;
  const auto first = MappedFile::open(std::filesystem::path(input.path).parent_path() /
                                      std::string(words.front()));
  return first && begins_with_action((*first)->text());
}

// An index of one file names one for all ranks.
Result<Trace> read_simgrid_files(const Input& input, const Parameters& parameters) {
  if (begins_with_action(input.file->text())) {
    const NamedText text{input.path, input.file->text()};
    return read_simgrid({&text, 1}, false, input.path, parameters);
  }
  std::vector<std::shared_ptr<const MappedFile>> files;
  std::vector<NamedText> texts;
  Errors errors;
  for (const std::string& path : files_of_index(input)) {
    auto file = MappedFile::open(path);
    if (file) {
      texts.push_back({path, (*file)->text()});
      files.push_back(*std::move(file));
    } else if (errors.size() < program::kMostErrors) {
      errors.insert(errors.end(), file.error().begin(), file.error().end());
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  if (texts.empty()) return fail("names no files", {input.path});
  return read_simgrid(texts, texts.size() > 1, input.path, parameters);
}

}  // namespace

Format simgrid_format() {
  return {"simgrid", "time-independent trace of SimGrid, one file or an index of files",
          simgrid_parameters(), recognizes_simgrid, read_simgrid_files};
}

}  // namespace ebb::trace
