// SPDX-License-Identifier: Apache-2.0
//
// Tables with alternatives: what they cost, that frames arrive without any single link, and that
// the quick check says what walking every pair says.
#include "ebb/rules/check.hpp"

#include "networks.hpp"

#include <string>
#include <vector>

namespace ebb::rules {
namespace {

constexpr Detail kDetails[] = {Detail::flat, Detail::per_switch, Detail::per_group,
                               Detail::compact};
constexpr Alternatives kAlternatives[] = {Alternatives::none, Alternatives::injection,
                                          Alternatives::everywhere};

std::vector<Table> tables_of(const Addressed& made, Detail detail, Alternatives alternatives) {
  std::vector<Table> tables;
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    tables.push_back(made.maker.table(s, detail, alternatives));
  return tables;
}

class Networks : public ::testing::TestWithParam<Shape> {};

TEST_P(Networks, AreRightWithAlternativesAndBothChecksAgree) {
  const Addressed made(GetParam());
  for (const Alternatives alternatives : kAlternatives) {
    if (!made.maker.offers(alternatives)) continue;
    for (const Detail detail : kDetails) {
      SCOPED_TRACE("detail " + std::to_string(static_cast<int>(detail)) + ", alternatives " +
                   std::to_string(static_cast<int>(alternatives)));
      const std::vector<Table> tables = tables_of(made, detail, alternatives);
      const CheckReport quick = check(made.graph, made.plan, tables, &made.maker);
      EXPECT_EQ(to_string(quick.errors), "");
      const CheckReport slow = check_by_walking(made.graph, made.plan, tables, &made.maker);
      EXPECT_EQ(to_string(slow.errors), "");
      EXPECT_EQ(quick.links, slow.links);
      EXPECT_EQ(quick.survived, slow.survived);
      EXPECT_EQ(quick.classes, slow.classes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Networks, ::testing::ValuesIn(small_shapes()));

}  // namespace
}  // namespace ebb::rules
