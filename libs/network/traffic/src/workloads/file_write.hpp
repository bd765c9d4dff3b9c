// SPDX-License-Identifier: Apache-2.0
//
// A client writes a file to three servers in a chain: each passes a chunk on shortly after it began
// to come, and the first acknowledges it a service time later.
#pragma once

#include "workloads/job.hpp"

namespace ebb::traffic {

class FileWrite final : public Job {
 public:
  explicit FileWrite(DataRate host_rate) : Job(serialization_time(kChunk, host_rate)) {}

  [[nodiscard]] DataSize piece_size() const override { return kReplicas * kChunk + kControl; }
  [[nodiscard]] std::int64_t piece_messages() const override { return kReplicas + 1; }
  void run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const override;
};

}  // namespace ebb::traffic
