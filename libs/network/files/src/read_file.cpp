// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <system_error>

namespace ebb::files {

Result<std::string> read_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return fail("no such file", {path});
  if (!std::filesystem::is_regular_file(status)) return fail("not a regular file", {path});
  const auto size = std::filesystem::file_size(path, error);
  if (error) return fail(error.message(), {path});
  if (size > most_bytes)
    return fail(fmt::format("{} bytes is larger than the {} ebb reads", size, most_bytes), {path});
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("cannot be opened for reading", {path});
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream.bad() || static_cast<std::size_t>(stream.gcount()) != size)
    return fail("could not be read to its end", {path});
  return text;
}

}  // namespace ebb::files
