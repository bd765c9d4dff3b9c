// SPDX-License-Identifier: Apache-2.0
//
// A workload of SimAI as a program of its GPUs: one training step.
//
//   forward         layer after layer: compute, then the collective operation, which is waited for
//   backward        from the last layer to the first: input gradient with its operation, which is
//                   waited for; weight gradient, whose operation goes on beside the layers that
//                   follow and after that of the layer before
//
// GPUs are numbered by tensor group, then by data group, then by stage: rank = t + T (d + D s). All
// stages run the layers of the file, because it has no others. A stage begins a micro-batch when it
// has the activations of the stage before it, and its backward pass when it has the gradients of
// the stage behind it.
#include "ebb/trace/simai.hpp"

#include "formats.hpp"

#include "ebb/core/text_lines.hpp"
#include "ebb/program/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::trace {
namespace {

using program::Collective;
using program::Operation;
using program::RankBuilder;
using Group = SimaiPhase::Group;

// Layers compute beside the messages of weight gradients.
constexpr std::uint8_t kLayersCpu = 1;
constexpr std::uint64_t kMostSimaiOperations = 20'000'000;  // some 1.2 GB of a program
constexpr std::string_view kMicroBatchBegins = "embedding_layer";

bool recognizes_simai(const Input& input) {
  TextLines lines(input.file->text(), input.path);
  if (!lines.next()) return false;
  const auto first = fields_of(lines.line())[0];
  return first == "MICRO" || first == "DATA" || first.starts_with("HYBRID_");
}

// How the GPUs are divided.
struct SimaiGroups {
  std::uint32_t tensor = 1;
  std::uint32_t data = 1;
  std::uint32_t expert = 1;
  std::uint32_t stages = 1;

  [[nodiscard]] std::uint32_t gpus() const { return tensor * data * stages; }
  [[nodiscard]] std::uint32_t size(Group group) const {
    switch (group) {
      case Group::tensor:
        return tensor;
      case Group::data:
        return data;
      case Group::expert:
        return expert;
      case Group::data_expert:
        return data / expert;
    }
    return 1;
  }
  // The members of a GPU's group, in order.
  [[nodiscard]] std::vector<std::uint32_t> members(Group group, std::uint32_t gpu) const {
    const std::uint32_t t = gpu % tensor;
    const std::uint32_t d = gpu / tensor % data;
    const std::uint32_t stage = gpu / tensor / data;
    std::vector<std::uint32_t> ranks(size(group));
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
      const std::uint32_t of_data = group == Group::tensor   ? d
                                    : group == Group::data   ? i
                                    : group == Group::expert ? d / expert * expert + i
                                                             : d % expert + i * expert;
      ranks[i] = (group == Group::tensor ? i : t) + tensor * (of_data + data * stage);
    }
    return ranks;
  }
};

Result<SimaiGroups> groups_of(const SimaiWorkload& work, std::uint32_t gpus,
                              const std::string& name) {
  if (gpus == 0) return fail("the header has no all_gpus: --set gpus=N", {name, 1});
  const std::uint64_t model = std::uint64_t{work.tensor} * work.stages;
  if (gpus % model != 0) {
    return fail(fmt::format("{} GPUs are no multiple of {}, tensor group {} x stages {}", gpus,
                            model, work.tensor, work.stages),
                {name, 1});
  }
  const auto data = static_cast<std::uint32_t>(gpus / model);
  if (data % work.expert != 0) {
    return fail(fmt::format("data groups of {} GPUs are no multiple of the expert group of {}; "
                            "GPUs are a multiple of {}",
                            data, work.expert, model * work.expert),
                {name, 1});
  }
  return SimaiGroups{work.tensor, data, work.expert, work.stages};
}

// Whether messages go in a phase.
bool sends(const SimaiPhase& phase, const SimaiGroups& groups) {
  return phase.kind && phase.size > DataSize() && groups.size(phase.group) > 1;
}

