// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/audit_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <openssl/sha.h>
#include <optional>

namespace ebb::monitor {
namespace {

constexpr std::size_t kDigits = std::size_t{2} * SHA256_DIGEST_LENGTH;
constexpr std::string_view kKey = ",\"previous\":\"";
constexpr std::string_view kEnd = "\"}";

// What a line carries; nothing: it is not of a chain, or was cut short.
std::optional<std::string_view> previous_of(std::string_view line) {
  constexpr std::size_t kAll = kKey.size() + kDigits + kEnd.size();
  if (line.size() <= kAll || !line.ends_with(kEnd)) return std::nullopt;
  const std::string_view tail = line.substr(line.size() - kAll);
  if (!tail.starts_with(kKey)) return std::nullopt;
  return tail.substr(kKey.size(), kDigits);
}

std::optional<std::string> last_line(const std::string& path) {
  constexpr std::streamoff kLongest = std::streamoff{1} << 16U;
  std::ifstream file(path, std::ios::ate | std::ios::binary);
  const std::streamoff size = file ? std::streamoff{file.tellg()} : 0;
  if (size == 0) return std::nullopt;
  file.seekg(std::max<std::streamoff>(0, size - kLongest));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

// Goes through the lines of one file, and remembers the hash of the last.
class Checker {
 public:
  Checker(ChainCheck& check, const std::string& noted) : check_(check), noted_(noted) {}

  void read(const std::string& path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    for (std::string line; std::getline(file, line);)
      look(fmt::format("{}:{}", path, ++number), line);
  }

 private:
  void look(const std::string& where, const std::string& line) {
    const auto previous = previous_of(line);
    if (previous) {
      look_at_link(where, *previous);
    } else if (begun_) {
      check_.problems.push_back(where + ": carries no hash: it is foreign, or was cut short");
    } else {
      ++check_.unchained;
    }
    ++check_.lines;
    check_.head = hash_of(line);
    check_.found_noted = check_.found_noted || check_.head == noted_;
  }

  void look_at_link(const std::string& where, std::string_view previous) {
    const bool first = check_.lines == 0;
    if (first) check_.from_the_beginning = previous == beginning_of_chain();
    if (!first && previous != check_.head) {
      check_.problems.push_back(
          where + ": does not follow the line before it: a line was changed, removed or inserted");
    }
    begun_ = true;
  }

  ChainCheck& check_;
  const std::string& noted_;
  bool begun_ = false;
};

}  // namespace

std::string beginning_of_chain() { return std::string(kDigits, '0'); }

std::string hash_of(std::string_view line) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(line.data()), line.size(), digest.data());
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string chained(std::string_view object, std::string_view previous) {
  object.remove_suffix(1);
  return fmt::format("{}{}{}{}", object, kKey, previous, kEnd);
}

std::string head_of(const std::string& path) {
  for (const std::string& file : {path, path + ".1"})
    if (const auto line = last_line(file)) return hash_of(*line);
  return beginning_of_chain();
}

Result<ChainCheck> check_chain(const std::string& path, const std::string& noted) {
  if (!std::ifstream(path)) return fail("cannot be read", {path});
  ChainCheck check{.head = beginning_of_chain()};
  Checker checker(check, noted);
  if (std::filesystem::exists(path + ".1")) checker.read(path + ".1");
  checker.read(path);
  return check;
}

}  // namespace ebb::monitor
