// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace ebb::testbed::preflight {
namespace {

// Nothing: it can be written to.
std::string problem_of_writing(const std::string& path) {
  std::string probe = path + "/doctor-XXXXXX";
  const int file = mkstemp(probe.data());
  if (file < 0) return std::strerror(errno);
  close(file);
  unlink(probe.c_str());
  return "";
}

}  // namespace

Finding look_at_folder(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    const auto above = std::filesystem::path(path).parent_path().string();
    if (const auto problem = problem_of_writing(above); !problem.empty()) {
      return {"state folder", Verdict::fail, fmt::format("{}: cannot be made: {}", path, problem),
              "--state DIR, or run as a user who may write to " + above};
    }
    return {"state folder", Verdict::ok, path + " will be made"};
  }
  if (const auto problem = problem_of_writing(path); !problem.empty()) {
    return {"state folder", Verdict::fail, fmt::format("{}: {}", path, problem),
            "--state DIR, or run as a user who may write to it"};
  }
  if ((facts.st_mode & S_IWOTH) != 0) {
    return {"state folder", Verdict::fail,
            fmt::format("{}: every user may write to it, and so command switches", path),
            "chmod o-w " + path};
  }
  return {"state folder", Verdict::ok, fmt::format("{}, mode {:o}", path, facts.st_mode & 07777U)};
}

}  // namespace ebb::testbed::preflight
