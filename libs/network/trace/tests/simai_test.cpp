// SPDX-License-Identifier: Apache-2.0
#include "ebb/trace/simai.hpp"

#include "support/corpus.hpp"

#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace ebb::trace {
namespace {

using program::Collective;
using program::Summary;
using namespace std::chrono_literals;

Result<Trace> simai(std::string_view text, const ParameterTexts& given = {}) {
  const auto found = std::ranges::find(formats(), "simai", &Format::name);
  return read_simai(text, "work", Parameters::resolve(found->parameters, given).value());
}

std::string goal_of_simai(const Result<Trace>& trace) {
  if (!trace) return to_string(trace.error());
  EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
  std::ostringstream text;
  write_goal_text(trace->program, text);
  return text.str();
}

constexpr auto kHeader =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 2 checkpoints: 0 checkpoint_initiates: 0\n";

// Two layers, forward and backward; the second sends 8 bytes to the other GPU in its forward pass.
TEST(Simai, LayersRunForwardAndThenBackward) {
  const auto trace = simai(std::string(kHeader) +
                           "2\na -1 10 NONE 0 20 NONE 0\n30 NONE 0 5\n"
                           "b -1 11 ALLTOALL 16 21 NONE 0 31 NONE 0 0\n");
  const std::string text = goal_of_simai(trace);
  EXPECT_EQ(text.substr(0, text.find("}")),
            "num_ranks 2\n\nrank 0 {\n"
            "l0: calc 10 cpu 1\n"
            "l1: calc 11 cpu 1\n"
            "l2: send 8b to 1 tag 1 cpu 0 nic 0\n"
            "l3: recv 8b from 1 tag 1 cpu 0 nic 0\n"
            "l4: calc 0 cpu 0\n"
            "l5: calc 21 cpu 1\n"
            "l6: calc 31 cpu 1\n"
            "l7: calc 20 cpu 1\n"
            "l8: calc 30 cpu 1\n"
            "l9: calc 5 cpu 1\n"
            "l1 requires l0\nl2 requires l1\nl3 requires l1\nl4 requires l2\nl4 requires l3\n"
            "l5 requires l4\nl6 requires l5\nl7 requires l6\nl8 requires l7\nl9 requires l8\n");
  EXPECT_TRUE(trace->repairs.empty());
}

// The next layer goes on beside the operation of a weight gradient; the next such operation waits
// for it.
TEST(Simai, WeightGradientsAreReducedBesideTheLayersThatFollow) {
  const auto trace = simai(
      "MICRO\n2\na -1 1 NONE 0 1 NONE 0 1 ALLGATHER 4 0\nb -1 1 NONE 0 2 NONE 0 3 ALLGATHER 4 0\n",
      {{"gpus", "2"}});
  const std::string text = goal_of_simai(trace);
  EXPECT_EQ(text.substr(0, text.find("}")),
            "num_ranks 2\n\nrank 0 {\n"
            "l0: calc 1 cpu 1\n"
            "l1: calc 1 cpu 1\n"
            "l2: calc 2 cpu 1\n"
            "l3: calc 3 cpu 1\n"
            "l4: send 2b to 1 tag 3 cpu 0 nic 0\n"
            "l5: recv 2b from 1 tag 3 cpu 0 nic 0\n"
            "l6: calc 0 cpu 0\n"
            "l7: calc 1 cpu 1\n"  // waits for l3 and not for l6
            "l8: calc 1 cpu 1\n"
            "l9: calc 0 cpu 0\n"  // waits for l6 and l8
            "l10: send 2b to 1 tag 5 cpu 0 nic 0\n"
            "l11: recv 2b from 1 tag 5 cpu 0 nic 0\n"
            "l12: calc 0 cpu 0\n"
            "l1 requires l0\nl2 requires l1\nl3 requires l2\nl4 requires l3\nl5 requires l3\n"
            "l7 requires l3\nl6 requires l4\nl6 requires l5\nl9 requires l6\nl8 requires l7\n"
            "l9 requires l8\nl10 requires l9\nl11 requires l9\nl12 requires l10\n"
            "l12 requires l11\n");
}

// Of 9 bytes, a part for each of two GPUs has 5.
TEST(Simai, AnUpdateWaitsUntilItsGradientIsReduced) {
  const auto trace = simai("MICRO\n1\na -1 1 NONE 0 1 NONE 0 3 ALLGATHER 9 5\n", {{"gpus", "2"}});
  const std::string text = goal_of_simai(trace);
  EXPECT_EQ(text.substr(0, text.find("}")),
            "num_ranks 2\n\nrank 0 {\n"
            "l0: calc 1 cpu 1\n"
            "l1: calc 1 cpu 1\n"
            "l2: calc 3 cpu 1\n"
            "l3: send 5b to 1 tag 2 cpu 0 nic 0\n"
            "l4: recv 5b from 1 tag 2 cpu 0 nic 0\n"
            "l5: calc 0 cpu 0\n"
            "l6: calc 5 cpu 1\n"
            "l1 requires l0\nl2 requires l1\nl3 requires l2\nl4 requires l2\nl5 requires l3\n"
            "l5 requires l4\nl6 requires l5\n");
}

// Eight GPUs: tensor groups of 2, data groups of 4 that are two expert groups of 2.
TEST(Simai, GroupsAreThoseOfTheHeader) {
  const auto peers = [](const std::string& operation) {
    const auto trace = simai(
        "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 all_gpus: 8\n1\na -1 0 NONE 0 0 "
        "NONE 0 0 " +
        operation + " 64 0\n");
    EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
    const auto rank = trace->program.rank(5);
    std::vector<std::uint32_t> to;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (rank[i].kind == program::Operation::Kind::send) to.push_back(rank[i].peer);
    }
    std::ranges::sort(to);
    return to;
  };
  using Ranks = std::vector<std::uint32_t>;
  EXPECT_EQ(peers("ALLTOALL"), (Ranks{1, 3, 7}));  // data: t = 1
  EXPECT_EQ(peers("ALLTOALL_EP"), Ranks{7});       // experts 2, 3
  EXPECT_EQ(peers("ALLTOALL_DP_EP"), Ranks{1});    // the same experts
}

