// SPDX-License-Identifier: Apache-2.0
//
// The formats, each made by a source of its own.
#pragma once

#include "ebb/trace/trace.hpp"

namespace ebb::trace {

Format goal_format();
Format chakra_format();
Format otf2_format();
Format capture_format();
Format dumpi_format();
Format simgrid_format();
Format htsim_format();
Format simai_format();
Format training_format();
Format inference_format();
Format hpcc_format();
Format flow_csv_format();

}  // namespace ebb::trace
