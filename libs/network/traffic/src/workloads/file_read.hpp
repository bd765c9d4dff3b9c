// SPDX-License-Identifier: Apache-2.0
//
// A client reads a file from one server: it asks for a chunk, which comes a service time later, and
// then for the next.
#pragma once

#include "workloads/job.hpp"

namespace ebb::traffic {

class FileRead final : public Job {
 public:
  explicit FileRead(DataRate host_rate) : Job(serialization_time(kChunk, host_rate)) {}

  [[nodiscard]] DataSize piece_size() const override { return kControl + kChunk; }
  [[nodiscard]] std::int64_t piece_messages() const override { return 2; }
  void run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const override;
};

}  // namespace ebb::traffic
