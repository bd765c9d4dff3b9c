// SPDX-License-Identifier: Apache-2.0
#include "workloads/search.hpp"

#include "workloads/service.hpp"

namespace ebb::traffic::search {

WorkloadKind kind() {
  return {.name = "search",
          .summary = "web search: each query asks many index servers, and file reads prevail",
          .parameters = service_parameters(
              {.load = "6%", .reads = "40%", .writes = "15%", .fan_out = "43", .answer = "16kB"}),
          .make = make_service};
}

}  // namespace ebb::traffic::search