// The layer from which the forward pass is repeated before the backward pass of `layer`.
std::uint32_t repeated_from(const SimaiWorkload& work, std::uint32_t layer) {
  if (!std::ranges::binary_search(work.recomputed, layer)) return layer;
  const auto behind = std::ranges::upper_bound(work.checkpoints, layer);
  return behind == work.checkpoints.begin() ? 0 : *(behind - 1);
}

// At most, of one GPU: in each round a message there and one here, and the end.
std::uint64_t operations_of(const SimaiPhase& phase, const SimaiGroups& groups) {
  const std::uint64_t computes = phase.time > Duration() ? 1 : 0;
  if (!sends(phase, groups)) return computes;
  const std::uint64_t others = groups.size(phase.group) - 1;
  return computes + (phase.kind == Collective::Kind::all_reduce ? 4 : 2) * others + 1;
}

std::uint64_t operations_of(const SimaiWorkload& work, const SimaiGroups& groups) {
  std::uint64_t operations = work.stages > 1 ? std::uint64_t{4} * work.micro_batches : 0;
  std::vector<std::uint64_t> forward = {0};  // of the layers before each
  forward.reserve(work.layers.size() + 1);
  for (const SimaiLayer& layer : work.layers) {
    forward.push_back(forward.back() + operations_of(layer.forward, groups));
    operations += operations_of(layer.input_gradient, groups) +
                  operations_of(layer.weight_gradient, groups) + 2;
  }
  for (const std::uint32_t layer : work.recomputed)
    operations += forward[layer] - forward[repeated_from(work, layer)];
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;  // no product overflows
  return std::min(operations + forward.back(), kMost) * groups.gpus();
}

// What a GPU does.
class GpuProgram {
 public:
  GpuProgram(const SimaiWorkload& work, const SimaiGroups& groups,
             const std::vector<std::uint32_t>& batches, std::uint32_t gpu)
      : work_(work), groups_(groups), batches_(batches), gpu_(gpu) {}

  RankBuilder build() {
    const auto layers = static_cast<std::uint32_t>(work_.layers.size());
    for (std::uint32_t i = 0; i < layers; ++i) {
      if (begins_batch(i) && !is_first()) last_ = message(Operation::Kind::receive, -1, i);
      run(work_.layers[i].forward, work_.layers[i].line);
      if (ends_batch(i) && !is_last()) message(Operation::Kind::send, 1, i);
    }
    for (std::uint32_t i = layers; i-- > 0;) {
      if (ends_batch(i) && !is_last()) last_ = message(Operation::Kind::receive, 1, i);
      for (std::uint32_t j = repeated_from(work_, i); j < i; ++j)
        run(work_.layers[j].forward, work_.layers[j].line);
      run(work_.layers[i].input_gradient, work_.layers[i].line);
      run_weight_gradient(work_.layers[i]);
      if (begins_batch(i) && !is_first()) message(Operation::Kind::send, -1, i);
    }
    return std::move(rank_);
  }

 private:
  [[nodiscard]] bool is_first() const { return gpu_ < groups_.tensor * groups_.data; }
  [[nodiscard]] bool is_last() const {
    return gpu_ + groups_.tensor * groups_.data >= groups_.gpus();
  }
  [[nodiscard]] bool begins_batch(std::uint32_t layer) const {
    return std::ranges::binary_search(batches_, layer);
  }
  [[nodiscard]] bool ends_batch(std::uint32_t layer) const {
    if (batches_.empty() || layer < batches_.front()) return false;
    return layer + 1 == work_.layers.size() || begins_batch(layer + 1);
  }

  // To or from the GPU of the same place in the next stage (1) or the one before (-1), after what
  // was done so far. Its tag is the number of the micro-batch that the layer belongs to.
  std::uint32_t message(Operation::Kind kind, int stages, std::uint32_t layer) {
    const std::uint32_t of_stage = groups_.tensor * groups_.data;
    const auto behind = std::ranges::upper_bound(batches_, layer);
    const auto made = rank_.add({.kind = kind,
                                 .peer = stages > 0 ? gpu_ + of_stage : gpu_ - of_stage,
                                 .tag = static_cast<std::uint32_t>(behind - batches_.begin() - 1),
                                 .size = work_.stage_size.value_or(DataSize())},
                                work_.layers[layer].line);
    if (last_) rank_.wait_for_end(made, *last_);
    return made;
  }

