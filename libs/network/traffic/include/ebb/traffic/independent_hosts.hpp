// SPDX-License-Identifier: Apache-2.0
//
// Pattern x injection: every host sends by itself, when the injection says and to where the pattern
// says. Messages are made when they are asked for, so a run of any length takes kMostBytesPerHost
// for each host that is asked for. The messages of a host take service levels in turn. Refers to
// pattern and injection, which must outlive it.
#pragma once

#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload.hpp"

namespace ebb::traffic {

class IndependentHosts final : public Workload {
 public:
  IndependentHosts(const Pattern& pattern, const Injection& injection, std::uint32_t hosts,
                   std::uint8_t services = 1)
      : Workload(hosts), pattern_(pattern), injection_(injection), services_(services) {}

  [[nodiscard]] std::unique_ptr<MessageSource> start(const Start& start) const override;
  [[nodiscard]] bool sends(std::uint32_t host) const override { return pattern_.sends(host); }

 private:
  const Pattern& pattern_;
  const Injection& injection_;
  std::uint8_t services_;
};

}  // namespace ebb::traffic
