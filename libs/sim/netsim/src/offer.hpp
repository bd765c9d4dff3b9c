// SPDX-License-Identifier: Apache-2.0
//
// Stands between hosts and their source and counts, host by host since hosts live on threads, what
// is offered while the run is measured. Hosts that cannot keep up leave messages in the source;
// those are fetched, counted and kept for them.
#pragma once

#include "ebb/netsim/message_source.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

class Offer final : public MessageSource {
 public:
  Offer(MessageSource& source, std::uint32_t hosts) : source_(source), fetched_(hosts) {}

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override;

  // Counts messages born in [from, to), those included that hosts have already fetched; data also
  // from `middle` on.
  void open(TimePoint from, TimePoint middle, TimePoint to);
  // Fetches what hosts have left behind of them.
  void fetch_rest();

  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] DataSize data() const;
  [[nodiscard]] DataSize data_from_middle() const;

 private:
  struct Host {
    std::optional<traffic::Message> last;  // that was fetched from the source
    std::vector<traffic::Message> kept;    // of these, not yet handed on, the next at the back
    std::uint64_t messages = 0;            // counted
    DataSize data;
    DataSize from_middle;
  };
  void fetch(std::uint32_t host);
  void count(Host& host) const;  // its last

  MessageSource& source_;
  std::vector<Host> fetched_;
  TimePoint from_ = TimePoint::max();
  TimePoint middle_ = TimePoint::max();
  TimePoint to_ = TimePoint::max();
};

}  // namespace ebb::netsim
