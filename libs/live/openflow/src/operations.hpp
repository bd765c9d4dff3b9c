// SPDX-License-Identifier: Apache-2.0
//
// The kinds of requests: one reply, a list in parts, and a change that a barrier confirms.
#pragma once

#include "exchange.hpp"

#include <fmt/format.h>

namespace ebb::openflow {

[[nodiscard]] inline Refusal refused(const openflow::ErrorMessage& error) {
  return {Why::refused, to_text(error), error};
}
[[nodiscard]] inline Refusal unexpected() {
  return {Why::refused, "the switch answered something else"};
}

// Exactly one message of the type Reply.
template <class Reply>
class OneReply final : public Operation {
 public:
  explicit OneReply(Then<Reply> then) : then_(std::move(then)) {}

  Next take(std::uint32_t /*xid*/, const Body& body) override {
    if (const auto* reply = std::get_if<Reply>(&body)) {
      then_(*reply);
    } else if (const auto* error = std::get_if<openflow::ErrorMessage>(&body)) {
      fail(refused(*error));
    } else {
      fail(unexpected());
    }
    return Next::done;
  }
  void fail(const Refusal& refusal) override { then_(tl::unexpected(refusal)); }

 private:
  Then<Reply> then_;
};

// Messages of the type Part, each with some entries, until one says that it is the last.
template <class Part, class Entry, std::vector<Entry> Part::*kEntries>
class InParts final : public Operation {
 public:
  explicit InParts(Then<std::vector<Entry>> then) : then_(std::move(then)) {}

  Next take(std::uint32_t /*xid*/, const Body& body) override {
    const auto* part = std::get_if<Part>(&body);
    if (part == nullptr) {
      const auto* error = std::get_if<openflow::ErrorMessage>(&body);
      fail(error != nullptr ? refused(*error) : unexpected());
      return Next::done;
    }
    const auto& entries = part->*kEntries;
    all_.insert(all_.end(), entries.begin(), entries.end());
    if (part->more && all_.size() <= kMost) return Next::waits;
    if (part->more) {
      fail({Why::refused, fmt::format("the switch sent more than {} entries", kMost)});
    } else {
      then_(std::move(all_));
    }
    return Next::done;
  }
  void fail(const Refusal& refusal) override { then_(tl::unexpected(refusal)); }

 private:
  static constexpr std::size_t kMost = 200'000;  // no switch holds so many rules

  std::vector<Entry> all_;
  Then<std::vector<Entry>> then_;
};

// A message without a reply, and a barrier behind it.
class Confirmed final : public Operation {
 public:
  explicit Confirmed(Then<void> then) : then_(std::move(then)) {}

  Next take(std::uint32_t /*xid*/, const Body& body) override {
    if (const auto* error = std::get_if<openflow::ErrorMessage>(&body)) {
      fail(refused(*error));
    } else if (std::holds_alternative<openflow::BarrierReply>(body)) {
      then_({});
    } else {
      fail(unexpected());
    }
    return Next::done;
  }
  void fail(const Refusal& refusal) override { then_(tl::unexpected(refusal)); }

 private:
  Then<void> then_;
};

}  // namespace ebb::openflow
