// SPDX-License-Identifier: Apache-2.0
#include "serving_program.hpp"

#include "ebb/training/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::training {
namespace {

constexpr std::uint8_t kClockCpu = 1;

// Tags of collective operations; those of iterations and of requests follow.
enum ServingTag : std::uint32_t { kTensorTag, kDispatchTag, kCombineTag, kNumbered };

DataSize token_message(std::int64_t tokens) { return bytes(kTokenBytes * tokens); }

// The share of one of `parts` in a time, so that all of them add up to it.
Duration share_of(Duration time, std::int64_t part, std::int64_t parts) {
  const std::int64_t whole = std::chrono::floor<std::chrono::nanoseconds>(time).count();
  const auto until = [&](std::int64_t i) {
    return static_cast<std::int64_t>(Int128{whole} * i / parts);
  };
  return std::chrono::nanoseconds(until(part + 1) - until(part));
}

std::int64_t groups_of(const Chunk& chunk, const Inference& inference) {
  return part_of(chunk.layers, inference.folded_layers);
}

}  // namespace

ServingGpu::ServingGpu(const Inference& inference, const IterationCosts& costs,
                       std::span<const ReplicaPlan> plans, std::uint32_t rank)
    : GpuOperations(inference.division, inference.scale_up, rank),
      inference_(inference),
      costs_(costs),
      plan_(plans[place_.data]),
      chunk_(costs.chunk(place_.stage)),
      expert_(group(groups_.context(place_))) {
  const std::uint32_t tensor = division_.one_rail ? 1 : division_.tensor;
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> neighbours;
  for (std::uint32_t c = 0; c < division_.context; ++c) {
    for (std::uint32_t t = 0; t < tensor; ++t) {
      all.push_back(groups_.rank_of({t, c, place_.stage, place_.data}));
      if (c == place_.context) neighbours.push_back(all.back());
    }
  }
  stage_ = group(std::move(all));
  tensor_ = group(std::move(neighbours));
}

program::RankBuilder ServingGpu::build() && {
  for (std::uint32_t number = 0; number < plan_.iterations.size(); ++number) run(number);
  return std::move(built_);
}

std::uint32_t ServingGpu::in_stage(std::uint32_t stage) const {
  return in_replica(place_.data, stage);
}

std::uint32_t ServingGpu::in_replica(std::uint32_t replica, std::uint32_t stage) const {
  Place other = place_;
  other.data = replica;
  other.stage = stage;
  return groups_.rank_of(other);
}

void ServingGpu::run(std::uint32_t number) {
  const std::vector<After> after = enter(number);
  pass(plan_.iterations[number], after);
  leave(number);
}

GpuOperations::After ServingGpu::take(std::uint32_t peer, std::uint32_t tag, DataSize size) {
  const std::uint32_t came = message(MessageKind::receive, peer, tag, size);
  if (computed_) built_.wait_for_start(came, *computed_);
  return came;
}

void ServingGpu::send(std::uint32_t peer, std::uint32_t tag, DataSize size, After after) {
  const std::uint32_t sent = message(MessageKind::send, peer, tag, size);
  if (after) built_.wait_for_end(sent, *after);
}

std::uint32_t ServingGpu::front_end_message(MessageKind kind, std::uint32_t tag, DataSize size) {
  return built_.add({.kind = kind, .peer = inference_.front_end(), .tag = tag, .size = size});
}

void ServingGpu::receive_requests(std::uint32_t number, std::vector<After>& after) {
  const Iteration& iteration = plan_.iterations[number];
  const DataSize prompts = token_message(iteration.prompt_tokens);
  if (!is_leader()) {
    after.emplace_back(take(stage_.ranks.front(), kNumbered + number, prompts));
    return;
  }
  std::vector<After> came;
  for (std::uint32_t i = 0; i < iteration.joins; ++i) {
    const std::uint32_t request = plan_.queue[iteration.first_join + i].request;
    came.emplace_back(front_end_message(MessageKind::receive, kNumbered + request,
                                        token_message(inference_.requests[request].prompt)));
  }
  for (const std::uint32_t other : stage_.ranks) {
    if (other == rank_) continue;
    const std::uint32_t sent = message(MessageKind::send, other, kNumbered + number, prompts);
    for (const After& one : came) built_.wait_for_end(sent, *one);
  }
  after.insert(after.end(), came.begin(), came.end());
}

