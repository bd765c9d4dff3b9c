// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/process.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace ebb {
namespace {

bool fill(std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) return false;
  if (std::fflush(file) != 0) return false;
  return lseek(fileno(file), 0, SEEK_SET) == 0;
}

std::string content(std::FILE* file) {
  std::string text;
  std::array<char, 65'536> piece{};
  std::rewind(file);
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file))
    text.append(piece.data(), size);
  return text;
}

// As exec takes them; they point into `words`, and into what was inherited.
std::vector<char*> pointers_to(std::vector<std::string>& words, char** inherited = nullptr) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  for (; inherited != nullptr && *inherited != nullptr; ++inherited) pointers.push_back(*inherited);
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Child::File Child::nameless_file() {
  File file(std::tmpfile());
  if (file) fcntl(fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

// 0, or why it could not be started.
int Child::spawn(std::vector<std::string>& words, const ChildOptions& options) {
  posix_spawn_file_actions_t actions;
  if (const int problem = posix_spawn_file_actions_init(&actions)) return problem;
  posix_spawn_file_actions_adddup2(&actions, fileno(in_.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out_.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(stderr_.get()), STDERR_FILENO);
  const int kept = options.inherited_file;
  if (kept >= 0) posix_spawn_file_actions_adddup2(&actions, kept, kept);  // clears close-on-exec
  std::vector<std::string> environment = options.environment;
  const int problem =
      posix_spawnp(&process_, words[0].c_str(), &actions, nullptr, pointers_to(words).data(),
                   pointers_to(environment, environ).data());
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

Result<Child> Child::start(std::vector<std::string> words, const ChildOptions& options) {
  Child child;
  child.in_ = nameless_file();
  child.out_ = nameless_file();
  child.stderr_ = nameless_file();
  if (!child.in_ || !child.out_ || !child.stderr_ || !fill(child.in_.get(), options.input))
    return fail(fmt::format("no temporary file for {}: {}", words[0], std::strerror(errno)));
  if (const int problem = child.spawn(words, options))
    return fail(fmt::format("cannot start {}: {}", words[0], std::strerror(problem)));
  return child;
}

Finished Child::wait() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return Finished{code, content(out_.get()), content(stderr_.get())};
}

Result<Finished> run_program(std::vector<std::string> words, const ChildOptions& options) {
  auto child = Child::start(std::move(words), options);
  if (!child) return fail(child.error());
  return child->wait();
}

namespace {

constexpr int kNotStarted = 3;  // as those of ebb: the outside world failed

[[noreturn]] void wait_for(pid_t child, int pipe) {
  char byte = 0;
  ssize_t got = -1;
  do got = ::read(pipe, &byte, 1);
  while (got < 0 && errno == EINTR);
  if (got == 1) std::_Exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::_Exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : kNotStarted);
}

}  // namespace

Result<Daemon> Daemon::enter() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(std::string("pipe: ") + strerror(errno));
  const pid_t child = ::fork();
  if (child < 0) return fail(std::string("fork: ") + std::strerror(errno));
  ::close(ends[child == 0 ? 0 : 1]);
  if (child > 0) wait_for(child, ends[0]);
  ::setsid();
  return Daemon(ends[1]);
}

void Daemon::ready() const {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
  ::close(nothing);
  [[maybe_unused]] const auto told = ::write(waiting_, "!", 1);  // nobody waits any more: so be it
  ::close(waiting_);
}

Result<PidFile> PidFile::write(const std::string& path) {
  std::ofstream file(path);
  file << ::getpid() << '\n';
  if (!file.flush()) return fail("cannot be written", {path});
  return PidFile(path);
}

PidFile::~PidFile() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

std::optional<std::string> program_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    folder.append("/").append(name);
    if (access(folder.c_str(), X_OK) == 0) return folder;
  }
  return std::nullopt;
}

std::string_view version() { return EBB_VERSION; }

}  // namespace ebb
