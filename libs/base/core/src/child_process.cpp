// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/child_process.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
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
  posix_spawn_file_actions_adddup2(&actions, fileno(complaints_.get()), STDERR_FILENO);
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
  child.complaints_ = nameless_file();
  if (!child.in_ || !child.out_ || !child.complaints_ || !fill(child.in_.get(), options.input))
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
  return Finished{code, content(out_.get()), content(complaints_.get())};
}

Result<Finished> run_program(std::vector<std::string> words, const ChildOptions& options) {
  auto child = Child::start(std::move(words), options);
  if (!child) return fail(child.error());
  return child->wait();
}

}  // namespace ebb
