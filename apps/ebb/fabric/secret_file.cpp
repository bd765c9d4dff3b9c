// SPDX-License-Identifier: Apache-2.0
#include "fabric/secret_file.hpp"

#include <filesystem>
#include <fstream>

namespace ebb::cli {

Result<std::string> read_secret(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (problem) return fail(problem.message(), {path});
  if (!fs::is_regular_file(status)) return fail("not a file", {path});
  if ((status.permissions() & fs::perms::others_read) != fs::perms::none)
    return fail("everyone may read this secret: chmod o-r", {path});
  std::ifstream file(path);
  std::string secret;
  if (!std::getline(file, secret) || secret.empty()) return fail("no secret in it", {path});
  return secret;
}

}  // namespace ebb::cli
