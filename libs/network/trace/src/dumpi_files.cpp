// SPDX-License-Identifier: Apache-2.0
//
// The files of a DUMPI trace: PREFIX-NNNN.txt, where NNNN is the rank. One of them names all.
#include "formats.hpp"

#include "ebb/program/check.hpp"
#include "ebb/trace/mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

namespace ebb::trace {
namespace {

// "jacobi-0003.txt": "jacobi-", 3.
struct RankFile {
  std::string prefix;
  std::uint32_t rank = 0;
};

std::optional<RankFile> rank_file(const std::filesystem::path& path) {
  const std::string name = path.stem();
  const auto digits = name.find_last_not_of("0123456789");
  const std::string_view number =
      std::string_view(name).substr(digits == std::string::npos ? 0 : digits + 1);
  RankFile file{name.substr(0, name.size() - number.size()), 0};
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), file.rank);
  if (error != std::errc()) return std::nullopt;
  return file;
}

bool recognizes_dumpi(const Input& input) {
  constexpr std::size_t kLookAt = 65'536;
  return input.file->text().substr(0, kLookAt).find(" entering at walltime ") !=
         std::string_view::npos;
}

// By rank: those of the folder that differ in nothing but the rank.
std::map<std::uint32_t, std::string> files_beside(const std::filesystem::path& path) {
  std::map<std::uint32_t, std::string> files;
  const auto named = rank_file(path);
  const auto folder = path.parent_path();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(
           folder.empty() ? std::filesystem::path(".") : folder, ignored)) {
    const auto other = rank_file(entry.path());
    if (named && other && other->prefix == named->prefix &&
        entry.path().extension() == path.extension())
      files.emplace(other->rank, folder / entry.path().filename());
  }
  return files;
}

Result<Trace> read_dumpi_files(const Input& input, const Parameters& parameters) {
  if (!rank_file(input.path)) {
    return fail("a DUMPI trace is in files that end with their rank, as trace-0003.txt",
                {input.path});
  }
  std::vector<std::shared_ptr<const MappedFile>> files;
  std::vector<NamedText> texts;
  Errors errors;
  for (const auto& [rank, path] : files_beside(input.path)) {
    if (rank != texts.size()) {
      return fail(fmt::format("there is a file of rank {} and none of rank {}", rank, texts.size()),
                  {path});
    }
    auto file = MappedFile::open(path);
    if (!file) return fail(file.error());
    texts.push_back({path, (*file)->text()});
    files.push_back(*std::move(file));
  }
  return read_dumpi(texts, input.path, parameters);
}

}  // namespace

Format dumpi_format() {
  return {"dumpi",
          "DUMPI of SST as dumpi2ascii prints it: a text for each rank, named by one of them",
          dumpi_parameters(), recognizes_dumpi, read_dumpi_files};
}

}  // namespace ebb::trace
