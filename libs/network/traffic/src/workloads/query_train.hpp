// SPDX-License-Identifier: Apache-2.0
//
// Partition and aggregate: an application host asks `fan_out` others, all at once, and they answer
// nearly together. Whoever was asked once is asked again by the next query of the train.
#pragma once

#include "workloads/job.hpp"

namespace ebb::traffic {

class QueryTrain final : public Job {
 public:
  // `fan_out` is below the number of application hosts.
  QueryTrain(std::uint32_t fan_out, DataSize answer, DataRate host_rate);

  [[nodiscard]] DataSize piece_size() const override;
  [[nodiscard]] std::int64_t piece_messages() const override { return 2 * std::int64_t{fan_out_}; }
  void run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const override;

 private:
  std::uint32_t fan_out_;
  DataSize answer_;
};

}  // namespace ebb::traffic
