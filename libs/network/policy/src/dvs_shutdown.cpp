// SPDX-License-Identifier: Apache-2.0
#include "dvs_shutdown.hpp"

#include "dvs.hpp"
#include "shutdown.hpp"

#include <algorithm>
#include <memory>

namespace ebb::policy::dvs_shutdown {
namespace {

class DvsShutdown final : public Policy {
 public:
  explicit DvsShutdown(const Parameters& parameters) : dvs_(parameters), shutdown_(parameters) {}

  [[nodiscard]] Duration sample_period() const override { return shutdown_.sample_period(); }
  [[nodiscard]] bool wants_ways() const override { return true; }
  void study(std::span<const Way> ways) override { shutdown_.study(ways); }

  // A step for a channel that is to be closed would keep it open.
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions = shutdown_.decide(sample);
    std::vector<ChannelId> closed;
    for (const Action& action : actions) {
      if (std::holds_alternative<Sleep>(action.order)) closed.push_back(action.channel);
    }
    for (const Action& action : dvs_.decide(sample)) {
      if (!std::binary_search(closed.begin(), closed.end(), action.channel))
        actions.push_back(action);
    }
    sort_by_channel(actions);
    return actions;
  }

  void learn(const Outcome& outcome) override {
    dvs_.learn(outcome);
    shutdown_.learn(outcome);
  }

 private:
  dvs::Dvs dvs_;
  shutdown::Shutdown shutdown_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<DvsShutdown>(parameters);
}

}  // namespace

Entry entry() {
  Entry entry{.name = "dvs-shutdown",
              .summary = "shutdown decides which links sleep, dvs sets the rates of the others",
              .parameters = shutdown::parameters(),
              .make = make};
  const auto more = dvs::parameters();
  entry.parameters.insert(entry.parameters.end(), more.begin(), more.end());
  entry.parameters.push_back(dvs::window_parameter());
  return entry;
}

}  // namespace ebb::policy::dvs_shutdown
