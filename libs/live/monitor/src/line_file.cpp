// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/line_file.hpp"

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

LineFile::LineFile(std::string path, std::uint64_t most_bytes)
    : path_(std::move(path)), most_bytes_(most_bytes) {}

LineFile::~LineFile() {
  if (syncing_.valid()) syncing_.wait();
  sync();
}

Result<std::unique_ptr<LineFile>> LineFile::open(const std::string& path,
                                                 std::uint64_t most_bytes) {
  std::unique_ptr<LineFile> made(new LineFile(path, most_bytes));
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
  return true;
}

void LineFile::make_room(std::size_t bytes) {
  if (most_bytes_ == 0 || size_ == 0 || size_ + bytes <= most_bytes_) return;
  // When it cannot be renamed the old file goes on: too long a file is better than lost lines.
  if (std::rename(path_.c_str(), (path_ + ".1").c_str()) == 0) static_cast<void>(reopen());
}

void LineFile::add(std::string_view line) {
  std::string whole(line);
  whole += '\n';
  make_room(whole.size());
  if (write_all(open_->descriptor, whole)) {
    size_ += whole.size();
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
