// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/step.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::training {
namespace {

using Whole = Range<std::int64_t>;

constexpr std::int64_t kMostGpus = 1'000'000;
constexpr std::int64_t kMostBatch = 1'000'000;
// Ratios stay so short that no product of times and ratios overflows.
constexpr std::int64_t kLongestDenominator = 1'000'000;
// Of a micro-batch on one GPU.
constexpr double kMostFlops = 1e18;
constexpr double kMostElements = 1e15;
constexpr double kMostSeconds = 1'000;

// What does not fit together, each at the parameter that is easiest to change.
class StepCheck {
 public:
  explicit StepCheck(const Step& step) : step_(step) {}

  Errors run() && {
    check_groups();
    check_batch();
    check_pipeline();
    check_experts();
    check_speeds();
    check_micro_batch();
    return std::move(errors_);
  }

 private:
  template <class... Arguments>
  void report(bool is_wrong, const std::string& path, fmt::format_string<Arguments...> text,
              Arguments... arguments) {
    if (!is_wrong) return;
    errors_.push_back({fmt::vformat(text, fmt::make_format_args(arguments...)), {.path = path}});
  }

  void check_groups() {
    const std::uint64_t gpus = std::uint64_t{step_.tensor} * step_.context * step_.stages;
    report(gpus * step_.data > kMostGpus, "dp",
           "tp x cp x pp x dp is {}, and at most {} GPUs train", gpus * step_.data, kMostGpus);
    report(step_.server_gpus % step_.tensor != 0, "tp",
           "a tensor group of {} GPUs is no part of a server of {} (server_gpus)", step_.tensor,
           step_.server_gpus);
    report(step_.model.heads % step_.tensor != 0, "tp", "{} heads do not divide by tp = {}",
           step_.model.heads, step_.tensor);
    report(step_.model.sequence % step_.context != 0, "cp",
           "a sequence of {} tokens does not divide by cp = {}", step_.model.sequence,
           step_.context);
  }

  void check_batch() {
    const std::uint64_t part = std::uint64_t{step_.data} * step_.micro_batch;
    report(step_.global_batch % part != 0, "global_batch",
           "{} sequences are no multiple of {}, dp x micro_batch", step_.global_batch, part);
  }

  void check_pipeline() {
    const std::uint64_t chunks = std::uint64_t{step_.stages} * step_.virtual_stages;
    const bool is_interleaved = step_.virtual_stages > 1;
    report(is_interleaved && step_.stages == 1, "virtual_stages",
           "a pipeline of one stage is not interleaved");
    report(static_cast<std::int64_t>(chunks) > step_.model.layers + 2, "virtual_stages",
           "{} layers are too few for {} chunks, pp x virtual_stages", step_.model.layers, chunks);
    report(is_interleaved && step_.micro_batches() % step_.stages != 0, "virtual_stages",
           "interleaving needs a multiple of pp = {} micro-batches, and there are {}", step_.stages,
           step_.micro_batches());
    report(step_.gradient_buckets > step_.virtual_stages, "gradient_buckets",
           "a GPU has {} chunks (virtual_stages), which are too few for {} buckets",
           step_.virtual_stages, step_.gradient_buckets);
  }

  void check_experts() {
    report(step_.data % step_.expert != 0, "ep", "dp = {} is no multiple of ep = {}", step_.data,
           step_.expert);
    const std::int64_t experts = step_.model.experts ? step_.model.experts->count : 1;
    report(experts % step_.expert != 0, "ep", "{} experts do not divide by ep = {}", experts,
           step_.expert);
  }

  void check_speeds() {
    for (const auto& [name, ratio] : {std::pair{"peak_tflops", step_.peak},
                                      {"mfu", step_.mfu},
                                      {"slow_factor", step_.slow_factor},
                                      {"spread", step_.spread}})
      report(ratio.den() > kLongestDenominator, name, "at most six decimals are kept");
    report(step_.slow_gpu >= std::int64_t{step_.gpus()}, "slow_gpu", "there are {} GPUs",
           step_.gpus());
  }

  // Sizes and times of a micro-batch, as upper bounds: what is computed from them fits 64 bits.
  void check_micro_batch() {
    const Model& model = step_.model;
    const double tokens = static_cast<double>(model.sequence) * step_.micro_batch;
    const double scores = static_cast<double>(attention_flops(model)) *
                          static_cast<double>(model.layers) * step_.micro_batch;
    const double matrices = 2 * tokens * static_cast<double>(all_parameters(model).multiplying);
    const double flops = (matrices + scores) / step_.tensor / step_.context;
    const std::int64_t copies = 1 + (model.experts ? model.experts->top_k : 0);
    const std::int64_t width = model.hidden * copies + key_value_elements(model);
    const double elements = tokens * static_cast<double>(model.layers * width);
    report(flops > kMostFlops || elements > kMostElements, "micro_batch",
           "a micro-batch of {} sequences is too large", step_.micro_batch);
    const double seconds = flops / (step_.peak.to_double() * step_.mfu.to_double() * 1e12);
    report(seconds > kMostSeconds, "peak_tflops",
           "a micro-batch takes {:.0f} s, and at most {:.0f}", seconds, kMostSeconds);
  }