TEST(Simai, StagesHandMicroBatchesOn) {
  const auto trace = simai(
      "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp: 2 ga: 2 vpp: 2 all_gpus: 2 pp_comm 100\n"
      "3\nbefore -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"
      "embedding_layer -1 2 NONE 0 2 NONE 0 2 NONE 0 0\n"
      "embedding_layer -1 3 NONE 0 3 NONE 0 3 NONE 0 0\n");
  const std::string text = goal_of_simai(trace);
  EXPECT_EQ(text.substr(text.find("rank 1")),
            "rank 1 {\n"
            "l0: calc 1 cpu 1\n"
            "l1: recv 100b from 0 tag 0 cpu 0 nic 0\n"
            "l2: calc 2 cpu 1\n"
            "l3: recv 100b from 0 tag 1 cpu 0 nic 0\n"
            "l4: calc 3 cpu 1\n"
            "l5: calc 3 cpu 1\n"
            "l6: calc 3 cpu 1\n"
            "l7: send 100b to 0 tag 1 cpu 0 nic 0\n"
            "l8: calc 2 cpu 1\n"
            "l9: calc 2 cpu 1\n"
            "l10: send 100b to 0 tag 0 cpu 0 nic 0\n"
            "l11: calc 1 cpu 1\n"
            "l12: calc 1 cpu 1\n"
            "l1 requires l0\nl2 requires l1\nl3 requires l2\nl4 requires l3\nl5 requires l4\n"
            "l6 requires l5\nl7 requires l6\nl8 requires l6\nl9 requires l8\nl10 requires l9\n"
            "l11 requires l9\nl12 requires l11\n}\n");
  EXPECT_EQ(trace->repairs,
            std::vector<std::string>{"each micro-batch passes each stage once: its 2 virtual "
                                     "stages (vpp) are left out"});
}

TEST(Simai, TheForwardPassIsRepeatedFromCheckpoints) {
  const auto layers =
      "3\na -1 1 NONE 0 0 NONE 0 0 NONE 0 0\nb -1 2 NONE 0 0 NONE 0 0 NONE 0 0\n"
      "c -1 4 NONE 0 0 NONE 0 0 NONE 0 0\n";
  const auto time = [&](const std::string& policy) {
    const auto trace =
        simai(policy + " all_gpus: 1 checkpoints: 1 1 checkpoint_initiates: 1 2\n" + layers);
    return trace ? summarize(trace->program).compute_time : Duration();
  };
  EXPECT_EQ(time("HYBRID_TRANSFORMER_FWD_IN_BCKWD"), 9ns);  // 1 + 2 + 4, and b again
  EXPECT_EQ(time("HYBRID_TRANSFORMER"), 7ns);
}

TEST(Simai, ListsWhatItLeavesOut) {
  const auto trace = simai(std::string(kHeader) +
                               "2\na -1 0 ALLGATHER 9 0 NONE 0 0 ALLREDUCE 8 0\n"
                               "b -1 0 NONE 0 0 NONE 0 0 NONE 0 0\n",
                           {{"gpus", "4"}, {"layers", "1"}});
  EXPECT_EQ(trace->repairs,
            (std::vector<std::string>{
                "the first 1 of 2 layers are kept", "there are 4 GPUs, and not 2 (all_gpus)",
                "1 buffers do not divide by their group, and parts are rounded up (first in line "
                "3)"}));
  EXPECT_EQ(simai(std::string(kHeader) + "1\na -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 8 0\n")->repairs,
            std::vector<std::string>{"1 collective operations of groups of one GPU send nothing "
                                     "(first in line 3)"});
}