std::vector<GpuOperations::After> ServingGpu::enter(std::uint32_t number) {
  const Iteration& iteration = plan_.iterations[number];
  std::vector<After> after = {last_};
  if (is_first()) {
    if (iteration.joins > 0 && plan_.role != Role::decode) receive_requests(number, after);
    if (!is_last() && iteration.previous != Iteration::kNone) {
      const std::uint32_t made = plan_.iterations[iteration.previous].requests;
      after.emplace_back(take(in_stage(division_.stages - 1), kNumbered + iteration.previous,
                              token_message(made)));
    }
  } else {
    after.emplace_back(
        take(in_stage(place_.stage - 1), kNumbered + number, costs_.stage_message(iteration)));
  }
  if (plan_.role != Role::decode) return after;
  for (std::uint32_t i = 0; i < iteration.joins; ++i) {
    const std::uint32_t request = plan_.queue[iteration.first_join + i].request;
    const std::uint32_t prefill = request % inference_.prefill_replicas;
    const std::uint32_t source = in_replica(prefill, place_.stage);
    if (is_first() && !is_last()) {
      after.emplace_back(message(MessageKind::receive, in_replica(prefill, division_.stages - 1),
                                 kNumbered + request, token_message(1)));
    }
    after.emplace_back(
        message(MessageKind::receive, source, kNumbered + request,
                costs_.key_values(inference_.requests[request].prompt, place_.stage)));
  }
  return after;
}

void ServingGpu::pass(const Iteration& iteration, const std::vector<After>& after) {
  if (inference_.tensor_leaves_server() || inference_.experts_leave_server())
    return pass_layers(iteration, after);
  computed_ = compute(costs_.stage_time(iteration, place_.stage, place_.data), after);
  last_ = computed_;
}

// Attention, all-reduce, dispatch to experts, FFN, combine, all-reduce: for each group of layers.
void ServingGpu::pass_layers(const Iteration& iteration, const std::vector<After>& after) {
  const Duration time = costs_.stage_time(iteration, place_.stage, place_.data);
  const std::int64_t halves = 2 * groups_of(chunk_, inference_);
  std::int64_t half = 0;
  computed_ = compute({}, after);
  last_ = computed_;
  if (chunk_.has_embedding)
    last_ = collective(Kind::all_reduce, tensor_, costs_.reduced(iteration, 1), kTensorTag, last_);
  const std::int64_t end = chunk_.first_layer + chunk_.layers;
  for (std::int64_t first = chunk_.first_layer; first < end; first += inference_.folded_layers) {
    const std::int64_t layers = std::min<std::int64_t>(inference_.folded_layers, end - first);
    std::int64_t experts = 0;
    for (std::int64_t layer = first; layer < first + layers; ++layer)
      experts += has_experts(inference_.model, layer) ? 1 : 0;
    const DataSize reduced = costs_.reduced(iteration, layers);
    last_ = compute(share_of(time, half++, halves), {last_});
    last_ = collective(Kind::all_reduce, tensor_, reduced, kTensorTag, last_);
    last_ = collective(Kind::all_to_all, expert_, costs_.dispatched(iteration, experts),
                       kDispatchTag, last_);
    last_ = compute(share_of(time, half++, halves), {last_});
    last_ = collective(Kind::all_to_all, expert_, costs_.combined(iteration, experts), kCombineTag,
                       last_);
    last_ = collective(Kind::all_reduce, tensor_, reduced, kTensorTag, last_);
  }
}

void ServingGpu::leave(std::uint32_t number) {
  const Iteration& iteration = plan_.iterations[number];
  const DataSize tokens = token_message(iteration.requests);
  if (!is_last()) {
    send(in_stage(place_.stage + 1), kNumbered + number, costs_.stage_message(iteration), last_);
  } else {
    if (!is_first() && iteration.has_next) send(in_stage(0), kNumbered + number, tokens, last_);
    if (is_leader())
      built_.wait_for_end(front_end_message(MessageKind::send, kNumbered + number, tokens), *last_);
  }
  if (plan_.role != Role::prefill) return;
  const std::uint32_t first = inference_.prefill_replicas;
  for (std::uint32_t i = 0; i < iteration.joins; ++i) {
    const std::uint32_t request = plan_.queue[iteration.first_join + i].request;
    if (inference_.requests[request].output == 1) continue;
    const std::uint32_t decoder = first + request % (division_.data - first);
    send(in_replica(decoder, place_.stage), kNumbered + request,
         costs_.key_values(inference_.requests[request].prompt, place_.stage), last_);
    if (is_last() && !is_first())
      send(in_replica(decoder, 0), kNumbered + request, token_message(1), last_);
  }
}