  const Step& step_;
  Errors errors_;
};

Step::Attention attention_of(const std::string& word) {
  if (word == "none") return Step::Attention::none;
  return word == "causal" ? Step::Attention::causal : Step::Attention::full;
}

}  // namespace

std::vector<Parameter> step_parameters() {
  return {
      {"tp", Whole{1, 1'024}, "1", "GPUs of a tensor group, all in one server"},
      {"cp", Whole{1, 10'000}, "1", "GPUs of a context group, which share a sequence"},
      {"pp", Whole{1, 10'000}, "1", "stages of the pipeline"},
      {"dp", Whole{1, kMostGpus}, "1", "GPUs of a data group"},
      {"ep", Whole{1, kMostGpus}, "1", "GPUs of an expert group, a part of a data group"},
      {"virtual_stages", Whole{1, 10'000}, "1", "chunks of layers of a GPU; more: interleaved"},
      {"global_batch", Whole{1, kMostBatch}, std::nullopt, "sequences of a step"},
      {"micro_batch", Whole{1, kMostBatch}, "1", "sequences that pass the pipeline together"},
      {"iterations", Whole{1, 1'000}, "1", "steps"},
      {"data_parallel", Choice{{"zero1", "all-reduce"}}, "zero1",
       "gradients are reduce-scattered and weights all-gathered, or gradients all-reduced"},
      {"overlap", Choice{{"data-parallel", "none"}}, "data-parallel",
       "what goes on beside the passes"},
      {"gradient_buckets", Whole{1, 10'000}, "1",
       "operations that the gradients of a GPU are cut into"},
      {"gradient_bytes", Whole{1, 8}, "4", "of a gradient"},
      {"dispatch_bytes", Whole{1, 8}, "2", "of an element on its way to an expert"},
      {"peak_tflops", Range<Ratio>{Ratio(1, 1000), Ratio(1'000'000, 1)}, "989", "peak of a GPU"},
      {"mfu", Range<Ratio>{Ratio(1, 1000), Ratio(1, 1)}, "50%",
       "share of the peak while it computes"},
      {"attention", Choice{{"full", "causal", "none"}}, "full", "what is counted of its scores"},
      {"recompute", Choice{{"none", "full"}}, "none",
       "full: layers run forward again before their backward pass"},
      {"server_gpus", Whole{1, 1'024}, "8", "GPUs of a server, the scale-up domain"},
      {"scale_up", Range<DataRate>{gigabits_per_second(100), gigabits_per_second(1'000'000)},
       "450GB/s", "rate of a GPU to the others of its server, each direction"},
      {"rails", Choice{{"all", "one"}}, "all",
       "one: the first GPU of each tensor group alone is a rank"},
      {"slow_gpu", Whole{-1, kMostGpus}, "-1", "a GPU that computes slower; -1: none"},
      {"slow_factor", Range<Ratio>{Ratio(1, 1), Ratio(100, 1)}, "1", "so many times slower"},
      {"spread", Range<Ratio>{Ratio(0, 1), Ratio(10, 1)}, "0",
       "each GPU is slower by a share drawn between 0 and this"},
      {"seed", Whole{0, INT64_MAX}, "1", "of the draw"},
  };
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = step_parameters();
  all.insert(all.begin(), {"model", Choice{model_names()}, std::nullopt, "of share/models"});
  return all;
}

Result<Step> make_step(Model model, const Parameters& given) {
  const auto whole = [&](std::string_view name) {
    return static_cast<std::uint32_t>(given.integer(name));
  };
  Step step;
  step.model = std::move(model);
  step.tensor = whole("tp");
  step.context = whole("cp");
  step.stages = whole("pp");
  step.data = whole("dp");
  step.expert = whole("ep");
  step.virtual_stages = whole("virtual_stages");
  step.global_batch = whole("global_batch");
  step.micro_batch = whole("micro_batch");
  step.iterations = whole("iterations");
  step.shards_optimizer = given.choice("data_parallel") == "zero1";
  step.overlaps_gradients = given.choice("overlap") == "data-parallel";
  step.gradient_buckets = whole("gradient_buckets");
  step.gradient_bytes = given.integer("gradient_bytes");
  step.dispatch_bytes = given.integer("dispatch_bytes");
  step.peak = given.ratio("peak_tflops");
  step.mfu = given.ratio("mfu");
  step.attention = attention_of(given.choice("attention"));
  step.recomputes = given.choice("recompute") == "full";
  step.server_gpus = whole("server_gpus");
  step.scale_up = given.rate("scale_up");
  step.one_rail = given.choice("rails") == "one";
  step.slow_gpu = given.integer("slow_gpu");
  step.slow_factor = given.ratio("slow_factor");
  step.spread = given.ratio("spread");
  step.seed = static_cast<std::uint64_t>(given.integer("seed"));
  if (Errors errors = StepCheck(step).run(); !errors.empty()) return fail(std::move(errors));
  return step;
}

Result<program::Program> make(const Parameters& given) {
  auto model = find_model(given.choice("model"));
  if (!model) return fail(model.error());
  const std::string name = "training of " + model->name;
  const auto step = make_step(*std::move(model), given);
  if (!step) return fail(step.error());
  return make_program(*step, name);
}

}  // namespace ebb::training
