// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/program_path.hpp"

#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace ebb {

std::optional<std::string> program_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    folder.append("/").append(name);
    if (access(folder.c_str(), X_OK) == 0) return folder;
  }
  return std::nullopt;
}

}  // namespace ebb