program::RankBuilder front_end_operations(const Inference& inference,
                                          std::span<const ReplicaPlan> plans) {
  using program::Operation;
  program::RankBuilder built;
  const Groups groups(inference.division);
  const std::uint32_t entries =
      inference.is_disaggregated() ? inference.prefill_replicas : inference.division.data;
  // A computation that ends at each arrival is its clock.
  std::optional<std::uint32_t> clock;
  Duration now{};
  for (std::uint32_t i = 0; i < inference.requests.size(); ++i) {
    const Request& request = inference.requests[i];
    const std::uint32_t arrived = built.add(
        {.kind = Operation::Kind::compute, .time = request.arrival - now, .cpu = kClockCpu});
    if (clock) built.wait_for_end(arrived, *clock);
    clock = arrived;
    now = request.arrival;
    const std::uint32_t sent = built.add({.kind = Operation::Kind::send,
                                          .peer = groups.rank_of({.data = i % entries}),
                                          .tag = kNumbered + i,
                                          .size = token_message(request.prompt)});
    built.wait_for_end(sent, arrived);
  }
  for (std::uint32_t replica = 0; replica < plans.size(); ++replica) {
    const std::uint32_t last =
        groups.rank_of({.stage = inference.division.stages - 1, .data = replica});
    std::optional<std::uint32_t> before;
    for (std::uint32_t number = 0; number < plans[replica].iterations.size(); ++number) {
      const std::uint32_t got =
          built.add({.kind = Operation::Kind::receive,
                     .peer = last,
                     .tag = kNumbered + number,
                     .size = token_message(plans[replica].iterations[number].requests)});
      if (before) built.wait_for_end(got, *before);
      before = got;
    }
  }
  return built;
}

std::uint64_t iteration_operations(const Inference& inference) {
  const Division& division = inference.division;
  const std::uint64_t messages = 6;
  if (!inference.tensor_leaves_server() && !inference.experts_leave_server()) return messages;
  // In each round of an operation a message there, one here, and one that waits for both.
  const std::uint64_t reduce =
      inference.tensor_leaves_server() ? 6 * (std::uint64_t{division.tensor} - 1) : 0;
  const std::uint64_t exchange =
      inference.experts_leave_server() ? 3 * (std::uint64_t{division.context} - 1) : 0;
  const auto layers = static_cast<std::uint64_t>(part_of(inference.model.layers, division.stages));
  const auto groups = static_cast<std::uint64_t>(
      part_of(static_cast<std::int64_t>(layers), inference.folded_layers));
  return messages + 1 + reduce + groups * (2 + 2 * reduce + 2 * exchange);
}

Result<program::Program> make_program(const Inference& inference, const std::string& name) {
  const IterationCosts costs(inference);
  const auto plans = plan_replicas(inference, costs);
  if (!plans) return fail(plans.error().front().message, {name});
  return make_program(inference, *plans, costs, name);
}

Result<program::Program> make_program(const Inference& inference,
                                      std::span<const ReplicaPlan> plans,
                                      const IterationCosts& costs, const std::string& name) {
  std::uint64_t iterations = 0;
  for (const ReplicaPlan& plan : plans) iterations += plan.iterations.size();
  const std::uint64_t each = iteration_operations(inference) * inference.replica_ranks();
  const std::uint64_t of_requests =
      inference.requests.size() * (2 + 2 * std::uint64_t{inference.replica_ranks()});
  const std::uint64_t all = iterations * each + of_requests;
  if (all > kMostMadeOperations) {
    return fail(fmt::format("{} iterations of {} ranks, and {} requests, are up to {} operations, "
                            "and at most {} are made: take fewer requests, or raise folded_layers",
                            iterations, inference.replica_ranks(), inference.requests.size(), all,
                            kMostMadeOperations),
                {name});
  }
  program::ProgramBuilder program(inference.front_end() + 1);
  for (std::uint32_t rank = 0; rank < inference.front_end(); ++rank)
    program.add(ServingGpu(inference, costs, plans, rank).build());
  program.add(front_end_operations(inference, plans));
  return std::move(program).build(name);
}

}  // namespace ebb::training