TEST(Simai, RefusesMoreOperationsThanItHolds) {
  const auto message = goal_of_simai(
      simai("DATA all_gpus: 9216\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1000000 1\n"));
  EXPECT_EQ(message,
            "work: error: 1 layers on 9216 GPUs make up to 339757056 operations, and at most "
            "20000000 are read: lower the GPUs (--set gpus=N, a multiple of 1) or the layers "
            "(--set layers=N)\n");
}

// The count that decides is at least what is made.
TEST(Simai, CountsOperationsBeforeItMakesThem) {
  const auto trace = simai("DATA all_gpus: 16\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1000 1\n");
  const Summary summary = summarize(trace->program);
  EXPECT_EQ(summary.sends, 16U * 30U);
  EXPECT_EQ(summary.sends + summary.receives + summary.computations, 16U * (4U + 61U));
}

TEST(Simai, ReportsEveryMistakeOfTheHeaderAndTheFirstLayerThatHasOne) {
  EXPECT_EQ(goal_of_simai(simai("HYBRID_TRANSFORMERS ep: 0 pp: 2 gas: 1 all_gpus: 8\n1\n"
                                "a -1 x ALLREDUSE 1 1 NONE 0 1 NONE 0 1\n")),
            "work:1: error: unknown policy 'HYBRID_TRANSFORMERS'; did you mean "
            "'HYBRID_TRANSFORMER'?\n"
            "work:1: error: ep is a whole number from 1 to 1000000, not '0'\n"
            "work:1: error: unknown key 'gas'; did you mean 'ga'?\n"
            "work:1: error: a pipeline (pp) needs the bytes between its stages (pp_comm)\n"
            "work:3: error: a time in nanoseconds is a whole number from 0 to 9223372036854775, "
            "not 'x'\n"
            "work:3: error: unknown collective operation 'ALLREDUSE'; did you mean 'ALLREDUCE'?\n");
  EXPECT_EQ(goal_of_simai(simai("MICRO\n2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n")),
            "work:3: error: the file ends after 1 layers, and its second line says 2\n");
  EXPECT_EQ(goal_of_simai(simai("MICRO\n0\n")),
            "work:1: error: the header has no all_gpus: --set gpus=N\n");
  EXPECT_EQ(goal_of_simai(simai("MICRO all_gpus: 6 ep: 4\n0\n")),
            "work:1: error: data groups of 6 GPUs are no multiple of the expert group of 4; GPUs "
            "are a multiple of 4\n");
}

TEST(Corpus, WorkloadsOfSimaiAreAnswered) {
  const auto replay = [](const std::string& text) {
    return simai(text, {{"gpus", "8"}, {"layers", "100"}}).has_value();
  };
  EXPECT_GE(test::replay_corpus("simai", replay), 2);
}

// Counts and bytes of the operations of a column, by operation and group.
using Sums = std::map<std::pair<Collective::Kind, SimaiPhase::Group>,
                      std::pair<std::uint64_t, std::int64_t>>;
Sums sums_of(const SimaiWorkload& work, SimaiPhase SimaiLayer::*column) {
  Sums sums;
  for (const SimaiLayer& layer : work.layers) {
    const SimaiPhase& phase = layer.*column;
    if (!phase.kind) continue;
    auto& [count, size] = sums[{*phase.kind, phase.group}];
    ++count;
    size += phase.size.count() / 8;
  }
  return sums;
}

SimaiWorkload sample(const std::string& name) {
  const char* const folder = std::getenv("EBB_SAMPLES");
  std::ifstream file(std::filesystem::path(folder) / "simai" / name);
  std::ostringstream text;
  text << file.rdbuf();
  auto work = read_simai_workload(text.str(), name);
  EXPECT_TRUE(work) << to_string(work.error());
  return work ? *work : SimaiWorkload{};
}

