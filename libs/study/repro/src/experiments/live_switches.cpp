// SPDX-License-Identifier: Apache-2.0
//
// Rows that only real switches can show. This library knows none: whoever has them gives the
// measurements (RunCache::live).
#include "ebb/repro/experiment.hpp"

namespace ebb::repro::live_switches {
namespace {

template <char kLetter, char kDigit>
Result<Measurements> measure(RunCache& cache) {
  return cache.measure_live({kLetter, kDigit});
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{.id = "B7", .measure = measure<'B', '7'>, .cost = Cost::live},
          {.id = "D4", .measure = measure<'D', '4'>, .cost = Cost::live}};
}

}  // namespace ebb::repro::live_switches
