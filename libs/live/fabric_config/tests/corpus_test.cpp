// SPDX-License-Identifier: Apache-2.0
#include "support/corpus.hpp"

#include "ebb/fabric_config/devices_file.hpp"
#include "ebb/fabric_config/fabric_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::fabric_config {
namespace {

// One of them names a graph file that is not there.
bool replay_devices(const std::string& text) {
  return read_devices_text(text, "corpus.yaml", 2).has_value();
}

bool replay_fabric(const std::string& text) {
  return read_fabric_text(text, "corpus.yaml").has_value();
}

// The counts keep a reader from passing by refusing everything.
TEST(Corpus, DevicesFilesAreAnswered) {
  EXPECT_GE(test::replay_corpus("devices", replay_devices), 2);
}
TEST(Corpus, FabricFilesAreAnswered) { EXPECT_GE(test::replay_corpus("fabric", replay_fabric), 2); }

}  // namespace
}  // namespace ebb::fabric_config
