// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/library.hpp"

#include <gtest/gtest.h>

namespace ebb::power {
namespace {

Library two_parts() {
  Library library;
  library.add_part({.name = "card", .body = Nic{}});
  library.add_part({.name = "link", .body = Ladder{}});
  return library;
}

TEST(Library, FindsByNameOrNamesTheNearest) {
  const Library library = two_parts();
  ASSERT_TRUE(library.find("card"));
  EXPECT_EQ(kind_of(**library.find("card")), "nic");
  EXPECT_EQ(library.find("cart").error().front().message,
            "unknown part 'cart'; did you mean 'card'?");
}

TEST(Library, RefusesAPartOfAnotherKind) {
  const Library library = two_parts();
  EXPECT_TRUE(library.find_as<Ladder>("link"));
  EXPECT_EQ(library.find_as<Chip>("link").error().front().message,
            "'link' is a ladder, which does not fit here");
}

TEST(Library, KeepsEqualSourcesOnce) {
  Library library;
  const Source a{.id = "a", .title = "t", .date = "2010"};
  EXPECT_EQ(library.add_source(a), 0U);
  EXPECT_EQ(library.add_source({.id = "b"}), 1U);
  EXPECT_EQ(library.add_source(a), 0U);
  EXPECT_EQ(library.sources().size(), 2U);
}

TEST(Evidence, HasAName) {
  EXPECT_EQ(to_text(Evidence::measured), "measured");
  EXPECT_EQ(to_text(Evidence::assumed), "assumed");
}

}  // namespace
}  // namespace ebb::power
