// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/memory.hpp"

#include "ebb/core/descriptor.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <sys/syscall.h>

namespace ebb::controller {
namespace {

namespace fs = std::filesystem;
using controller::LinkMemory;
using controller::LinkState;
using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr int kVersion = 1;
constexpr std::string_view kPrefix = "memory.";
constexpr std::string_view kSuffix = ".json";
constexpr std::array kStates = {LinkState::active, LinkState::draining, LinkState::asleep,
                                LinkState::waking, LinkState::failed};

std::string path_of(const std::string& folder, std::uint64_t generation) {
  return fmt::format("{}/{}{}{}", folder, kPrefix, generation, kSuffix);
}

// The generation in a name; nothing: the file is none of ours.
std::optional<std::uint64_t> generation_in(const std::string& name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  const char* begin = name.data() + kPrefix.size();
  const char* end = name.data() + name.size() - kSuffix.size();
  std::uint64_t generation = 0;
  const auto [rest, problem] = std::from_chars(begin, end, generation);
  return problem == std::errc{} && rest == end ? std::optional(generation) : std::nullopt;
}

// The newest first.
std::vector<std::uint64_t> generations_in(const std::string& folder) {
  std::vector<std::uint64_t> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (const auto generation = generation_in(entry.path().filename().string()))
      found.push_back(*generation);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

Json json_of(const std::string& name, const LinkMemory& link, WallTime now) {
  Json changed = Json::array();
  for (const Duration ago : link.changed) {
    changed.push_back(
        (now - std::chrono::duration_cast<milliseconds>(ago)).time_since_epoch().count());
  }
  return {{"link", name},
          {"state", to_text(link.state)},
          {"why", link.why},
          {"taken_out", link.taken_out},
          {"changed_unix_ms", std::move(changed)}};
}

Json json_of(const Memory& memory, const std::string& fabric, WallTime now) {
  Json links = Json::array();
  for (const auto& [name, link] : memory.links) links.push_back(json_of(name, link, now));
  return {{"schema_version", kVersion},
          {"fabric", fabric},
          {"generation", memory.generation},
          {"links", std::move(links)}};
}

LinkMemory link_of(const Json& json, WallTime now) {
  LinkMemory link;
  const auto state = json.at("state").get<std::string>();
  const auto known = std::find_if(kStates.begin(), kStates.end(),
                                  [&](LinkState one) { return to_text(one) == state; });
  if (known == kStates.end()) throw std::invalid_argument("a link has no state '" + state + "'");
  link.state = *known;
  link.why = json.at("why").get<std::string>();
  link.taken_out = json.at("taken_out").get<bool>();
  for (const Json& at : json.at("changed_unix_ms")) {
    // In milliseconds until it is known to be small: what a file says may not fit a Duration.
    const std::int64_t ago =
        now.time_since_epoch().count() - std::max<std::int64_t>(0, at.get<std::int64_t>());
    if (milliseconds(ago) <= std::chrono::hours(1))
      link.changed.push_back(milliseconds(std::max<std::int64_t>(ago, 0)));
  }
  return link;
}

Memory memory_of(const Json& json, const std::string& fabric, WallTime now) {
  const int version = json.at("schema_version").get<int>();
  if (version != kVersion) {
    throw std::invalid_argument(
        fmt::format("is of version {}, and this ebb reads {}", version, kVersion));
  }
  if (json.at("fabric") != fabric) throw std::invalid_argument("is of another fabric");
  Memory memory{.generation = json.at("generation").get<std::uint64_t>()};
  for (const Json& link : json.at("links"))
    memory.links.emplace(link.at("link").get<std::string>(), link_of(link, now));
  return memory;
}

Result<Memory> read(const std::string& folder, std::uint64_t generation, const std::string& fabric,
                    WallTime now) {
  const std::string path = path_of(folder, generation);
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("cannot be read", {path});
  try {
    Memory memory = memory_of(Json::parse(text.str()), fabric, now);
    if (memory.generation == generation) return memory;
    return fail(fmt::format("says that it is of generation {}", memory.generation), {path});
  } catch (const std::exception& problem) {
    return fail(problem.what(), {path});
  }
}

Failure cannot_write(const std::string& path) {
  return fail(fmt::format("cannot be written: {}", std::strerror(errno)), {path});
}

bool put(const std::string& path, const std::string& text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  for (std::size_t done = 0; file.open() && done < text.size();) {
    const auto wrote = ::write(file.number(), text.data() + done, text.size() - done);
    if (wrote < 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return file.open() && fsync(file.number()) == 0;
}

// A name is on disk when its folder is.
bool sync_folder(const std::string& folder) {
  const Descriptor open_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return open_folder.open() && fsync(open_folder.number()) == 0;
}

// `flags` as renameat2 takes them.
Result<void> write(const Memory& memory, const std::string& folder, const std::string& fabric,
                   WallTime now, unsigned flags) {
  const std::string path = path_of(folder, memory.generation);
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  if (!put(fresh, json_of(memory, fabric, now).dump(1) + "\n")) return cannot_write(fresh);
  if (renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, path.c_str(), flags) != 0) {
    Failure why = cannot_write(path);
    std::remove(fresh.c_str());
    return why;
  }
  if (!sync_folder(folder)) return cannot_write(folder);
  return {};
}

}  // namespace

Recalled recall(const std::string& folder, const std::string& fabric, WallTime now) {
  Recalled recalled;
  for (const std::uint64_t generation : generations_in(folder)) {
    recalled.newest = std::max(recalled.newest, generation);
    auto memory = read(folder, generation, fabric, now);
    if (memory) {
      recalled.memory = std::move(*memory);
      return recalled;
    }
    for (const Error& problem : memory.error()) recalled.problems.push_back(problem);
  }
  return recalled;
}

Result<void> begin(const Memory& memory, const std::string& folder, const std::string& fabric,
                   WallTime now) {
  return write(memory, folder, fabric, now, RENAME_NOREPLACE);
}

Result<void> remember(const Memory& memory, const std::string& folder, const std::string& fabric,
                      WallTime now) {
  return write(memory, folder, fabric, now, 0);
}

void forget_older(const std::string& folder, const Recalled& recalled, std::uint64_t than) {
  std::error_code ignored;
  for (const Error& problem : recalled.problems)
    fs::rename(problem.where.file, problem.where.file + ".bad", ignored);
  for (const std::uint64_t generation : generations_in(folder)) {
    if (generation < than) fs::remove(path_of(folder, generation), ignored);
  }
}

}  // namespace ebb::controller
