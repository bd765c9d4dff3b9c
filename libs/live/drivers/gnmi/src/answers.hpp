// SPDX-License-Identifier: Apache-2.0
//
// What a target answers, without the network: requests in, responses or refusals out.
#pragma once

#include "messages.hpp"

#include "ebb/gnmi/box.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>

namespace ebb::gnmi {

enum class Refused : std::uint8_t {
  malformed,  // nobody could do this
  unknown,    // there is no such place
  cannot,     // this target does not do it
  failed,     // the box did not
};

struct Refusal {
  Refused why = Refused::malformed;
  std::string text;
};

template <class T>
using Answer = tl::expected<T, Refusal>;

// Every leaf of a box, in the order of its interfaces.
[[nodiscard]] std::vector<LeafValue> leaves_of(const std::vector<Interface>& interfaces);

[[nodiscard]] wire::CapabilityResponse capabilities();
[[nodiscard]] Answer<wire::GetResponse> get(const wire::GetRequest& request, Box& box);
// All or nothing: everything is checked before the first change, and what was changed is changed
// back when a later change fails.
[[nodiscard]] Answer<wire::SetResponse> set(const wire::SetRequest& request, Box& box);

// What a subscriber wants to be told.
struct Wanted {
  struct Part {
    Path path;
    bool on_change = false;
    std::chrono::nanoseconds interval{};  // between samples, or between repetitions; 0: none
  };
  std::vector<Part> parts;
  wire::Encoding encoding = wire::PROTO;
  bool once = false;
  bool updates_only = false;
};

[[nodiscard]] Answer<Wanted> wanted(const wire::SubscriptionList& list);

void write(const std::vector<LeafValue>& leaves, wire::Encoding encoding,
           wire::Notification& message);

}  // namespace ebb::gnmi
