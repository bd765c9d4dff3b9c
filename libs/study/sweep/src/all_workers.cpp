// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/check.hpp"
#include "ebb/sweep/workers.hpp"

#include <thread>
#include <utility>

namespace ebb::sweep {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(1);

class AllWorkers final : public Workers {
 public:
  explicit AllWorkers(std::vector<std::unique_ptr<Workers>> groups) : groups_(std::move(groups)) {}

  [[nodiscard]] std::size_t idle() const override {
    std::size_t sum = 0;
    for (const auto& group : groups_) sum += group->idle();
    return sum;
  }

  void begin(std::size_t which) override {
    for (const auto& group : groups_) {
      if (group->idle() > 0) return group->begin(which);
    }
    EBB_CHECK(false, "a run begun while nobody is idle");
  }

  [[nodiscard]] std::optional<Finished> finished(std::chrono::milliseconds patience) override {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      for (const auto& group : groups_) {
        if (auto one = group->finished(std::chrono::milliseconds(0))) return one;
      }
      if (std::chrono::steady_clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

 private:
  std::vector<std::unique_ptr<Workers>> groups_;
};

}  // namespace

std::unique_ptr<Workers> all_of(std::vector<std::unique_ptr<Workers>> groups) {
  return std::make_unique<AllWorkers>(std::move(groups));
}

}  // namespace ebb::sweep
