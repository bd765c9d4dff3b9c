// SPDX-License-Identifier: Apache-2.0
//
// The files of a Chakra trace: PREFIX.N.et of each rank N, and PREFIX.json, which names groups of
// ranks, where there is one.
#include "ebb/trace/chakra.hpp"

#include "chakra_nodes.hpp"
#include "formats.hpp"

#include "ebb/program/check.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace ebb::trace {
namespace {

constexpr std::string_view kChakraEnding = ".et";
constexpr std::int64_t kMostChakraRanks = 100'000;

// Of a name PREFIX.N.et.
struct RankFileName {
  std::string prefix;
  std::uint32_t rank = 0;
};

std::optional<RankFileName> rank_file_name(std::string_view name) {
  if (!name.ends_with(kChakraEnding)) return std::nullopt;
  name.remove_suffix(kChakraEnding.size());
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  RankFileName found{std::string(name.substr(0, dot)), 0};
  const std::string_view digits = name.substr(dot + 1);
  const auto end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, found.rank);
  const bool is_number = error == std::errc() && at == end && std::to_string(found.rank) == digits;
  return is_number ? std::optional(std::move(found)) : std::nullopt;
}

// The paths of all ranks, by rank; of the named file alone when its name has no rank.
Result<std::vector<std::string>> rank_files(const std::string& path) {
  const std::filesystem::path named(path);
  const auto name = rank_file_name(named.filename().string());
  if (!name) return std::vector{path};
  std::set<std::uint32_t> ranks;
  const auto folder = named.has_parent_path() ? named.parent_path() : std::filesystem::path(".");
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const auto other = rank_file_name(at->path().filename().string());
    if (other && other->prefix == name->prefix) ranks.insert(other->rank);
  }
  if (error) return fail(error.message(), {folder.string()});
  Errors errors;
  std::vector<std::string> paths;
  paths.reserve(ranks.size());
  for (std::uint32_t rank = 0; rank <= *ranks.rbegin(); ++rank) {
    const auto file = fmt::format("{}.{}{}", name->prefix, rank, kChakraEnding);
    paths.push_back((named.parent_path() / file).string());
    if (ranks.contains(rank)) continue;
    errors.push_back({"is missing: a trace has a file for each rank", {paths.back()}});
    if (errors.size() >= program::kMostErrors) break;
  }
  if (!errors.empty()) return fail(std::move(errors));
  return paths;
}

bool recognizes_chakra(const Input& input) {
#if EBB_HAVE_CHAKRA
  return is_chakra(input.file->text());
#else
  return input.path.ends_with(kChakraEnding);
#endif
}

Result<Trace> read_chakra_files(const Input& input, const Parameters& parameters) {
  if (!chakra_missing().empty()) return fail(std::string(chakra_missing()), {input.path});
  const auto paths = rank_files(input.path);
  if (!paths) return fail(paths.error());
  Errors errors;
  std::vector<std::shared_ptr<const MappedFile>> mapped;
  std::vector<ChakraFile> files;
  const auto open = [&](const std::string& path) -> ChakraFile {
    auto file = MappedFile::open(path);
    if (!file) {
      errors.insert(errors.end(), file.error().begin(), file.error().end());
      return {path, {}};
    }
    mapped.push_back(*std::move(file));
    return {path, mapped.back()->text()};
  };
  files.reserve(paths->size());
  for (const std::string& path : *paths) files.push_back(open(path));
  ChakraFile groups;
  if (const auto name = rank_file_name(input.path); name) {
    const std::string path = name->prefix + ".json";
    if (std::filesystem::exists(path)) groups = open(path);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return read_chakra(files, groups, parameters);
}

std::vector<std::string> all_reduce_algorithms() {
  const auto names = program::algorithms(program::Collective::Kind::all_reduce);
  return {names.begin(), names.end()};
}

}  // namespace

std::string_view chakra_missing() {
#if EBB_HAVE_CHAKRA
  return {};
#else
  return "Chakra is not built in: needs libprotobuf-dev and protobuf-compiler when ebb is built";
#endif
}

Format chakra_format() {
  const std::vector<std::string> all_reduce = all_reduce_algorithms();
  return {"chakra",
          chakra_missing().empty()
              ? "Chakra execution traces of MLCommons and astra-sim, PREFIX.N.et of each rank N"
              : "Chakra execution traces (not built in: needs libprotobuf)",
          {{"ranks", Range<std::int64_t>{0, kMostChakraRanks}, "0",
            "ranks that all do what one file says; 0: each its own file"},
           {"dimensions", WholeList{0, kMostChakraRanks}, "0",
            "of the network, for collectives along some of them; 0: one dimension"},
           {"all_reduce", Choice{all_reduce}, all_reduce.front(), "algorithm of all-reduces"}},
          recognizes_chakra,
          read_chakra_files};
}

#if !EBB_HAVE_CHAKRA
Result<Trace> read_chakra(std::span<const ChakraFile>, const ChakraFile&, const Parameters&) {
  return fail(std::string(chakra_missing()));
}
Result<std::vector<std::string>> chakra_losses(const program::Program&) {
  return fail(std::string(chakra_missing()));
}
std::string chakra_file(const program::Program&, std::uint32_t) { return {}; }
#endif

}  // namespace ebb::trace
