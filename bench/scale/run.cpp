// SPDX-License-Identifier: Apache-2.0
//
// One run of a simulation file, timed: a line of JSON from rank 0. measure.py makes tables of them.
//
//   [mpirun -n R] ebb_bench_run FILE THREADS [KEY=VALUE...]
#include "ebb/config/simulation.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/mpi/communicator.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace ebb::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <class T>
T or_exit(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}", to_string(result.error()));
  std::exit(EXIT_FAILURE);
}

config::Simulation load(const std::string& file, const std::vector<std::string>& settings) {
  const power::Library parts = or_exit(files::read_parts_folder(EBB_PARTS_DIR));
  return or_exit(config::prepare(or_exit(config::read_sim(file, parts, settings)), parts));
}

std::int64_t peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void run(mpi::Communicator& ranks, const config::Simulation& simulation, std::uint32_t threads) {
  netsim::Experiment experiment = simulation.experiment(*simulation.policy.policy, ranks);
  experiment.threads = threads;
  const Clock::time_point begin = Clock::now();
  const std::clock_t processor_begin = std::clock();
  const netsim::Report report = netsim::run(experiment);
  const std::clock_t processor_time = std::clock() - processor_begin;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::int64_t peak = mpi::all_reduce(ranks, peak_kib());
  if (!ranks.first()) return;
  const nlohmann::ordered_json line = {
      {"hosts", simulation.graph->host_count()},
      {"channels", simulation.graph->channel_count()},
      {"ranks", ranks.count()},
      {"threads", threads},
      {"seconds", seconds},
      {"processor_seconds", static_cast<double>(processor_time) / CLOCKS_PER_SEC},  // of rank 0
      {"simulated_us", static_cast<double>(report.to.time_since_epoch().count()) / 1e6},
      {"packet_hops", report.packet_hops},
      {"events", report.events},
      {"windows", report.windows},
      {"messages", report.message_latency.count()},
      {"mean_message_us", static_cast<double>(report.message_latency.mean().count()) / 1e6},
      {"peak_mb", static_cast<double>(peak) * 1024 / 1e6}};
  fmt::print("{}\n", line.dump());
}

}  // namespace
}  // namespace ebb::bench

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    fmt::print(stderr, "usage: ebb_bench_run FILE THREADS [KEY=VALUE...]\n");
    return EXIT_FAILURE;
  }
  const auto ranks = ebb::bench::or_exit(ebb::mpi::mpi_init());
  const auto simulation = ebb::bench::load(arguments[0], {arguments.begin() + 2, arguments.end()});
  ebb::bench::run(*ranks, simulation, static_cast<std::uint32_t>(std::stoul(arguments[1])));
  return EXIT_SUCCESS;
}
