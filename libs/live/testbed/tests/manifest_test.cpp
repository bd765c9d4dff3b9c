// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/manifest.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/testbed/fabric.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::testbed {
namespace {

Manifest small() {
  return {.name = "tour",
          .switches = 1,
          .links = 1,
          .members = {{"s0", "ebb-tour-s0"}, {"h0", "ebb-tour-h0"}}};
}

class ManifestFile : public ::testing::Test {
 protected:
  ManifestFile() { std::filesystem::create_directories(state_.fabric("tour")); }

  test::TemporaryFolder folder_;
  StateFolder state_{folder_.file("state")};
};

TEST_F(ManifestFile, IsReadAsItWasWritten) {
  ASSERT_TRUE(write(small(), state_));
  const auto read = read_manifest("tour", state_);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->members[1].space, "ebb-tour-h0");
  EXPECT_EQ(read->hosts(), 1U);
  EXPECT_FALSE(read->complete);
}

// What it names is deleted: it may name only what `up` would have made.
TEST_F(ManifestFile, OfSomebodyElseIsNotBelieved) {
  Manifest strange = small();
  strange.members[0].space = "production";
  ASSERT_TRUE(write(strange, state_));
  EXPECT_FALSE(read_manifest("tour", state_));
  std::ofstream(state_.manifest("tour")) << "{\"name\": 1";
  EXPECT_FALSE(read_manifest("tour", state_));
}

TEST_F(ManifestFile, CountsAreNotRounded) {
  const std::string text = to_text(small());
  EXPECT_TRUE(parse_manifest(text, "tour"));
  EXPECT_FALSE(parse_manifest(text, "other"));
  for (const auto* count : {"1e300", "-1", "1.0", "\"1\"", "null"}) {
    std::string other = text;
    other.replace(other.find("\"switches\": 1"), 13, std::string("\"switches\": ") + count);
    EXPECT_FALSE(parse_manifest(other, "tour")) << other;
  }
}

TEST(Corpus, Manifests) {
  int whole = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/manifest")) {
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    whole += parse_manifest(text, "tour") ? 1 : 0;
  }
  EXPECT_EQ(whole, 1);
}

TEST_F(ManifestFile, FindsMembersAndSuggestsTheNearest) {
  EXPECT_EQ(small().find("h0").value(), 1U);
  EXPECT_EQ(small().find("h1").error()[0].message, "unknown node 'h1'; did you mean 'h0'?");
}

TEST_F(ManifestFile, AFolderWithOtherFilesIsNoFabric) {
  std::filesystem::create_directories(state_.fabric("mine"));
  std::ofstream(state_.fabric("mine") + "/thesis.tex") << "years of work\n";
  EXPECT_FALSE(find_fabric("mine", state_));
}

TEST_F(ManifestFile, AFolderInWhichNothingWasMadeIsTakenDown) {
  ASSERT_TRUE(find_fabric("tour", state_));
  ASSERT_TRUE(take_down("tour", state_));
  EXPECT_FALSE(std::filesystem::exists(state_.fabric("tour")));
}

}  // namespace
}  // namespace ebb::testbed
