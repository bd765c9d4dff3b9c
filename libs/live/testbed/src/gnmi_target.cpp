// SPDX-License-Identifier: Apache-2.0
#include "gnmi_target.hpp"

#include "ebb/testbed/fabric.hpp"
#include "ebb/testbed/manifest.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace ebb::testbed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "ebb-gnmi-target";

bool can_run(const fs::path& path) { return access(path.c_str(), X_OK) == 0; }

// Beside this program, else on the path; empty when there is none.
std::string program() {
  std::error_code unreadable;
  const fs::path beside = fs::read_symlink("/proc/self/exe", unreadable).parent_path() / kProgram;
  if (can_run(beside)) return beside.string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (can_run(fs::path(folder) / kProgram)) return (fs::path(folder) / kProgram).string();
  }
  return "";
}

}  // namespace

Errors obstacles_of_gnmi() {
  if (!program().empty()) return {};
  return {
      {"there is no 'ebb-gnmi-target' beside ebb or on the path; it comes with an ebb that is "
       "built where libgrpc++-dev, protobuf-compiler and protobuf-compiler-grpc are installed",
       {}}};
}

Step start_gnmi_target(const Box& box) {
  return {{program(), "--listen", gnmi_address(box.folder), "--ovsdb", database_of(box.folder),
           "--pidfile=" + box.folder + "/gnmi-target.pid", "--detach"},
          {},
          box.node->space};
}

}  // namespace ebb::testbed
