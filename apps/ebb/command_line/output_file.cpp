// SPDX-License-Identifier: Apache-2.0
#include "command_line/output_file.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

namespace ebb::cli {

ExitCode write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (file.flush()) return ExitCode::done;
  fmt::print(stderr, "{}: error: cannot be written\n", path);
  return ExitCode::outside;
}

}  // namespace ebb::cli
