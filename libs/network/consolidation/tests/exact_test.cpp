// SPDX-License-Identifier: Apache-2.0
//
// Against exact solutions: the whole problem, planes, groups and links together, as an integer
// program for GLPK's branch and bound. Only where GLPK is installed.
#include "random_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#ifdef EBB_HAVE_GLPK
#include <glpk.h>
#endif

namespace ebb::consolidation {
namespace {

#ifdef EBB_HAVE_GLPK

// Variables are numbered from 1, as GLPK does.
class IntegerProgram {
 public:
  IntegerProgram() : problem_(glp_create_prob()) { glp_set_obj_dir(problem_, GLP_MIN); }
  IntegerProgram(const IntegerProgram&) = delete;
  IntegerProgram& operator=(const IntegerProgram&) = delete;
  ~IntegerProgram() {
    glp_delete_prob(problem_);
    glp_free_env();
  }

  int variable(double cost, std::uint32_t most = 1) {
    const int column = glp_add_cols(problem_, 1);
    glp_set_col_kind(problem_, column, GLP_IV);
    glp_set_col_bnds(problem_, column, GLP_DB, 0, most);
    glp_set_obj_coef(problem_, column, cost);
    return column;
  }

  using Terms = std::vector<std::pair<int, double>>;
  void at_least(const Terms& terms, double value) { constrain(terms, GLP_LO, value); }
  void equal(const Terms& terms, double value) { constrain(terms, GLP_FX, value); }

  // Nothing: no values satisfy all constraints.
  std::optional<double> minimum() {
    glp_iocp options;
    glp_init_iocp(&options);
    options.presolve = GLP_ON;
    options.msg_lev = GLP_MSG_OFF;
    glp_term_out(GLP_OFF);
    if (glp_intopt(problem_, &options) != 0) return std::nullopt;
    if (glp_mip_status(problem_) != GLP_OPT) return std::nullopt;
    return glp_mip_obj_val(problem_);
  }

 private:
  void constrain(const Terms& terms, int kind, double value) {
    std::vector<int> columns = {0};
    std::vector<double> factors = {0};
    for (const auto& [column, factor] : terms) {
      columns.push_back(column);
      factors.push_back(factor);
    }
    const int row = glp_add_rows(problem_, 1);
    glp_set_row_bnds(problem_, row, kind, value, value);
    glp_set_mat_row(problem_, row, static_cast<int>(terms.size()), columns.data(), factors.data());
  }

  glp_prob* problem_;
};

// on(n) = 1 if n planes are on.
struct Numbers {
  std::size_t fewest = 1;
  std::vector<int> on;
};

double rate(DataRate value) { return static_cast<double>(value.count()); }

// Rows of one leaf of a plane: whatever number of planes is on, it has what it then needs, if this
// plane is one of them.
void add_leaf(const Case& it, const Plane& plane, int plane_on, std::size_t leaf,
              const std::vector<int>& links, const Numbers& numbers, IntegerProgram& program) {
  const double fixed = rate(plane.to_leaves[leaf]);
  const auto require = [&](DataRate need, int number, std::size_t without) {
    IntegerProgram::Terms terms = {{plane_on, -rate(need)}, {number, -rate(need)}};
    for (std::size_t g = 0; g < links.size(); ++g) {
      if (g != without) terms.emplace_back(links[g], rate(plane.groups[g].to_leaf[leaf].rate));
    }
    program.at_least(terms, -rate(need) - fixed);
  };
  for (std::size_t i = 0; i < numbers.on.size(); ++i) {
    const std::size_t planes_on = numbers.fewest + i;
    const Need hosts = need_of(it.demand.hosts[leaf], it.demand.margin, planes_on);
    if (plane.hosts[leaf] < hosts.whole)
      program.at_least({{plane_on, -1}, {numbers.on[i], -1}}, -1);
    const Need need = need_of(it.demand.network[leaf], it.demand.margin, planes_on);
    require(need.whole, numbers.on[i], links.size());
    if (plane.groups.size() == 1 && planes_on > 1) continue;
    for (std::size_t g = 0; g < links.size(); ++g) require(need.without_a_group, numbers.on[i], g);
  }
}

std::optional<double> least_power(const Case& it) {
  IntegerProgram program;
  Numbers numbers{it.network.planes.size() > 1 ? 2U : 1U, {}};
  IntegerProgram::Terms one;
  IntegerProgram::Terms count;
  for (std::size_t n = numbers.fewest; n <= it.network.planes.size(); ++n) {
    numbers.on.push_back(program.variable(0));
    one.emplace_back(numbers.on.back(), 1);
    count.emplace_back(numbers.on.back(), -static_cast<double>(n));
  }
  for (const Plane& plane : it.network.planes) {
    const int plane_on = program.variable(to_watts(plane.leaves));
    count.emplace_back(plane_on, 1);
    std::vector<int> groups;
    for (const Group& group : plane.groups) {
      groups.push_back(program.variable(to_watts(group.switches)));
      program.at_least({{plane_on, 1}, {groups.back(), -1}}, 0);
    }
    for (std::size_t leaf = 0; leaf < it.network.leaves(); ++leaf) {
      std::vector<int> links;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::uint32_t most = plane.groups[g].to_leaf[leaf].links;
        links.push_back(program.variable(to_watts(plane.groups[g].link), most));
        program.at_least({{groups[g], static_cast<double>(most)}, {links[g], -1}}, 0);
        program.at_least({{links[g], 1}, {groups[g], -1}}, 0);
      }
      add_leaf(it, plane, plane_on, leaf, links, numbers, program);
    }
  }
  program.equal(one, 1);
  program.equal(count, 0);
  return program.minimum();
}

constexpr double kAllowed = 1.05;

// Cases whose load is too much for all switches count as well: both say so.
TEST(Exact, IsAtMostFivePercentBelowOfWhatIsFound) {
  int exact = 0;
  int solvable = 0;
  double worst = 1;
  double worst_bound = 1;
  for (std::uint64_t seed = 1; solvable < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Case it = random_case(seed);
    const Selection found = select(it.network, it.demand);
    const auto least = least_power(it);
    ASSERT_EQ(found.enough, least.has_value());
    if (!least) continue;
    ++solvable;
    const double power = to_watts(found.power);
    EXPECT_GE(power, *least - 1e-6);
    EXPECT_LE(power, kAllowed * *least);
    EXPECT_LE(to_watts(found.bound), *least + 1e-6);
    if (power < *least + 1e-6) ++exact;
    worst = std::max(worst, power / *least);
    worst_bound = std::max(worst_bound, *least / to_watts(found.bound));
  }
  RecordProperty("exact", exact);
  std::printf(
      "%d of %d are optimal, the worst takes %.4f times the least power; bounds are up to %.3f "
      "times too low\n",
      exact, solvable, worst, worst_bound);
}

#else

TEST(Exact, IsAtMostFivePercentBelowOfWhatIsFound) { GTEST_SKIP() << "without GLPK"; }

#endif

}  // namespace
}  // namespace ebb::consolidation
