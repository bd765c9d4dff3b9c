// SPDX-License-Identifier: Apache-2.0
//
// Applications run to their end: no two of their ranks wait for each other, whether or not sends
// wait for their receives.
#include "ebb/applications/application.hpp"
#include "ebb/loggops/loggops.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace ebb::loggops {
namespace {

using applications::Application;
using applications::make_application;

void expect_end(const std::string& name, const ParameterTexts& given) {
  const auto program = make_application(name, given);
  ASSERT_TRUE(program) << name << to_string(program.error());
  for (const DataSize limit : {bytes(65'535), bytes(0)}) {
    const auto times = run(*program, {.rendezvous_above = limit});
    EXPECT_TRUE(times) << name << (times ? "" : to_string(times.error()));
  }
}

TEST(EveryApplication, RunsToItsEnd) {
  for (const Application& one : applications::applications()) {
    const bool is_nas = one.name.starts_with("nas-") && one.name != "nas-ep";
    expect_end(one.name, is_nas ? ParameterTexts{{"iterations", "1"}} : ParameterTexts{});
  }
}

TEST(EveryApplication, RunsOnMoreRanksThanDivideEvenly) {
  for (const std::string name : {"nas-cg", "nas-ft", "nas-is", "nas-lu", "nas-mg"}) {
    for (const std::string ranks : {"2", "32", "128"})
      expect_end(name, {{"ranks", ranks}, {"iterations", "1"}, {"class", "B"}});
  }
  for (const std::string name : {"nas-bt", "nas-sp"}) {
    for (const std::string ranks : {"4", "25", "121"})
      expect_end(name, {{"ranks", ranks}, {"iterations", "1"}, {"class", "B"}});
  }
  for (const std::string name : {"halo2d", "halo3d", "sweep3d", "fft3d"})
    for (const std::string ranks : {"2", "7", "30"}) expect_end(name, {{"ranks", ranks}});
}

TEST(Hpl, RunsToItsEndInAllItsVariants) {
  for (const std::string broadcast : {"1ring", "long"}) {
    for (const std::string swap : {"long", "tree"}) {
      for (const std::string look_ahead : {"0", "1"}) {
        expect_end("hpl", {{"n", "500"},
                           {"nb", "40"},
                           {"grid", "3x4"},
                           {"broadcast", broadcast},
                           {"swap", swap},
                           {"look_ahead", look_ahead}});
      }
    }
  }
}

// The next panel is under way while ranks update: the run is shorter.
TEST(Hpl, HidesPanelsBehindUpdatesWhenItLooksAhead) {
  const auto last = [](const std::string& look_ahead) {
    const auto program = make_application("hpl", {{"n", "2000"},
                                                  {"nb", "50"},
                                                  {"grid", "2x4"},
                                                  {"flops", "1000000000"},
                                                  {"look_ahead", look_ahead}});
    return run(*program, {})->last;
  };
  EXPECT_LT(last("1") * 10, last("0") * 9);
}

}  // namespace
}  // namespace ebb::loggops
