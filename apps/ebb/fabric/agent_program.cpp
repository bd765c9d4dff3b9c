// SPDX-License-Identifier: Apache-2.0
#include "fabric/agent_program.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace ebb::cli {

Result<std::string> agent_program() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> folders = {here, here.parent_path() / "ebb-agent"};
  const char* path = std::getenv("PATH");
  std::istringstream more(path == nullptr ? "" : path);
  for (std::string folder; std::getline(more, folder, ':');) folders.emplace_back(folder);
  for (const fs::path& folder : folders) {
    const fs::path program = folder / "ebb-agent";
    if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0)
      return program.string();
  }
  return fail("there is no 'ebb-agent'; it is built where libmnl is found (Debian: libmnl-dev)");
}

}  // namespace ebb::cli
