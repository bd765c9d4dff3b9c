// SPDX-License-Identifier: Apache-2.0
#include "line_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace ebb::counters {
namespace {

constexpr std::size_t kPiece = 1 << 20;
constexpr std::size_t kLongestLine = 1 << 24;  // of a file that is no text

}  // namespace

Result<LineSource> LineSource::open(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return fail("there is no such file", {.file = path});
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) return fail(fmt::format("cannot be read: {}", std::strerror(errno)), {.file = path});
  return LineSource(path, std::move(file));
}

LineSource LineSource::of(std::string_view text, std::string name) {
  LineSource source(std::move(name), nullptr);
  source.buffer_.assign(text.begin(), text.end());
  source.end_ = text.size();
  return source;
}

// What was not taken yet moves to the front.
bool LineSource::read_more() {
  if (!file_) return false;
  if (end_ - begin_ > kLongestLine) return false;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < end_ + kPiece) buffer_.resize(end_ + kPiece);
  const std::size_t got = std::fread(buffer_.data() + end_, 1, kPiece, file_.get());
  end_ += got;
  return got > 0;
}

bool LineSource::next() {
  if (is_put_back_) {
    is_put_back_ = false;
    return true;
  }
  std::size_t searched = 0;
  while (true) {
    const char* const from = buffer_.data() + begin_;
    const std::size_t length = end_ - begin_;
    const void* const newline =
        length > searched ? std::memchr(from + searched, '\n', length - searched) : nullptr;
    if (newline != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(newline) - from);
      line_ = {from, size};
      begin_ += size + 1;
      break;
    }
    searched = length;
    if (read_more()) continue;
    if (length == 0) return false;
    line_ = {buffer_.data() + begin_, end_ - begin_};  // the last one has no end
    begin_ = end_;
    break;
  }
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

}  // namespace ebb::counters
