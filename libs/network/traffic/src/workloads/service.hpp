// SPDX-License-Identifier: Apache-2.0
//
// A service that answers queries, and the distributed file system under it. A quarter of the hosts,
// drawn by the seed, are file servers, the others run the application. Three kinds of jobs arrive
// as Poisson processes of the whole network:
//
//   queries  an application host asks `fan_out` others at once; each answers a service time later,
//            all nearly together. A job is a train of such queries
//   read     a client asks a file server for chunks of a file, one after the other
//   write    a client sends chunks to a file server, which passes each on to a second, and that one
//            to a third, while it arrives
//
// The number of queries or chunks of a job is Pareto, and within a job they come at such a pace
// that the busiest host link is busy half of the time. Open loop: an answer is born a service time
// after its request was born, whether or not the request has arrived by then.
// docs/models/workloads.md has the reasons.
#pragma once

#include "ebb/traffic/workload_kind.hpp"

#include <string>
#include <vector>

namespace ebb::traffic {

// Texts as a user would give them.
struct ServiceDefaults {
  std::string load;
  std::string reads;
  std::string writes;
  std::string fan_out;
  std::string answer;
};

[[nodiscard]] std::vector<Parameter> service_parameters(const ServiceDefaults& defaults);
[[nodiscard]] Result<std::unique_ptr<Workload>> make_service(const Shape& shape, DataRate host_rate,
                                                             const Parameters& parameters);

}  // namespace ebb::traffic