// Files of SimAI and AICB, where EBB_SAMPLES names a folder with simai/NAME.
TEST(Simai, FilesOfOthersHaveTheirCounts) {
  if (std::getenv("EBB_SAMPLES") == nullptr) GTEST_SKIP() << "EBB_SAMPLES names no folder";
  using Kind = Collective::Kind;
  using Group = SimaiPhase::Group;
  const SimaiWorkload large = sample("workload_analytical.txt");
  EXPECT_EQ(large.layers.size(), 1'789U);
  EXPECT_EQ(large.tensor, 2U);
  EXPECT_EQ(large.expert, 16U);
  EXPECT_EQ(large.stages, 12U);
  EXPECT_EQ(large.virtual_stages, 8U);
  EXPECT_EQ(large.micro_batches, 24U);
  EXPECT_EQ(large.gpus, 9'216U);
  EXPECT_EQ(large.stage_size, bytes(50'331'648));
  EXPECT_EQ(sums_of(large, &SimaiLayer::forward),
            (Sums{{{Kind::all_reduce, Group::tensor}, {31, 1'208'008'720}},
                  {{Kind::all_gather, Group::tensor}, {600, 49'828'331'520}},
                  {{Kind::reduce_scatter, Group::tensor}, {384, 48'318'382'080}},
                  {{Kind::all_to_all, Group::tensor}, {384, 9'663'676'416}},
                  {{Kind::all_to_all, Group::expert}, {384, 38'654'705'664}}}));
  EXPECT_EQ(sums_of(large, &SimaiLayer::input_gradient),
            (Sums{{{Kind::all_reduce, Group::tensor}, {1, 50'331'648}},
                  {{Kind::reduce_scatter, Group::tensor}, {408, 38'654'705'664}},
                  {{Kind::all_gather, Group::tensor}, {576, 48'620'371'968}},
                  {{Kind::all_to_all, Group::tensor}, {384, 9'663'676'416}},
                  {{Kind::all_to_all, Group::expert}, {384, 38'654'705'664}}}));
  EXPECT_EQ(sums_of(large, &SimaiLayer::weight_gradient),
            (Sums{{{Kind::all_gather, Group::data}, {1, 2'807'758'848}},
                  {{Kind::reduce_scatter, Group::data}, {1, 5'615'517'696}},
                  {{Kind::all_gather, Group::data_expert}, {1, 19'327'352'832}},
                  {{Kind::reduce_scatter, Group::data_expert}, {1, 38'654'705'664}}}));
  Duration forward{};
  Duration input{};
  Duration weight{};
  Duration update{};
  for (const SimaiLayer& layer : large.layers) {
    forward += layer.forward.time;
    input += layer.input_gradient.time;
    weight += layer.weight_gradient.time;
    update += layer.update;
  }
  EXPECT_EQ(forward, 2'235'901'806ns);
  EXPECT_EQ(input, 1'914'495'229ns);
  EXPECT_EQ(weight, 392'398'442ns);
  EXPECT_EQ(update, 178'900ns);

  EXPECT_EQ(sums_of(sample("microAllReduce.txt"), &SimaiLayer::forward),
            (Sums{{{Kind::all_reduce, Group::tensor}, {2, 83'886'080}}}));
  for (const auto& [name, kind] : {std::pair("aicb_all_reduce.txt", Kind::all_reduce),
                                   std::pair("aicb_all_to_all.txt", Kind::all_to_all),
                                   std::pair("aicb_muti_all_reduce.txt", Kind::all_reduce)}) {
    EXPECT_EQ(sums_of(sample(name), &SimaiLayer::weight_gradient),
              (Sums{{{kind, Group::data}, {19, 2'147'479'552}}}));
  }
  const SimaiWorkload gpt13 = sample("aicb_G13B-M1-C02_GPT13B_megatron_tp8_pp1_mbs1_sp_A100.txt");
  EXPECT_EQ(gpt13.layers.size(), 172U);
  EXPECT_EQ(sums_of(gpt13, &SimaiLayer::weight_gradient),
            (Sums{{{Kind::reduce_scatter, Group::data}, {1, 6'497'239'040}}}));
  const auto gpt13_forward = sums_of(gpt13, &SimaiLayer::forward);
  EXPECT_EQ(gpt13_forward.at({Kind::all_gather, Group::tensor}).first, 81U);
  EXPECT_EQ(gpt13_forward.at({Kind::reduce_scatter, Group::tensor}),
            std::pair(std::uint64_t{80}, std::int64_t{80} * 20'971'520));
  EXPECT_EQ(gpt13_forward.at({Kind::broadcast, Group::tensor}).first, 1U);
  const SimaiWorkload gpt175 = sample("aicb_G175B-M1-C03_GPT175B_megatron_tp8_pp1_mbs1_A100.txt");
  EXPECT_EQ(sums_of(gpt175, &SimaiLayer::forward),
            (Sums{{{Kind::all_reduce, Group::tensor}, {29, 2'145'411'072}}}));
  EXPECT_EQ(sums_of(gpt175, &SimaiLayer::weight_gradient),
            (Sums{{{Kind::all_gather, Group::data}, {1, 1}},
                  {{Kind::reduce_scatter, Group::data}, {1, 11'175'321'600}}}));
  EXPECT_EQ(sums_of(sample("aicb_L65B_D1_C08_Llama65B_deepspeed_zero3_A100.txt"),
                    &SimaiLayer::input_gradient),
            (Sums{{{Kind::all_gather, Group::tensor}, {12, 3'496'004}}}));
}

}  // namespace
}  // namespace ebb::trace
