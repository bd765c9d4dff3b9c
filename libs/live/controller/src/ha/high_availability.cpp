// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/high_availability.hpp"

#include "ebb/core/process.hpp"

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
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace ebb::controller {
namespace {

Failure cannot(const std::string& path) {
  return fail(fmt::format("cannot take the lease: {}", std::strerror(errno)), {path});
}

bool is_at(const std::string& path, const UniqueFd& file) {
  struct stat named {};
  struct stat open {};
  return stat(path.c_str(), &named) == 0 && fstat(file.number(), &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

}  // namespace

Lease::Lease(std::string path, Clock::duration timeout)
    : path_(std::move(path)), timeout_(timeout) {}
Lease::~Lease() = default;

Result<bool> Lease::take(Clock::time_point now) {
  if (is_ours()) return true;
  file_.reset();
  UniqueFd file(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) return cannot(path_);
  if (lock(std::move(file))) return true;
  return hangs(now) ? take_over() : false;
}

// The file may have been replaced between opening and locking it.
bool Lease::lock(UniqueFd file) {
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !is_at(path_, file)) return false;
  file_ = std::make_unique<UniqueFd>(std::move(file));
  renew();
  return true;
}

bool Lease::hangs(Clock::time_point now) {
  std::string found = read();
  if (seen_at_ == Clock::time_point{} || found != seen_) {
    seen_ = std::move(found);
    seen_at_ = now;
  }
  return now - seen_at_ >= timeout_;
}

// Two who do this at a time: the later has it, the earlier finds that at the next look.
Result<bool> Lease::take_over() {
  const std::string own = fmt::format("{}.{}", path_, getpid());
  UniqueFd file(open(own.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.open() || flock(file.number(), LOCK_EX | LOCK_NB) != 0 ||
      std::rename(own.c_str(), path_.c_str()) != 0)
    return cannot(path_);
  file_ = std::make_unique<UniqueFd>(std::move(file));
  renew();
  return true;
}

bool Lease::is_ours() const { return file_ && is_at(path_, *file_); }

void Lease::renew() {
  if (!file_) return;
  // Always of the same length: a reader never finds the rest of an older line.
  const std::string line = fmt::format("{:>10} {:>20}\n", getpid(), ++renewals_);
  // One that cannot be written makes us look as if we hung, which is for others to judge.
  static_cast<void>(pwrite(file_->number(), line.data(), line.size(), 0) < 0);
}

void Lease::leave() {
  file_.reset();
  seen_at_ = {};
}

std::string Lease::read() const {
  std::ifstream file(path_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Lease::holder() const {
  std::istringstream text(read());
  std::string process;
  return text >> process ? "process " + process : "an unknown process";
}

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr int kVersion = 1;
constexpr std::string_view kPrefix = "state.";
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

Json json_of(const std::string& name, const PersistedLink& link, WallTime now) {
  Json changed = Json::array();
  for (const Duration ago : link.changed) {
    changed.push_back(
        (now - std::chrono::duration_cast<milliseconds>(ago)).time_since_epoch().count());
  }
  return {{"link", name},
          {"state", to_text(link.state)},
          {"why", link.why},
          {"drained", link.drained},
          {"changed_unix_ms", std::move(changed)}};
}

Json json_of(const PersistedState& state, const std::string& fabric, WallTime now) {
  Json links = Json::array();
  for (const auto& [name, link] : state.links) links.push_back(json_of(name, link, now));
  Json switches = Json::array();
  for (const auto& [name, one] : state.switches) {
    switches.push_back({{"switch", name},
                        {"state", to_text(one.state)},
                        {"why", one.why},
                        {"by", to_text(one.by)}});
  }
  return {{"schema_version", kVersion},
          {"fabric", fabric},
          {"generation", state.generation},
          {"links", std::move(links)},
          {"switches", std::move(switches)}};
}

PersistedLink link_of(const Json& json, WallTime now) {
  PersistedLink link;
  const auto state = json.at("state").get<std::string>();
  const auto known = std::find_if(kStates.begin(), kStates.end(),
                                  [&](LinkState one) { return to_text(one) == state; });
  if (known == kStates.end()) throw std::invalid_argument("a link has no state '" + state + "'");
  link.state = *known;
  link.why = json.at("why").get<std::string>();
  link.drained = json.at("drained").get<bool>();
  for (const Json& at : json.at("changed_unix_ms")) {
    // In milliseconds until it is known to be small: what a file says may not fit a Duration.
    const std::int64_t ago =
        now.time_since_epoch().count() - std::max<std::int64_t>(0, at.get<std::int64_t>());
    if (milliseconds(ago) <= std::chrono::hours(1))
      link.changed.push_back(milliseconds(std::max<std::int64_t>(ago, 0)));
  }
  return link;
}

PersistedState state_of_json(const Json& json, const std::string& fabric, WallTime now) {
  const int version = json.at("schema_version").get<int>();
  if (version != kVersion) {
    throw std::invalid_argument(
        fmt::format("is of version {}, and this ebb reads {}", version, kVersion));
  }
  if (json.at("fabric") != fabric) throw std::invalid_argument("is of another fabric");
  PersistedState state{.generation = json.at("generation").get<std::uint64_t>()};
  for (const Json& link : json.at("links"))
    state.links.emplace(link.at("link").get<std::string>(), link_of(link, now));
  // A file of an ebb that had no whole switches to drain says nothing of them.
  for (const Json& one : json.value("switches", Json::array())) {
    const auto text = one.at("state").get<std::string>();
    const auto known = switch_state(text);
    if (!known) throw std::invalid_argument("a switch has no state '" + text + "'");
    // An ebb that does not say who drained it had operators alone for that.
    const auto by = drained_by(one.value("by", "operator"));
    if (!by) throw std::invalid_argument("a switch is drained by the policy or by an operator");
    state.switches.emplace(one.at("switch").get<std::string>(),
                           PersistedSwitch{*known, one.at("why").get<std::string>(), *by});
  }
  return state;
}

Result<PersistedState> read(const std::string& folder, std::uint64_t generation,
                            const std::string& fabric, WallTime now) {
  const std::string path = path_of(folder, generation);
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("cannot be read", {path});
  try {
    PersistedState state = state_of_json(Json::parse(text.str()), fabric, now);
    if (state.generation == generation) return state;
    return fail(fmt::format("says that it is of generation {}", state.generation), {path});
  } catch (const std::exception& problem) {
    return fail(problem.what(), {path});
  }
}

Failure cannot_write(const std::string& path) {
  return fail(fmt::format("cannot be written: {}", std::strerror(errno)), {path});
}

bool put(const std::string& path, const std::string& text) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  for (std::size_t done = 0; file.open() && done < text.size();) {
    const auto wrote = ::write(file.number(), text.data() + done, text.size() - done);
    if (wrote < 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return file.open() && fsync(file.number()) == 0;
}

// A name is on disk when its folder is.
bool sync_folder(const std::string& folder) {
  const UniqueFd open_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return open_folder.open() && fsync(open_folder.number()) == 0;
}

// `flags` as renameat2 takes them.
Result<void> write(const PersistedState& state, const std::string& folder,
                   const std::string& fabric, WallTime now, unsigned flags) {
  const std::string path = path_of(folder, state.generation);
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  if (!put(fresh, json_of(state, fabric, now).dump(1) + "\n")) return cannot_write(fresh);
  if (renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, path.c_str(), flags) != 0) {
    Failure why = cannot_write(path);
    std::remove(fresh.c_str());
    return why;
  }
  if (!sync_folder(folder)) return cannot_write(folder);
  return {};
}

}  // namespace

RestoredState restore(const std::string& folder, const std::string& fabric, WallTime now) {
  RestoredState restored;
  for (const std::uint64_t generation : generations_in(folder)) {
    restored.newest = std::max(restored.newest, generation);
    auto state = read(folder, generation, fabric, now);
    if (state) {
      restored.state = std::move(*state);
      return restored;
    }
    for (const Error& problem : state.error()) restored.problems.push_back(problem);
  }
  return restored;
}

Result<void> begin(const PersistedState& state, const std::string& folder,
                   const std::string& fabric, WallTime now) {
  return write(state, folder, fabric, now, RENAME_NOREPLACE);
}

Result<void> save(const PersistedState& state, const std::string& folder, const std::string& fabric,
                  WallTime now) {
  return write(state, folder, fabric, now, 0);
}

void remove_older(const std::string& folder, const RestoredState& restored, std::uint64_t than) {
  std::error_code ignored;
  for (const Error& problem : restored.problems)
    fs::rename(problem.where.file, problem.where.file + ".bad", ignored);
  for (const std::uint64_t generation : generations_in(folder)) {
    if (generation < than) fs::remove(path_of(folder, generation), ignored);
  }
}

StandbyRegistry::StandbyRegistry(std::string path) : path_(std::move(path)) {}
StandbyRegistry::~StandbyRegistry() = default;

// A leader that looks has it locked for an instant: then it is worth waiting.
Result<void> StandbyRegistry::join() {
  auto file = std::make_unique<UniqueFd>(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file->open() || flock(file->number(), LOCK_SH) != 0)
    return fail(fmt::format("cannot be locked: {}", std::strerror(errno)), {path_});
  file_ = std::move(file);
  return {};
}

void StandbyRegistry::leave() { file_.reset(); }

bool StandbyRegistry::has_standby() const {
  const UniqueFd file(open(path_.c_str(), O_RDWR | O_CLOEXEC));
  return file.open() && flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

HighAvailability::HighAvailability(std::string folder, std::string fabric)
    : folder_(std::move(folder)),
      fabric_(std::move(fabric)),
      lease_(folder_ + "/lease", kLeaseTimeout),
      standby_(folder_ + "/standby") {}

void HighAvailability::observe_generation(std::uint64_t generation) {
  generation_ = std::max(generation_, generation);
}

Result<RestoredState> HighAvailability::begin_term(WallTime now) {
  RestoredState restored = restore(folder_, fabric_, now);
  generation_ = std::max(generation_, restored.newest) + 1;
  PersistedState mine{generation_, restored.state.links, restored.state.switches};
  if (auto begun = begin(mine, folder_, fabric_, now); !begun) return fail(begun.error());
  remove_older(folder_, restored, generation_);
  return restored;
}

Result<void> HighAvailability::save(std::map<std::string, controller::PersistedLink> links,
                                    std::map<std::string, controller::PersistedSwitch> switches,
                                    WallTime now) const {
  if (!lease_.is_ours()) return {};
  return controller::save({generation_, std::move(links), std::move(switches)}, folder_, fabric_,
                          now);
}

}  // namespace ebb::controller
