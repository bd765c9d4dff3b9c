// SPDX-License-Identifier: Apache-2.0
//
// Tables with backup paths: what they cost, that frames arrive without any single link, and that
// the quick check says what walking every pair says.
#include "networks.hpp"

#include "ebb/forwarding/check.hpp"

#include <string>
#include <vector>

namespace ebb::forwarding {
namespace {

constexpr Detail kDetails[] = {Detail::flat, Detail::per_switch, Detail::per_group,
                               Detail::compact};
constexpr BackupPaths kBackupPaths[] = {BackupPaths::none, BackupPaths::injection,
                                        BackupPaths::everywhere};

std::vector<Table> tables_of(const Addressed& made, Detail detail, BackupPaths backup_paths) {
  std::vector<Table> tables;
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    tables.push_back(made.maker.table(s, detail, backup_paths));
  return tables;
}

class Networks : public ::testing::TestWithParam<Shape> {};

TEST_P(Networks, AreRightWithBackupPathsAndBothChecksAgree) {
  const Addressed made(GetParam());
  for (const BackupPaths backup_paths : kBackupPaths) {
    if (!made.maker.offers(backup_paths)) continue;
    for (const Detail detail : kDetails) {
      SCOPED_TRACE("detail " + std::to_string(static_cast<int>(detail)) + ", backup_paths " +
                   std::to_string(static_cast<int>(backup_paths)));
      const std::vector<Table> tables = tables_of(made, detail, backup_paths);
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

std::size_t ports(const Addressed& made, std::uint32_t s) {
  return made.graph.outputs(made.graph.switch_node(s)).size();
}

std::size_t hosts_of(const Addressed& made, std::uint32_t s) {
  std::size_t hosts = 0;
  for (std::uint32_t h = 0; h < made.graph.host_count(); ++h)
    hosts += made.plan.switch_of(h) == s ? 1 : 0;
  return hosts;
}

// "This mechanism requires T additional rules" (Section V-D); uplinks of a Clos one more each.
TEST(BackupPathsAtTheSource, TakeOneRuleForEachHost) {
  for (const Shape& shape : {Shape{"fbfly", {{"hosts", "4"}, {"dims", "5x4"}}},
                             Shape{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}}}) {
    const Addressed made(shape);
    for (const Detail detail : kDetails) {
      for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s) {
        EXPECT_EQ(made.maker.table(s, detail, BackupPaths::injection).rules.size(),
                  made.rules(s, detail) + hosts_of(made, s));
      }
    }
  }
  const Addressed clos({"clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "32"}}});
  EXPECT_EQ(clos.maker.table(0, Detail::compact, BackupPaths::injection).rules.size(), 8 + 4);
}

// Hosts once, all else twice; a Clos one more for each uplink.
TEST(FastReroutes, TakeTwoRulesForEachPortBetweenSwitches) {
  for (const Shape& shape : {Shape{"fbfly", {{"hosts", "4"}, {"dims", "5x4"}}},
                             Shape{"fbfly", {{"hosts", "3"}, {"dims", "3x3x3"}}}}) {
    const Addressed made(shape);
    for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s) {
      EXPECT_EQ(made.maker.table(s, Detail::compact, BackupPaths::everywhere).rules.size(),
                2 * ports(made, s) - hosts_of(made, s));
    }
  }
  const Addressed clos({"clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "32"}}});
  EXPECT_EQ(clos.maker.table(0, Detail::compact, BackupPaths::everywhere).rules.size(),
            2 * 8 - 4 + 4);
}

CheckReport checked(const Shape& shape, BackupPaths backup_paths) {
  const Addressed made(shape);
  return check(made.graph, made.plan, tables_of(made, Detail::compact, backup_paths));
}

// Of a network with at least three in a line, a group or a block, any link may fail.
TEST(FastReroutes, SurviveAnySingleLinkOfTheUsualFamilies) {
  for (const Shape& shape : {Shape{"fbfly", {{"hosts", "2"}, {"dims", "3x4"}}},
                             Shape{"fbfly", {{"hosts", "1"}, {"dims", "3x2x3"}}},
                             Shape{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}},
                             Shape{"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}},
                             Shape{"complete", {{"switches", "6"}, {"hosts", "2"}}}}) {
    const CheckReport report = checked(shape, BackupPaths::everywhere);
    EXPECT_EQ(report.survived, report.links) << shape.text();
    EXPECT_GT(report.links, 0U);
  }
}

TEST(Classes, AreFew) {
  const Shape dragonfly{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}};
  EXPECT_EQ(checked(dragonfly, BackupPaths::injection).classes, 2U);  // Section V-E
  EXPECT_EQ(checked(dragonfly, BackupPaths::everywhere).classes, 4U);
}

// The same tables with every class 0: paths up and down a ring, or there and back, depend on each
// other in cycles.
TEST(Classes, AreNeeded) {
  for (const Shape& shape : {Shape{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}},
                             Shape{"torus", {{"hosts", "1"}, {"dims", "5x5"}}},
                             Shape{"fbfly", {{"hosts", "2"}, {"dims", "3x4"}}}}) {
    const Addressed made(shape);
    std::vector<Table> tables = tables_of(made, Detail::compact, BackupPaths::everywhere);
    for (Table& table : tables) {
      for (Rule& rule : table.rules) rule.cos = 0;
    }
    for (const CheckReport& report :
         {check(made.graph, made.plan, tables), check_by_walking(made.graph, made.plan, tables)}) {
      ASSERT_EQ(report.errors.size(), 1U) << shape.text();
      EXPECT_NE(report.errors[0].message.find("dependencies have a cycle"), std::string::npos);
    }
  }
}

TEST(ACheck, SaysTheSameOnAnyNumberOfThreads) {
  const Addressed made({"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}});
  std::vector<Table> tables = tables_of(made, Detail::compact, BackupPaths::everywhere);
  tables[3].rules.pop_back();
  tables[7].fast_reroutes.front().backup = tables[7].fast_reroutes.front().output;
  const CheckReport one = check(made.graph, made.plan, tables, nullptr, 1);
  const CheckReport five = check(made.graph, made.plan, tables, nullptr, 5);
  EXPECT_FALSE(one.errors.empty());
  EXPECT_EQ(one.errors, five.errors);
  EXPECT_EQ(one.survived, five.survived);
}

TEST(BackupPaths, AreRefusedWhereThereIsNoRoom) {
  const Addressed torus({"torus", {{"hosts", "1"}, {"dims", "4x4"}}});
  EXPECT_FALSE(torus.maker.offers(BackupPaths::injection));
  EXPECT_TRUE(torus.maker.offers(BackupPaths::everywhere));
}

}  // namespace
}  // namespace ebb::forwarding
