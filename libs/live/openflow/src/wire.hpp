// SPDX-License-Identifier: Apache-2.0
//
// A Writer and a Reader with the same members, so that one description of a layout does for both
// directions. Numbers are big-endian. The first problem stays, and what is read after it is zero.
#pragma once

#include "ebb/core/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>

namespace ebb::openflow {

// A parameter that is a T, const or not: a Writer's message and a Reader's.
template <class Given, class T>
concept Like = std::same_as<std::remove_const_t<Given>, T>;

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(const T& value) {
    low_bytes(static_cast<std::uint64_t>(value), sizeof(T));
  }
  template <class T>
  void choice(const T& value, T /*last*/) {
    number(value);
  }
  void low_bytes(std::uint64_t value, std::size_t count) {
    for (std::size_t i = count; i-- > 0;)
      bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  void address(std::uint64_t value) { low_bytes(value, 6); }
  void pad(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  void pad_to_8(std::size_t from) { pad((8 - (bytes_.size() - from) % 8) % 8); }
  // NUL-padded, and the last byte is always NUL.
  void text(const std::string& value, std::size_t size) {
    const std::size_t kept = std::min(value.size(), size - 1);
    append_all(bytes_, std::span<const char>(value.data(), kept));
    pad(size - kept);
  }
  void rest(const Bytes& value) { append_all(bytes_, std::span<const std::byte>(value)); }

  // A 16-bit length of which the value is known later.
  void set_length(std::size_t at, std::size_t length) {
    if (length > 0xffff) return refuse("longer than 65,535 bytes");
    bytes_[at] = static_cast<std::byte>(length >> 8U);
    bytes_[at + 1] = static_cast<std::byte>(length);
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

  void refuse(std::string what) {
    if (!problem_) problem_ = std::move(what);
  }
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  Bytes bytes_;
  std::optional<std::string> problem_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  using Problem = std::optional<std::string>;

  Reader(std::span<const std::byte> bytes, std::size_t offset, Problem& problem)
      : rest_(bytes), offset_(offset), problem_(&problem) {}

  template <class T>
  void number(T& value) {
    value = static_cast<T>(low_bytes(sizeof(T)));
  }
  template <class T>
  [[nodiscard]] T take() {
    return static_cast<T>(low_bytes(sizeof(T)));
  }
  template <class T>
  void choice(T& value, T last) {
    const std::size_t at = offset_;
    const auto raw = low_bytes(sizeof(T));
    if (raw > static_cast<std::uint64_t>(last)) {
      return refuse_at(
          fmt::format("the value {} is not one of 0 to {}", raw, static_cast<std::uint64_t>(last)),
          at);
    }
    value = static_cast<T>(raw);
  }
  [[nodiscard]] std::uint64_t low_bytes(std::size_t count) {
    std::uint64_t value = 0;
    for (const std::byte b : cut(count)) value = value << 8U | std::to_integer<std::uint64_t>(b);
    return value;
  }
  void address(std::uint64_t& value) { value = low_bytes(6); }
  void pad(std::size_t count) { (void)cut(count); }
  void text(std::string& value, std::size_t size) {
    const auto bytes = cut(size);
    value.clear();
    for (const std::byte b : bytes.first(bytes.empty() ? 0 : size - 1)) {
      if (b == std::byte{0}) break;
      value.push_back(static_cast<char>(b));
    }
  }
  void rest(Bytes& value) {
    const auto bytes = cut(rest_.size());
    value.assign(bytes.begin(), bytes.end());
  }

  // The next bytes as a reader of their own, with the same problem.
  [[nodiscard]] Reader part(std::size_t count) {
    const std::size_t at = offset_;
    return {cut(count), at, *problem_};
  }
  // Without taking it; zero beyond the end.
  [[nodiscard]] std::uint64_t peek(std::size_t at, std::size_t count) const {
    if (at + count > rest_.size()) return 0;
    std::uint64_t value = 0;
    for (const std::byte b : rest_.subspan(at, count))
      value = value << 8U | std::to_integer<std::uint64_t>(b);
    return value;
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  // Something is left, and nothing was refused so far: the condition of every loop over a list.
  [[nodiscard]] bool more() const { return !*problem_ && !rest_.empty(); }

  void refuse(const std::string& what) { refuse_at(what, offset_); }
  void refuse_at(const std::string& what, std::size_t offset) {
    if (!*problem_) *problem_ = fmt::format("{} at byte {}", what, offset);
  }
  void expect_end() {
    if (!rest_.empty()) refuse(fmt::format("{} bytes too many", rest_.size()));
  }

 private:
  std::span<const std::byte> cut(std::size_t count) {
    if (*problem_) return {};
    if (count > rest_.size()) {
      refuse(fmt::format("{} bytes are needed and {} are left", count, rest_.size()));
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    offset_ += count;
    return taken;
  }

  std::span<const std::byte> rest_;
  std::size_t offset_;  // of what is left, in the message
  Problem* problem_;
};

}  // namespace ebb::openflow
