// SPDX-License-Identifier: Apache-2.0
//
// What jobs tell of the CPUs of their hosts.
#include "ebb/program/goal.hpp"
#include "ebb/program/job.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

namespace ebb::program {
namespace {

using namespace std::chrono_literals;
using traffic::HostWork;

class Works final : public traffic::HostObserver {
 public:
  void host_works(std::uint32_t host, const HostWork& work) override {
    seen.emplace_back(host, work);
  }
  std::vector<std::pair<std::uint32_t, HostWork>> seen;
};

TimePoint at(Duration time) { return TimePoint(time); }

// Rank 1 is on host 0: it computes, sends to rank 0, which takes the message when it is there.
TEST(JobsUnderWatch, TellWhatCpusDo) {
  const Program program = read_goal_text(
                              "num_ranks 2\nrank 0 {\nr: recv 8b from 1 cpu 2\n}\n"
                              "rank 1 {\nc: calc 100\ns: send 8b to 0\ns requires c\n}\n",
                              "test.goal")
                              .value();
  Jobs jobs(2, {{program, {1, 0}, {}, "one"}}, {.send_overhead = 5ns, .receive_overhead = 7ns});
  Works works;
  jobs.observe(&works);
  EXPECT_EQ(jobs.name_of(0), "rank 1");
  (void)jobs.advance(0, at(1us));
  (void)jobs.advance(1, at(200ns));
  const auto message = jobs.next(0);
  ASSERT_TRUE(message);
  jobs.delivered(0, 1, message->number, at(300ns));
  (void)jobs.advance(1, at(1us));
  EXPECT_EQ(works.seen, (std::vector<std::pair<std::uint32_t, HostWork>>{
                            {0, {HostWork::Kind::computes, 0, at(0ns), at(100ns)}},
                            {0, {HostWork::Kind::sends, 0, at(100ns), at(105ns)}},
                            {1, {HostWork::Kind::receives, 2, at(300ns), at(307ns)}}}));
}

}  // namespace
}  // namespace ebb::program
