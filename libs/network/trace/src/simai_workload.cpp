// SPDX-License-Identifier: Apache-2.0
//
// The text of a workload of SimAI:
//
//   HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1
//   all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0           (one line)
//   1                                                            layers
//   embedding -1 556000 ALLREDUCE 16777216 1 NONE 0 1 NONE 0 1
//
// A layer has a name, a dependency (-1: the layer before it), for the forward pass, the input
// gradient and the weight gradient a time in nanoseconds, a collective operation and its bytes, and
// the time of the update. Blanks and ends of lines separate.

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/trace/simai.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::trace {
namespace {

using program::Collective;

constexpr std::uint64_t kMostSimaiNumber = 1'000'000;
constexpr std::uint64_t kMostSimaiBytes = std::uint64_t{1} << 57U;

struct SimaiPolicy {
  std::string_view name;
  bool recomputes = false;
};
constexpr std::array<SimaiPolicy, 4> kSimaiPolicies = {{{"HYBRID_TRANSFORMER", false},
                                                        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", true},
                                                        {"DATA", false},
                                                        {"MICRO", false}}};

struct SimaiOperation {
  std::string_view name;
  std::optional<Collective::Kind> kind;
};
constexpr std::array<SimaiOperation, 6> kSimaiOperations = {
    {{"NONE", std::nullopt},
     {"ALLREDUCE", Collective::Kind::all_reduce},
     {"ALLGATHER", Collective::Kind::all_gather},
     {"REDUCESCATTER", Collective::Kind::reduce_scatter},
     {"ALLTOALL", Collective::Kind::all_to_all},
     {"BROADCAST", Collective::Kind::broadcast}}};

class SimaiReader {
 public:
  SimaiReader(std::string_view text, const std::string& name) : lines_(text, name) {}

  Result<SimaiWorkload> read() {
    if (!lines_.next()) return fail("no line with the policy and the groups", {lines_.name()});
    read_header();
    const auto layers = lines_.whole(take(), "the number of layers", 0, kMostSimaiNumber);
    while (layers && work_.layers.size() < *layers && read_layer()) {
    }
    if (layers && !lines_.has_errors()) check_end(*layers);
    check_layers_named();
    if (lines_.has_errors()) return fail(lines_.take_errors());
    return std::move(work_);
  }

 private:
  // The next word of the text, on this line or a later one; empty at the end.
  std::string_view take() {
    while (next_ == fields_.size()) {
      if (!lines_.next()) return {};
      fields_ = fields_of(lines_.line());
      next_ = 0;
    }
    return fields_[next_++];
  }

  void read_header() {
    const auto fields = fields_of(lines_.line());
    const auto policy = find_named("policy", kSimaiPolicies, fields[0], &SimaiPolicy::name);
    if (!policy) lines_.report(policy.error().front().message);
    for (std::size_t i = 1; i < fields.size();) {
      std::string_view key = fields[i];
      if (key.ends_with(':')) key.remove_suffix(1);
      read_key(key, fields, ++i);
    }
    if (policy && !(*policy)->recomputes) work_.recomputed.clear();
    if (work_.stages > 1 && !work_.stage_size)
      lines_.report("a pipeline (pp) needs the bytes between its stages (pp_comm)");
    if (work_.stages == 1 && work_.stage_size)
      lines_.report("pp_comm is given, and there is no pipeline (pp)");
  }

  // `i` is the place of its value, and then behind it.
  void read_key(std::string_view key, const std::vector<std::string_view>& fields, std::size_t& i) {
    const auto value = [&](std::uint64_t least, std::uint64_t most) {
      return lines_.whole(i < fields.size() ? fields[i++] : std::string_view(), key, least, most);
    };
    const auto size = [&](std::uint32_t& into) {
      if (const auto read = value(1, kMostSimaiNumber)) into = static_cast<std::uint32_t>(*read);
    };
    const auto list = [&](std::vector<std::uint32_t>& into) {
      const auto count = value(0, fields.size());
      for (std::uint64_t j = 0; count && j < *count; ++j) {
        const auto layer = value(0, kMostSimaiNumber);
        if (!layer) return;
        into.push_back(static_cast<std::uint32_t>(*layer));
      }
    };
    if (key == "model_parallel_NPU_group") return size(work_.tensor);
    if (key == "ep") return size(work_.expert);
    if (key == "pp") return size(work_.stages);
    if (key == "vpp") return size(work_.virtual_stages);
    if (key == "ga") return size(work_.micro_batches);
    if (key == "all_gpus") return size(work_.gpus);
    if (key == "checkpoints") return list(work_.checkpoints);
    if (key == "checkpoint_initiates") return list(work_.recomputed);
    if (key == "pp_comm") {
      if (const auto read = value(0, kMostSimaiBytes))
        work_.stage_size = bytes(static_cast<std::int64_t>(*read));
      return;
    }
    const std::vector<std::string> known = {
        "model_parallel_NPU_group", "ep", "pp", "vpp", "ga", "all_gpus", "checkpoints", "pp_comm",
        "checkpoint_initiates"};
    lines_.report(unknown_name("key", shown(key), known));
    if (i < fields.size()) ++i;
  }

  // False at the end of the text, and when there are enough errors.
  bool read_layer() {
    const std::string_view name = take();
    if (name.empty()) return false;
    SimaiLayer layer{.name = std::string(name),
                     .line = static_cast<std::uint32_t>(lines_.number())};
    const std::string_view dependency = take();
    if (dependency != "-1") {
      lines_.report(
          fmt::format("a layer depends on the one before it (-1), not on '{}'", shown(dependency)));
    }
    read_phase(layer.forward, SimaiPhase::Group::tensor);
    read_phase(layer.input_gradient, SimaiPhase::Group::tensor);
    read_phase(layer.weight_gradient, SimaiPhase::Group::data);
    layer.update = read_time();
    work_.layers.push_back(std::move(layer));
    return !lines_.has_errors();
  }

  Duration read_time() {
    const auto most = std::chrono::floor<std::chrono::nanoseconds>(Duration::max()).count();
    const auto time =
        lines_.whole(take(), "a time in nanoseconds", 0, static_cast<std::uint64_t>(most));
    return std::chrono::nanoseconds(static_cast<std::int64_t>(time.value_or(0)));
  }

  // Without a suffix the group is that of the column.
  void read_phase(SimaiPhase& phase, SimaiPhase::Group group) {
    phase.time = read_time();
    std::string_view word = take();
    phase.group = group;
    for (const auto& [suffix, named] :
         {std::pair{std::string_view("_DP_EP"), SimaiPhase::Group::data_expert},
          std::pair{std::string_view("_EP"), SimaiPhase::Group::expert}}) {
      if (!word.ends_with(suffix)) continue;
      word.remove_suffix(suffix.size());
      phase.group = named;
      break;
    }
    const auto found =
        find_named("collective operation", kSimaiOperations, shown(word), &SimaiOperation::name);
    if (found) {
      phase.kind = (*found)->kind;
    } else {
      lines_.report(found.error().front().message);
    }
    const auto size = lines_.whole(take(), "a size in bytes", 0, kMostSimaiBytes);
    phase.size = bytes(static_cast<std::int64_t>(size.value_or(0)));
  }

  void check_end(std::uint64_t layers) {
    if (work_.layers.size() < layers) {
      lines_.report(fmt::format("the file ends after {} layers, and its second line says {}",
                                work_.layers.size(), layers));
    } else if (const std::string_view more = take(); !more.empty()) {
      lines_.report(fmt::format("'{}' stands after the last of {} layers", shown(more), layers));
    }
  }

  // The lists of layers are left in order, without repetition.
  void check_layers_named() {
    for (auto* list : {&work_.checkpoints, &work_.recomputed}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
      for (const std::uint32_t layer : *list) {
        if (layer >= work_.layers.size())
          lines_.report(fmt::format("checkpoint at layer {}, which does not exist", layer), 1);
      }
    }
  }

  TextLines lines_;
  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
  SimaiWorkload work_;
};

}  // namespace

Result<SimaiWorkload> read_simai_workload(std::string_view text, const std::string& name) {
  return SimaiReader(text, name).read();
}

}  // namespace ebb::trace
