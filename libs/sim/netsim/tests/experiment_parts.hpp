// SPDX-License-Identifier: Apache-2.0
//
// Patterns, injections and policies of which a test knows everything.
#pragma once

#include "tiny_network.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/traffic/host_source.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace ebb::netsim {

// Host h sends to `to[h]`, or nothing if that is itself.
class To final : public traffic::Pattern {
 public:
  explicit To(std::vector<std::uint32_t> to) : to_(std::move(to)) {}

  [[nodiscard]] std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                                          RandomStream& /*stream*/) const override {
    return to_[source];
  }
  [[nodiscard]] bool sends(std::uint32_t source) const override { return to_[source] != source; }

 private:
  std::vector<std::uint32_t> to_;
};

// A message every `gap`, the first at once.
class Every final : public traffic::Injection {
 public:
  explicit Every(Duration gap, DataSize size = kPacket) : Injection(size), gap_(gap) {}

  [[nodiscard]] traffic::Progress first(RandomStream& /*stream*/) const override { return {}; }
  void advance(traffic::Progress& progress, RandomStream& /*stream*/) const override {
    progress.at += gap_;
  }

 private:
  Duration gap_;
};

// Says what the test says, every `period`.
class Says final : public policy::Policy {
 public:
  using Decide = std::function<std::vector<policy::Action>(const policy::Sample&)>;

  explicit Says(
      Decide decide = [](const policy::Sample&) { return std::vector<policy::Action>{}; },
      Duration period = std::chrono::microseconds(100))
      : decide_(std::move(decide)), period_(period) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    return decide_(sample);
  }

 private:
  Decide decide_;
  Duration period_;
};

// These actions at the start, and nothing more.
inline Says at_start(std::vector<policy::Action> actions) {
  return Says([actions = std::move(actions)](const policy::Sample& sample) {
    return sample.at == TimePoint{} ? actions : std::vector<policy::Action>{};
  });
}

}  // namespace ebb::netsim