  void compute(Duration time, std::uint32_t line) {
    if (time == Duration()) return;
    const auto made =
        rank_.add({.kind = Operation::Kind::compute, .time = time, .cpu = kLayersCpu}, line);
    if (last_) rank_.wait_for_end(made, *last_);
    last_ = made;
  }

  // The operation that ends it; `after` when nothing is sent. Every GPU counts the same tags.
  std::optional<std::uint32_t> collective(const SimaiPhase& phase,
                                          std::optional<std::uint32_t> after) {
    const std::uint32_t tag = tag_++;
    if (!sends(phase, groups_)) return after;
    auto& ranks = members_[static_cast<std::size_t>(phase.group)];
    if (ranks.empty()) ranks = groups_.members(phase.group, gpu_);
    const auto me = std::ranges::find(ranks, gpu_) - ranks.begin();
    return append(rank_,
                  {.kind = *phase.kind,
                   .ranks = ranks,
                   .me = static_cast<std::uint32_t>(me),
                   .size = size_of(phase, ranks.size()),
                   .tag = tag},
                  after);
  }

  // Files have the bytes of the whole buffer; of operations in which each GPU has a part, the part
  // is meant here.
  static DataSize size_of(const SimaiPhase& phase, std::size_t gpus) {
    if (phase.kind == Collective::Kind::all_reduce || phase.kind == Collective::Kind::broadcast)
      return phase.size;
    const auto count = static_cast<std::int64_t>(gpus);
    return bytes((phase.size.count() / 8 + count - 1) / count);
  }

  void run(const SimaiPhase& phase, std::uint32_t line) {
    compute(phase.time, line);
    last_ = collective(phase, last_);
  }

  void run_weight_gradient(const SimaiLayer& layer) {
    compute(layer.weight_gradient.time, layer.line);
    auto begin = last_;
    if (beside_ && last_ && sends(layer.weight_gradient, groups_)) {
      begin = rank_.add({.kind = Operation::Kind::compute}, layer.line);
      rank_.wait_for_end(*begin, *beside_);
      rank_.wait_for_end(*begin, *last_);
    }
    const auto end = collective(layer.weight_gradient, begin);
    if (sends(layer.weight_gradient, groups_)) beside_ = end;
    if (layer.update == Duration()) return;
    const auto update = rank_.add(
        {.kind = Operation::Kind::compute, .time = layer.update, .cpu = kLayersCpu}, layer.line);
    if (end) rank_.wait_for_end(update, *end);
  }

  const SimaiWorkload& work_;
  const SimaiGroups& groups_;
  const std::vector<std::uint32_t>& batches_;  // the first layer of each micro-batch
  std::uint32_t gpu_;
  std::array<std::vector<std::uint32_t>, 4> members_;  // by group, when one is needed
  RankBuilder rank_;
  std::optional<std::uint32_t> last_;    // what the next operation waits for
  std::optional<std::uint32_t> beside_;  // the last operation of a weight gradient
  std::uint32_t tag_ = 0;
};

// The first layers alone.
void keep_layers(SimaiWorkload& work, std::size_t layers, std::vector<std::string>& repairs) {
  if (layers == 0 || layers >= work.layers.size()) return;
  repairs.push_back(fmt::format("the first {} of {} layers are kept", layers, work.layers.size()));
  work.layers.resize(layers);
  for (auto* list : {&work.checkpoints, &work.recomputed})
    list->erase(std::ranges::lower_bound(*list, layers), list->end());
}

// The first layer of each micro-batch; only pipelines need to know.
Result<std::vector<std::uint32_t>> micro_batches_of(const SimaiWorkload& work, bool has_all_layers,
                                                    const std::string& name) {
  std::vector<std::uint32_t> first;
  if (work.stages == 1) return first;
  for (std::uint32_t i = 0; i < work.layers.size(); ++i) {
    if (work.layers[i].name == kMicroBatchBegins) first.push_back(i);
  }
  if (first.size() == work.micro_batches || (!has_all_layers && !first.empty())) return first;
  return fail(fmt::format("a pipeline needs to know where its {} micro-batches (ga) begin: with "
                          "layers '{}', of which there are {}",
                          work.micro_batches, kMicroBatchBegins, first.size()),
              {name});
}

