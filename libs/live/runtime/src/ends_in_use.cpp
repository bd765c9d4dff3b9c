// SPDX-License-Identifier: Apache-2.0
#include "ends_in_use.hpp"

#include <memory>
#include <utility>

namespace ebb::runtime {
namespace {

constexpr transport::Milliseconds kLookLimit{2000};

// Two questions under way; what is not answered when it is over stays unknown.
struct Looking {
  std::array<EndInUse, 2> ends;
  EndsSeen seen;
  int open = 2;
  transport::Loop::Timer limit;

  void end() {
    if (const auto call = std::exchange(seen, nullptr)) call(ends);
  }
};

}  // namespace

void look_at_ends(transport::Loop& loop, const drivers::LiveFabric& live, topology::LinkId link,
                  const EndsSeen& seen) {
  const auto looking = std::make_shared<Looking>();
  const topology::ChannelId forth = topology::forward(link);
  looking->seen = seen;
  looking->limit = loop.after(kLookLimit, [looking] { looking->end(); });
  for (std::size_t i = 0; i < 2; ++i) {
    EndInUse& one = looking->ends[i];
    one.end = i == 0 ? forth : topology::reverse(forth);
    one.means = live.steering_means(one.end);
    one.why = "the switch did not answer in time";
  }
  for (EndInUse& one : looking->ends) {
    live.look_at_forwarding(
        one.end, [&loop, &one, looking](std::optional<bool> in_use, const std::string& why) {
          one.in_use = in_use;
          one.why = why;
          if (--looking->open > 0) return;
          loop.cancel(looking->limit);
          looking->end();
        });
  }
}

Json forwarding_json(const topology::Graph& graph, const std::array<EndInUse, 2>& ends) {
  Json forwarding = Json::array();
  for (const EndInUse& one : ends) {
    forwarding.push_back({{"from", graph.name(graph.source(one.end))},
                          {"to", graph.name(graph.target(one.end))},
                          {"in_use", one.in_use ? Json(*one.in_use) : Json()},
                          {"by", one.means},
                          {"why", one.why}});
  }
  return forwarding;
}

}  // namespace ebb::runtime
