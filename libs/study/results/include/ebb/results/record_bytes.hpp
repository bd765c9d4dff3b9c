// SPDX-License-Identifier: Apache-2.0
//
// A record as a message from one rank to another.
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/results/run.hpp"

namespace ebb::results {

void append_record(Bytes& bytes, const Record& record);
[[nodiscard]] Record take_record(ByteReader& reader);

}  // namespace ebb::results