void note_phases(const SimaiWorkload& work, const SimaiGroups& groups,
                 std::vector<std::string>& repairs) {
  std::uint64_t alone = 0;
  std::uint64_t uneven = 0;
  std::uint32_t alone_line = 0;
  std::uint32_t uneven_line = 0;
  for (const SimaiLayer& layer : work.layers) {
    for (const SimaiPhase* phase :
         {&layer.forward, &layer.input_gradient, &layer.weight_gradient}) {
      if (!phase->kind || phase->size == DataSize()) continue;
      const std::int64_t gpus = groups.size(phase->group);
      const bool has_parts =
          phase->kind != Collective::Kind::all_reduce && phase->kind != Collective::Kind::broadcast;
      if (gpus == 1 && alone++ == 0) alone_line = layer.line;
      if (has_parts && phase->size.count() / 8 % gpus != 0 && uneven++ == 0)
        uneven_line = layer.line;
    }
  }
  if (alone > 0) {
    repairs.push_back(
        fmt::format("{} collective operations of groups of one GPU send nothing (first in line {})",
                    alone, alone_line));
  }
  if (uneven > 0) {
    repairs.push_back(fmt::format(
        "{} buffers do not divide by their group, and parts are rounded up (first in line {})",
        uneven, uneven_line));
  }
  if (work.stages > 1 && work.virtual_stages > 1) {
    repairs.push_back(
        fmt::format("each micro-batch passes each stage once: its {} virtual stages "
                    "(vpp) are left out",
                    work.virtual_stages));
  }
}

Result<Trace> read_simai_file(const Input& input, const Parameters& parameters) {
  return read_simai(input.file->text(), input.path, parameters);
}

}  // namespace

Result<Trace> read_simai(std::string_view text, const std::string& name,
                         const Parameters& parameters) {
  auto work = read_simai_workload(text, name);
  if (!work) return fail(work.error());
  std::vector<std::string> repairs;
  const auto layers = static_cast<std::size_t>(parameters.integer("layers"));
  const bool has_all_layers = layers == 0 || layers >= work->layers.size();
  keep_layers(*work, layers, repairs);
  const auto given = static_cast<std::uint32_t>(parameters.integer("gpus"));
  const std::uint32_t gpus = given == 0 ? work->gpus : given;
  if (work->gpus != 0 && gpus != work->gpus)
    repairs.push_back(fmt::format("there are {} GPUs, and not {} (all_gpus)", gpus, work->gpus));
  const auto groups = groups_of(*work, gpus, name);
  if (!groups) return fail(groups.error());
  const auto batches = micro_batches_of(*work, has_all_layers, name);
  if (!batches) return fail(batches.error());
  const std::uint64_t operations = operations_of(*work, *groups);
  if (operations > kMostSimaiOperations) {
    return fail(fmt::format("{} layers on {} GPUs make up to {} operations, and at most {} are "
                            "read: lower the GPUs (--set gpus=N, a multiple of {}) or the layers "
                            "(--set layers=N)",
                            work->layers.size(), gpus, operations, kMostSimaiOperations,
                            std::uint64_t{work->tensor} * work->stages * work->expert),
                {name});
  }
  note_phases(*work, *groups, repairs);
  program::ProgramBuilder program(gpus);
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
    program.add(GpuProgram(*work, *groups, *batches, gpu).build());
  return Trace{std::move(program).build(name), {}, std::move(repairs)};
}

Format simai_format() {
  return {"simai",
          "workloads of SimAI and AICB: layers of a model, one training step",
          {{"gpus", Range<std::int64_t>{0, 1'000'000}, "0", "GPUs; 0: all_gpus of the header"},
           {"layers", Range<std::int64_t>{0, 1'000'000}, "0", "the first layers alone; 0: all"}},
          recognizes_simai,
          read_simai_file};
}

}  // namespace ebb::trace
