// SPDX-License-Identifier: Apache-2.0
//
// Video streams of variable bit rate, like MPEG-2: 30 frames a second, each a message that is of
// use for one frame time. Streams are drawn one after the other until their mean rates add up to
// the load: one of seven rates, source, destination, and where in its group of pictures a stream
// is at time 0. Groups are IBBPBBPBBPBB; sizes are gamma distributed around a mean for each kind of
// frame. All frames of a stream have the service level of its number.
//
// The rates stand for the seven MPEG-2 traces of Kim et al., A Holistic Approach to Designing
// Energy-Efficient Cluster Interconnects (IEEE Transactions on Computers, 2005), whose statistics
// (Table 3) are lost. docs/models/workloads.md has the reason for every number.
#pragma once

#include "ebb/traffic/workload_kind.hpp"

namespace ebb::traffic::video {

[[nodiscard]] WorkloadKind kind();

}  // namespace ebb::traffic::video
