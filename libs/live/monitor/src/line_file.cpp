// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/line_file.hpp"

#include "ebb/monitor/audit_chain.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ebb::monitor {

struct LineFile::Open {
  explicit Open(int number) : descriptor(number) {}
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() {
    if (descriptor > STDERR_FILENO) close(descriptor);
  }
  const int descriptor;
};

namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A line that a full disk or a dead machine cut short would swallow the next.
bool ends_within_a_line(const std::string& path, std::uint64_t size) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char last = '\n';
  const auto got =
      size == 0 || descriptor < 0 ? 0 : pread(descriptor, &last, 1, static_cast<off_t>(size - 1));
  if (descriptor >= 0) close(descriptor);
  return got == 1 && last != '\n';
}

}  // namespace

LineFile::LineFile(std::string path, LineFileOptions options)
    : path_(std::move(path)), options_(options) {}

LineFile::~LineFile() {
  if (syncing_.valid()) syncing_.wait();
  sync();
}

Result<std::unique_ptr<LineFile>> LineFile::open(const std::string& path, LineFileOptions options) {
  std::unique_ptr<LineFile> made(new LineFile(path, options));
  if (!made->reopen()) return fail(std::generic_category().message(errno), {path});
  return made;
}

bool LineFile::reopen() {
  if (path_ == "-") {
    open_ = std::make_shared<Open>(STDOUT_FILENO);
    return true;
  }
  constexpr mode_t kOwnerAndGroup = 0640;
  const int number =
      ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kOwnerAndGroup);
  if (number < 0) return false;
  open_ = std::make_shared<Open>(number);
  struct stat found {};
  size_ = fstat(number, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
  if (ends_within_a_line(path_, size_) && write_all(number, "\n")) ++size_;
  if (options_.chained) head_ = head_of(path_);
  return true;
}

bool LineFile::is_ours() const {
  struct stat named {};
  struct stat open {};
  return stat(path_.c_str(), &named) == 0 && fstat(open_->descriptor, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev &&
         static_cast<std::uint64_t>(open.st_size) == size_;
}

void LineFile::make_room(std::size_t bytes) {
  if (options_.most_bytes == 0 || size_ == 0 || size_ + bytes <= options_.most_bytes) return;
  // When it cannot be renamed the old file goes on: too long a file is better than lost lines.
  if (std::rename(path_.c_str(), (path_ + ".1").c_str()) == 0) static_cast<void>(reopen());
}

void LineFile::add(std::string_view line) {
  if (options_.chained && !is_ours()) static_cast<void>(reopen());
  std::string whole = options_.chained ? chained(line, head_) : std::string(line);
  std::string hash = options_.chained ? hash_of(whole) : "";
  whole += '\n';
  make_room(whole.size());
  if (write_all(open_->descriptor, whole)) {
    size_ += whole.size();
    head_ = std::move(hash);
    dirty_ = true;
  } else {
    ++lost_;
  }
}

void LineFile::sync() {
  using namespace std::chrono_literals;
  if (!dirty_ || path_ == "-") return;
  if (syncing_.valid() && syncing_.wait_for(0s) != std::future_status::ready) return;
  dirty_ = false;
  syncing_ = std::async(std::launch::async, [open = open_] { fdatasync(open->descriptor); });
}

}  // namespace ebb::monitor
