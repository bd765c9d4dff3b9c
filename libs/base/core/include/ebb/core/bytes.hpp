// SPDX-License-Identifier: Apache-2.0
//
// Values as bytes, for what one process of a run tells another. Both run the same program on the
// same kind of machine: neither byte order nor layout is translated, and nothing is kept in files.
//
//   Bytes bytes;
//   append(bytes, count);
//   append_all(bytes, span);
//   ByteReader reader(bytes);
//   reader.take<std::uint32_t>();
#pragma once

#include "ebb/core/check.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ebb {

using Bytes = std::vector<std::byte>;

template <class T>
void append_all(Bytes& bytes, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (values.empty()) return;
  const std::size_t before = bytes.size();
  bytes.resize(before + values.size_bytes());
  std::memcpy(bytes.data() + before, values.data(), values.size_bytes());
}

template <class T>
void append(Bytes& bytes, const T& value) {
  append_all(bytes, std::span<const T>(&value, 1));
}

// With its length in front.
template <class T>
void append_list(Bytes& bytes, const std::vector<T>& values) {
  append(bytes, static_cast<std::uint64_t>(values.size()));
  append_all(bytes, std::span<const T>(values));
}

inline void append_text(Bytes& bytes, std::string_view text) {
  append(bytes, static_cast<std::uint64_t>(text.size()));
  append_all(bytes, std::span<const char>(text));
}

// Takes values out in the order in which they were appended.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  [[nodiscard]] T take() {
    T value;
    copy_to(std::span<T>(&value, 1));
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> take_list() {
    std::vector<T> values(take<std::uint64_t>());
    copy_to(std::span<T>(values));
    return values;
  }
  [[nodiscard]] std::string take_text() {
    std::string text(take<std::uint64_t>(), '\0');
    copy_to(std::span<char>(text));
    return text;
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  template <class T>
  void copy_to(std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    EBB_CHECK(values.size_bytes() <= rest_.size(), "a message is shorter than it should be");
    if (!values.empty()) std::memcpy(values.data(), rest_.data(), values.size_bytes());
    rest_ = rest_.subspan(values.size_bytes());
  }

  std::span<const std::byte> rest_;
};

}  // namespace ebb
