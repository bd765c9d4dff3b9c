// SPDX-License-Identifier: Apache-2.0
//
// All messages or none. The bundle is committed only after the switch has closed it without a
// complaint: Open vSwitch refuses a message that it cannot read when it is added, and would commit
// the others.
#pragma once

#include "exchange.hpp"

namespace ebb::openflow {

class Bundle final : public Operation {
 public:
  Bundle(std::weak_ptr<Exchange> exchange, std::size_t size, Then<void> then);

  // Reserves the numbers and sends everything up to the closing of the bundle.
  static void start(const std::shared_ptr<Exchange>& exchange, const std::vector<Body>& messages,
                    const Then<void>& then);

  Next take(std::uint32_t xid, const Body& body) override;
  void fail(const Refusal& refusal) override;

 private:
  // Numbers: opening, one per message, closing, committing, barrier, discarding.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(size_) + 5; }
  [[nodiscard]] std::uint32_t closing() const {
    return first_ + 1 + static_cast<std::uint32_t>(size_);
  }
  Result<void> send_all(Exchange& exchange, const std::vector<Body>& messages) const;
  Next take_step(Exchange& exchange, openflow::BundleStep step);
  void note(std::uint32_t xid, const openflow::ErrorMessage& error);
  void send_step(Exchange& exchange, std::uint32_t xid, openflow::BundleStep step) const;

  std::weak_ptr<Exchange> exchange_;
  std::size_t size_;
  Then<void> then_;
  std::uint32_t first_ = 0;
  std::optional<Refusal> problem_;  // the first
};

}  // namespace ebb::openflow
