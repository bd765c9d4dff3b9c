// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ebb::figures {
namespace {

struct Close {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};
using File = std::unique_ptr<std::FILE, Close>;

struct Streams {
  File in{std::tmpfile()};
  File out{std::tmpfile()};
  File complaints{std::tmpfile()};

  [[nodiscard]] bool open() const { return in && out && complaints; }
};

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

// 0, or why it could not be started.
int start(std::vector<std::string>& words, const Streams& streams, pid_t& child) {
  posix_spawn_file_actions_t actions;
  if (const int problem = posix_spawn_file_actions_init(&actions)) return problem;
  posix_spawn_file_actions_adddup2(&actions, fileno(streams.in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(streams.out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(streams.complaints.get()), STDERR_FILENO);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int problem =
      posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<Finished> run_program(std::vector<std::string> words, const std::string& input) {
  const Streams streams;
  if (!streams.open() || !fill(streams.in.get(), input))
    return fail(fmt::format("no temporary file for {}: {}", words[0], std::strerror(errno)));
  pid_t child = 0;
  if (const int problem = start(words, streams, child))
    return fail(fmt::format("cannot start {}: {}", words[0], std::strerror(problem)));
  const int code = wait_for(child);
  return Finished{code, content(streams.out.get()), content(streams.complaints.get())};
}

}  // namespace ebb::figures
