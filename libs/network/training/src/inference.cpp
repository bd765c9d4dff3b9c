// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::training {
namespace {

constexpr std::int64_t kMostServingGpus = 1'000'000;
constexpr std::int64_t kSixDecimals = 1'000'000;
// Of an iteration; what is computed from them fits 64 bits.
constexpr double kMostIterationFlops = 1e18;
constexpr double kMostIterationElements = 1e15;
constexpr double kMostIterationSeconds = 1'000;

// What does not fit together, each at the parameter that is easiest to change.
class InferenceCheck {
 public:
  explicit InferenceCheck(const Inference& inference)
      : inference_(inference), division_(inference.division), model_(inference.model) {}

  Errors run() && {
    check_groups();
    check_experts();
    check_servers();
    check_speeds();
    check_iteration();
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
    const std::uint64_t gpus =
        std::uint64_t{division_.tensor} * division_.context * division_.stages * division_.data;
    report(gpus > kMostServingGpus, inference_.is_disaggregated() ? "disaggregated" : "replicas",
           "tp x ep x pp GPUs of all replicas are {}, and at most {} serve", gpus,
           kMostServingGpus);
    report(model_.heads % division_.tensor != 0, "tp", "{} heads do not divide by tp = {}",
           model_.heads, division_.tensor);
    report(division_.stages > model_.layers, "pp", "{} layers are too few for {} stages",
           model_.layers, division_.stages);
  }

  void check_experts() {
    const bool has = model_.experts.has_value();
    report(!has && division_.context > 1, "ep", "the model has no experts");
    report(has && model_.experts->count % division_.context != 0, "ep",
           "{} experts do not divide by ep = {}", has ? model_.experts->count : 0,
           division_.context);
    report(!has && inference_.dispatch_bytes != 2, "dispatch_bytes", "the model has no experts");
  }

  // All groups of a kind are inside of a server, or none is.
  void check_servers() {
    const std::uint32_t server = division_.server_gpus;
    const auto is_even = [&](std::uint64_t gpus) {
      return gpus % server == 0 || server % gpus == 0;
    };
    const std::uint64_t stage = std::uint64_t{division_.tensor} * division_.context;
    report(!is_even(division_.tensor), "tp",
           "a tensor group of {} GPUs is no part of a server of {} (server_gpus), and no servers",
           division_.tensor, server);
    report(is_even(division_.tensor) && !is_even(stage), "ep",
           "tp x ep = {} GPUs are no part of a server of {} (server_gpus), and no servers", stage,
           server);
    report(division_.one_rail && inference_.tensor_leaves_server(), "rails",
           "a tensor group of {} GPUs reaches beyond a server of {}, so that it has all rails",
           division_.tensor, server);
    report(inference_.is_disaggregated() && stage * division_.stages % server != 0, "disaggregated",
           "a replica of {} GPUs, tp x ep x pp, does not fill servers of {} (server_gpus)",
           stage * division_.stages, server);
    report(inference_.folded_layers > 1 && !inference_.tensor_leaves_server() &&
               !inference_.experts_leave_server(),
           "folded_layers", "no tensor or expert group uses the network");
    report(inference_.folded_layers > model_.layers, "folded_layers", "the model has {} layers",
           model_.layers);
  }

  void check_speeds() {
    for (const auto& [name, ratio] :
         {std::pair{"peak_tflops", inference_.peak}, {"mfu", inference_.mfu}})
      report(ratio.den() > kSixDecimals, name, "at most six decimals are kept");
  }

