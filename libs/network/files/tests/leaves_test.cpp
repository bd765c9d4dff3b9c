// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/leaves.hpp"

#include <gtest/gtest.h>

namespace ebb::files {
namespace {

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
