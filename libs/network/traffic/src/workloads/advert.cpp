// SPDX-License-Identifier: Apache-2.0
#include "workloads/advert.hpp"

#include "workloads/service.hpp"

namespace ebb::traffic::advert {

WorkloadKind kind() {
  return {.name = "advert",
          .summary = "advertising: each query asks a few servers, and logs are written",
          .parameters = service_parameters(
              {.load = "5%", .reads = "30%", .writes = "40%", .fan_out = "8", .answer = "4kB"}),
          .make = make_service};
}

}  // namespace ebb::traffic::advert
