// SPDX-License-Identifier: Apache-2.0
//
// Continuous batching, as in G.-I. Yu et al., "Orca: a distributed serving system for
// Transformer-based generative models" (2022): requests join and leave a batch between iterations.
// A pipeline of p stages has p batches, so that each stage has one to work at. The next iteration
// of a batch begins when the last stage has made the tokens of the one before; prefill alone needs
// no token, and goes on as soon as the first stage is free.
#include "ebb/training/iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace ebb::training {
namespace {

constexpr std::size_t kMostIterations = 10'000'000;
constexpr Duration kLatestPlan = std::chrono::hours(24 * 60);

class ReplicaBatching {
 public:
  using Role = ReplicaPlan::Role;

  ReplicaBatching(const Inference& inference, const IterationCosts& costs, std::uint32_t replica,
                  ReplicaPlan& plan)
      : inference_(inference),
        costs_(costs),
        replica_(replica),
        plan_(plan),
        free_(inference.division.stages),
        batches_(plan.role == Role::prefill ? 1 : inference.division.stages) {}

  // Until all requests of the queue are served. `prefilled` gets the end of each prefill. False
  // when there are too many iterations.
  bool run(const std::function<void(std::uint32_t request, Duration end)>& prefilled) {
    while (true) {
      Batch* const next = earliest();
      if (next == nullptr) return true;
      if (plan_.iterations.size() == kMostIterations || free_.back() > kLatestPlan) return false;
      const Duration start = start_of(*next);
      const Duration end = iterate(*next, start);
      const Iteration& made = plan_.iterations.back();
      for (std::uint32_t i = 0; i < made.joins; ++i)
        prefilled(plan_.queue[made.first_join + i].request, end);
    }
  }

 private:
  // A request that leaves its batch after the iteration of that number.
  struct Leaving {
    std::int64_t after = 0;
    std::int64_t context = 0;
    auto operator<=>(const Leaving&) const = default;
  };
  struct Batch {
    Duration ready{};  // its last tokens are there
    std::int64_t made = 0;
    std::uint32_t last = Iteration::kNone;
    std::uint32_t requests = 0;
    std::int64_t context = 0;  // of all its requests
    std::priority_queue<Leaving, std::vector<Leaving>, std::greater<>> leaving;
  };

  [[nodiscard]] bool has_queued() const { return next_ < plan_.queue.size(); }

  [[nodiscard]] Duration start_of(const Batch& batch) const {
    const Duration free = std::max(free_.front(), batch.ready);
    return batch.requests > 0 ? free : std::max(free, plan_.queue[next_].ready);
  }

  // The batch that can begin first, of those that have something to do.
  Batch* earliest() {
    Batch* best = nullptr;
    for (Batch& batch : batches_) {
      if (batch.requests == 0 && !has_queued()) continue;
      if (best == nullptr || start_of(batch) < start_of(*best)) best = &batch;
    }
    return best;
  }

  void join(Batch& batch, Iteration& iteration) {
    const Request& request = inference_.requests[plan_.queue[next_].request];
    ++next_;
    ++iteration.joins;
    ++batch.requests;
    // A decoder gets the first token with the keys and values, and makes the others.
    const bool decodes = plan_.role == Role::decode;
    const std::int64_t context = request.prompt + (decodes ? 1 : 0);
    const std::int64_t tokens = decodes ? 1 : request.prompt;
    iteration.prompt_tokens += decodes ? 0 : request.prompt;
    iteration.tokens += tokens;
    iteration.pairs += decodes ? context : request.prompt * (request.prompt + 1) / 2;
    batch.context += context;
    const std::int64_t more = plan_.role == Role::prefill ? 0 : request.output - (decodes ? 2 : 1);
    batch.leaving.push({batch.made + more, context + more});
  }

  [[nodiscard]] bool may_join(const Batch& batch, const Iteration& iteration,
                              Duration start) const {
    if (!has_queued() || plan_.queue[next_].ready > start) return false;
    if (batch.requests == inference_.max_batch) return false;
    if (plan_.role == Role::decode || iteration.prompt_tokens == 0) return true;
    const std::int64_t prompt = inference_.requests[plan_.queue[next_].request].prompt;
    return iteration.prompt_tokens + prompt <= inference_.max_tokens;
  }

  // Its end on the last stage.
  Duration iterate(Batch& batch, Duration start) {
    Iteration iteration;
    iteration.first_join = static_cast<std::uint32_t>(next_);
    iteration.tokens = batch.requests;
    batch.context += batch.requests;
    iteration.pairs = batch.context;
    while (may_join(batch, iteration, start)) join(batch, iteration);
    iteration.requests = batch.requests;
    iteration.context = batch.context;
    if (plan_.role != Role::prefill) {
      iteration.previous = batch.last;
      if (batch.last != Iteration::kNone) plan_.iterations[batch.last].has_next = true;
    }
    Duration at = start;
    for (std::uint32_t stage = 0; stage < free_.size(); ++stage) {
      at = std::max(at, free_[stage]) + costs_.stage_time(iteration, stage, replica_);
      free_[stage] = at;
    }
    if (plan_.role != Role::prefill) batch.ready = at;
    plan_.end = at;
    batch.last = static_cast<std::uint32_t>(plan_.iterations.size());
    plan_.iterations.push_back(iteration);
    leave(batch);
    return at;
  }

  static void leave(Batch& batch) {
    while (!batch.leaving.empty() && batch.leaving.top().after == batch.made) {
      batch.context -= batch.leaving.top().context;
      --batch.requests;
      batch.leaving.pop();
    }
    ++batch.made;
  }

  const Inference& inference_;
  const IterationCosts& costs_;
  std::uint32_t replica_;
  ReplicaPlan& plan_;
  std::vector<Duration> free_;  // by stage
  std::vector<Batch> batches_;
  std::size_t next_ = 0;  // of the queue
};

}  // namespace

Result<std::vector<ReplicaPlan>> plan_replicas(const Inference& inference,
                                               const IterationCosts& costs) {
  using Role = ReplicaPlan::Role;
  const std::uint32_t replicas = inference.division.data;
  const std::uint32_t first_decoder = inference.prefill_replicas;
  const std::uint32_t entries = inference.is_disaggregated() ? first_decoder : replicas;
  std::vector<ReplicaPlan> plans(replicas);
  for (std::uint32_t i = 0; i < inference.requests.size(); ++i)
    plans[i % entries].queue.push_back({inference.requests[i].arrival, i});
  for (std::uint32_t replica = 0; replica < replicas; ++replica) {
    ReplicaPlan& plan = plans[replica];
    if (inference.is_disaggregated())
      plan.role = replica < first_decoder ? Role::prefill : Role::decode;
    // Those that are prefilled first decode first.
    std::ranges::sort(plan.queue, {}, [](const ReplicaPlan::Queued& queued) {
      return std::pair(queued.ready, queued.request);
    });
    const auto hand_over = [&](std::uint32_t request, Duration end) {
      if (plan.role != Role::prefill || inference.requests[request].output == 1) return;
      plans[first_decoder + request % (replicas - first_decoder)].queue.push_back({end, request});
    };
    if (!ReplicaBatching(inference, costs, replica, plan).run(hand_over)) {
      return fail(
          fmt::format("replica {} has more than {} iterations or takes more than 60 days: "
                      "take fewer requests or more replicas",
                      replica, plan.iterations.size()));
    }
  }
  return plans;
}

}  // namespace ebb::training
