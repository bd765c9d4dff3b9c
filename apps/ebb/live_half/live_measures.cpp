// SPDX-License-Identifier: Apache-2.0
#include "repro/live_measures.hpp"

#include "command_line/inputs.hpp"

#include "ebb/experiments/experiments.hpp"

namespace ebb::cli {

repro::LiveMeasures live_measures() {
  const auto parts = [] { return load_parts({}); };
  return {{"B7", [parts] { return experiments::dynamic_mac_protocol(parts); }},
          {"D4", [parts] { return experiments::make_before_break(parts); }}};
}

}  // namespace ebb::cli