  // Upper bounds of the largest iteration that the requests could have.
  void check_iteration() {
    std::int64_t prompt = inference_.max_tokens;
    std::int64_t longest = 0;
    for (const Request& request : inference_.requests) {
      prompt = std::max(prompt, request.prompt);
      longest = std::max(longest, request.prompt + request.output);
    }
    const double tokens = static_cast<double>(prompt) + inference_.max_batch;
    const double context = static_cast<double>(longest) * inference_.max_batch;
    const double pairs = static_cast<double>(prompt) * static_cast<double>(prompt) + context;
    const auto layers = static_cast<double>(model_.layers);
    const double matrices = 2 * tokens * static_cast<double>(all_parameters(model_).multiplying);
    const double scores = static_cast<double>(attention_pair_flops(model_)) * pairs * layers;
    const double flops = (matrices + scores) / division_.tensor / division_.context;
    const std::int64_t copies = 1 + (model_.experts ? model_.experts->top_k : 0);
    const double width = static_cast<double>(model_.hidden * copies) * tokens;
    const double keys = static_cast<double>(key_value_elements(model_)) * context;
    report(flops > kMostIterationFlops || (width + keys) * layers > kMostIterationElements,
           "max_batch",
           "an iteration of {} requests, {} tokens of prompts and {} in all is too large",
           inference_.max_batch, prompt, longest);
    const double seconds =
        flops / (inference_.peak.to_double() * inference_.mfu.to_double() * 1e12);
    report(seconds > kMostIterationSeconds, "peak_tflops",
           "an iteration may take {:.0f} s, and at most {:.0f}", seconds, kMostIterationSeconds);
  }

  const Inference& inference_;
  const Division& division_;
  const Model& model_;
  Errors errors_;
};

}  // namespace

std::vector<Parameter> inference_parameters() {
  using Whole = Range<std::int64_t>;
  return {
      {"tp", Whole{1, 1'024}, "1", "GPUs of a tensor group"},
      {"pp", Whole{1, 10'000}, "1", "stages of the pipeline"},
      {"ep", Whole{1, 10'000}, "1", "GPUs of an expert group, which share the tokens"},
      {"replicas", Whole{1, kMostServingGpus}, "1", "of the model, each tp x ep x pp GPUs"},
      {"max_batch", Whole{1, 1'000'000}, "64", "requests of an iteration"},
      {"max_tokens", Whole{1, kMostRequestTokens}, "8192",
       "of prompts that join an iteration, unless one alone is longer"},
      {"folded_layers", Whole{1, 10'000}, "1",
       "layers whose collective operations on the network are one"},
      {"peak_tflops", Range<Ratio>{Ratio(1, 1000), Ratio(1'000'000, 1)}, "989", "peak of a GPU"},
      {"mfu", Range<Ratio>{Ratio(1, 1000), Ratio(1, 1)}, "50%",
       "share of the peak while it computes"},
      {"memory_bandwidth",
       Range<DataRate>{gigabits_per_second(100), gigabits_per_second(10'000'000)}, "3350GB/s",
       "rate at which a GPU reads weights, keys and values"},
      {"dispatch_bytes", Whole{1, 8}, "2", "of an element on its way to an expert"},
      {"server_gpus", Whole{1, 1'024}, "8", "GPUs of a server, the scale-up domain"},
      {"scale_up", Range<DataRate>{gigabits_per_second(100), gigabits_per_second(1'000'000)},
       "450GB/s", "rate of a GPU to the others of its server, each direction"},
      {"rails", Choice{{"all", "one"}}, "all",
       "one: the first GPU of each tensor group alone is a rank"},
  };
}

Result<Inference> make_inference(Model model, std::vector<Request> requests,
                                 std::optional<Disaggregated> roles, const Parameters& given) {
  const auto whole = [&](std::string_view name) {
    return static_cast<std::uint32_t>(given.integer(name));
  };
  Inference inference;
  inference.model = std::move(model);
  inference.requests = std::move(requests);
  inference.division.tensor = whole("tp");
  inference.division.context = whole("ep");
  inference.division.stages = whole("pp");
  inference.division.data = roles ? roles->prefill + roles->decode : whole("replicas");
  inference.division.server_gpus = whole("server_gpus");
  inference.division.one_rail = given.choice("rails") == "one";
  inference.prefill_replicas = roles ? roles->prefill : 0;
  inference.max_batch = whole("max_batch");
  inference.max_tokens = given.integer("max_tokens");
  inference.folded_layers = whole("folded_layers");
  inference.peak = given.ratio("peak_tflops");
  inference.mfu = given.ratio("mfu");
  inference.memory = given.rate("memory_bandwidth");
  inference.scale_up = given.rate("scale_up");
  inference.dispatch_bytes = given.integer("dispatch_bytes");
  if (Errors errors = InferenceCheck(inference).run(); !errors.empty())
    return fail(std::move(errors));
  return inference;
}

}  // namespace ebb::training
