// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/bytes.hpp"
#include "ebb/results/record.hpp"
#include "ebb/sweep/workers.hpp"

#include <limits>
#include <thread>
#include <vector>

namespace ebb::sweep {
namespace {

constexpr std::chrono::milliseconds kBetweenRankLooks(1);
constexpr std::uint64_t kGoHome = std::numeric_limits<std::uint64_t>::max();

Bytes order(std::uint64_t which) {
  Bytes bytes;
  append(bytes, which);
  return bytes;
}

class RankWorkers final : public Workers {
 public:
  RankWorkers(std::uint32_t ranks, mpi::PointToPoint& post) : ranks_(ranks), post_(post) {
    for (std::uint32_t rank = ranks; rank-- > 1;) idle_.push_back(rank);
  }
  ~RankWorkers() override {
    for (std::uint32_t rank = 1; rank < ranks_; ++rank) post_.send(rank, order(kGoHome));
  }

  [[nodiscard]] std::size_t idle() const override { return idle_.size(); }

  void begin(std::size_t which) override {
    post_.send(idle_.back(), order(which));
    idle_.pop_back();
  }

  [[nodiscard]] std::optional<Finished> finished(std::chrono::milliseconds timeout) override {
    const auto end = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      if (const auto letter = post_.try_receive()) {
        idle_.push_back(letter->from);
        ByteReader reader(letter->bytes);
        const auto which = static_cast<std::size_t>(reader.take<std::uint64_t>());
        const double wall_seconds = reader.take<double>();
        return Finished{which, results::take_record(reader), wall_seconds};
      }
      if (std::chrono::steady_clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(kBetweenRankLooks);
    }
  }

 private:
  std::uint32_t ranks_;
  mpi::PointToPoint& post_;
  std::vector<std::uint32_t> idle_;
};

}  // namespace

std::unique_ptr<Workers> rank_workers(const mpi::Communicator& ranks, mpi::PointToPoint& post) {
  return std::make_unique<RankWorkers>(ranks.count(), post);
}

void serve(mpi::PointToPoint& post, const Perform& perform) {
  for (;;) {
    const auto letter = post.try_receive();
    if (!letter) {
      std::this_thread::sleep_for(kBetweenRankLooks);
      continue;
    }
    const auto which = ByteReader(letter->bytes).take<std::uint64_t>();
    if (which == kGoHome) return;
    const Finished finished = perform(static_cast<std::size_t>(which));
    Bytes answer;
    append(answer, which);
    append(answer, finished.wall_seconds);
    append_record(answer, finished.record);
    post.send(letter->from, answer);
  }
}

}  // namespace ebb::sweep
