// SPDX-License-Identifier: Apache-2.0
#include "command_line/data_folder.hpp"

#include "ebb/files/parts_file.hpp"

#include <cstdlib>
#include <filesystem>

namespace ebb::cli {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "parts", ignored) && fs::is_directory(folder / "repro", ignored);
}

}  // namespace

std::string data_folder() {
  if (const char* chosen = std::getenv("EBB_DATA")) return chosen;
  std::error_code ignored;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "share" / "ebb";
  for (const fs::path& folder : {beside, fs::path(EBB_INSTALL_DATA_DIR)}) {
    if (holds_data(folder)) return folder.string();
  }
  return EBB_BUILD_DATA_DIR;
}

Result<power::Library> load_parts(const std::vector<std::string>& more_files) {
  auto files = files::part_files(data_folder() + "/parts");
  if (!files) return fail(files.error());
  files->insert(files->end(), more_files.begin(), more_files.end());
  return files::read_parts(*files);
}

}  // namespace ebb::cli
