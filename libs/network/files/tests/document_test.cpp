// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::files {
namespace {

TEST(Section, CollectsEveryMistakeWithItsPlace) {
  Diagnostics errors("plan.yaml");
  const auto root = read_yaml("schema_version: 2\nrate: 40Gbps\nhots: 5\nrate: 1Gb/s\n", errors);
  ASSERT_TRUE(root);
  Section section(*root, errors);
  section.require_schema_version(1);
  EXPECT_FALSE(section.require<DataRate>("rate"));
  EXPECT_FALSE(section.require_integer("hosts", 1, 10));
  section.finish();
  EXPECT_EQ(
      to_string(errors.take()),
      "plan.yaml:4:1: error: 'rate' is given twice (at rate)\n"
      "plan.yaml:1:17: error: this ebb reads schema_version 1, the file has 2 (at schema_version)\n"
      "plan.yaml:2:7: error: in '40Gbps': unknown unit of data rate 'Gbps'; did you mean 'Gb/s'? "
      "(at rate)\n"
      "plan.yaml:1:1: error: missing key 'hosts'\n"
      "plan.yaml:3:7: error: unknown key 'hots'; did you mean 'hosts'? (at hots)\n");
}

TEST(ReadYaml, AnswersGarbageWithAPlace) {
  for (const std::string text : {"a: [1, 2", "\"unterminated", "", "--- 1\n--- 2\n", "a: b: c",
                                 "*unknown", ",sB", "a: 1\n]\n"}) {
    Diagnostics errors("x.yaml");
    EXPECT_FALSE(read_yaml(text, errors)) << text;
    EXPECT_FALSE(errors.empty()) << text;
  }
}

TEST(ReadYaml, RefusesDeepNestingInsteadOfOverflowingTheStack) {
  for (const std::string unit : {"[", "{a: ", "- ", "? ", "[']',"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += unit;
    Diagnostics errors("deep.yaml");
    EXPECT_FALSE(read_yaml(text, errors));
    EXPECT_NE(to_string(errors.take()).find("nested deeper"), std::string::npos);
  }
}

TEST(ReadFile, NamesTheFile) {
  EXPECT_EQ(to_string(read_file("/no/such/file", 10).error()),
            "/no/such/file: error: no such file\n");
  EXPECT_EQ(to_string(read_file("/tmp", 10).error()), "/tmp: error: not a regular file\n");
}

TEST(Leaves, AreFlatAndInOrder) {
  const auto found =
      leaves("z: 1\na: {b: {c: 15%}, d: [x, {e: f}, \"g, h\"]}\nempty:\nlist:\n- x\n- y: z\n")
          .value();
  EXPECT_EQ(found, (std::vector<Leaf>{{"z", "1"},
                                      {"a.b.c", "15%"},
                                      {"a.d", "[x, {e: f}, \"g, h\"]"},
                                      {"empty", "~"},
                                      {"list", "[x, {y: z}]"}}));
}

TEST(Leaves, OfWhatIsNotYamlAreAnError) { EXPECT_FALSE(leaves("a: [")); }

}  // namespace
}  // namespace ebb::files
