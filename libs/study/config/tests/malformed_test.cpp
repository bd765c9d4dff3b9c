// SPDX-License-Identifier: Apache-2.0
//
// Every file in tests/malformed/fabrics, graphs and sims states in "# expect:" lines what is wrong
// with it. The reader must say all of that and nothing else.
#include "ebb/config/sim_file.hpp"
#include "ebb/config/simulation.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/files/topology_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

std::vector<std::string> expected_errors(const std::filesystem::path& path) {
  const std::string mark = "# expect: ";
  std::vector<std::string> expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(mark, 0) == 0) expected.push_back(line.substr(mark.size()));
  }
  return expected;
}

// As if ebb ran in the folder of the file.
std::vector<std::string> without_path(const Errors& errors, const std::filesystem::path& path) {
  const std::string folder = path.parent_path().string() + "/";
  const std::string file = path.filename().string() + ":";
  std::vector<std::string> actual;
  for (const Error& error : errors) {
    std::string text = to_string(error);
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    actual.push_back(text.rfind(file, 0) == 0 ? text.substr(file.size()) : text);
  }
  return actual;
}

Errors errors_of_fabric(const std::string& path) {
  const auto fabric = read_fabric(path);
  return fabric ? Errors{{"accepted", {}}} : fabric.error();
}

Errors errors_of_graph(const std::string& path) {
  const auto graph = read_topology(path);
  return graph ? Errors{{"accepted", {}}} : graph.error();
}

Errors errors_of_sim(const std::string& path) {
  static const auto kLibrary = read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  const auto file = read_sim(path, kLibrary);
  if (!file) return file.error();
  const auto simulation = prepare(*file, kLibrary);
  return simulation ? Errors{{"accepted", {}}} : simulation.error();
}

void check_folder(const std::string& kind, Errors (*errors_of)(const std::string&),
                  std::size_t least_files) {
  std::size_t files = 0;
  const std::string folder = std::string(EBB_SOURCE_DIR) + "/tests/malformed/" + kind;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    const std::string path = entry.path().string();
    const auto expected = expected_errors(path);
    EXPECT_FALSE(expected.empty()) << path;
    EXPECT_EQ(without_path(errors_of(path), path), expected) << path;
  }
  EXPECT_GE(files, least_files);
}

TEST(MalformedFabrics, AreRefusedWithWhatIsWrong) { check_folder("fabrics", errors_of_fabric, 6); }
TEST(MalformedGraphs, AreRefusedWithWhatIsWrong) { check_folder("graphs", errors_of_graph, 22); }
TEST(MalformedSims, AreRefusedWithWhatIsWrong) { check_folder("sims", errors_of_sim, 25); }

}  // namespace
}  // namespace ebb::config
