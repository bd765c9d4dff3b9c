// SPDX-License-Identifier: Apache-2.0
//
// The replies of a target, without the network: requests in, responses or request errors out; and
// what a subscription is told next.
#pragma once

#include "messages.hpp"

#include "ebb/gnmi/target.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <map>

namespace ebb::gnmi {

enum class RequestErrorKind : std::uint8_t {
  malformed,  // nobody could do this
  unknown,    // there is no such place
  cannot,     // this target does not do it
  failed,     // the device did not
};

struct RequestError {
  RequestErrorKind why = RequestErrorKind::malformed;
  std::string text;
};

template <class T>
using Reply = tl::expected<T, RequestError>;

// Every leaf of a device, in the order of its interfaces, then of its components.
[[nodiscard]] std::vector<LeafValue> leaves_of(const std::vector<Interface>& interfaces,
                                               const std::vector<Component>& components);

[[nodiscard]] wire::CapabilityResponse capabilities();
[[nodiscard]] Reply<wire::GetResponse> get(const wire::GetRequest& request, Device& device);
// All or nothing: everything is checked before the first change, and what was changed is changed
// back when a later change fails.
[[nodiscard]] Reply<wire::SetResponse> set(const wire::SetRequest& request, Device& device);

// What a subscriber asked for.
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

[[nodiscard]] Reply<Wanted> wanted(const wire::SubscriptionList& list);

void write(const std::vector<LeafValue>& leaves, wire::Encoding encoding,
           wire::Notification& message);

// One subscription of a client: what to tell it next, from what the device looks like. No clock.
using SteadyTime = std::chrono::steady_clock::time_point;

class Subscriber {
 public:
  Subscriber(Wanted wanted, SteadyTime now);

  // Everything that it wants, as at the beginning.
  [[nodiscard]] std::vector<LeafValue> all(const std::vector<LeafValue>& device);
  // What has changed or is due; due times move on.
  [[nodiscard]] std::vector<LeafValue> next(const std::vector<LeafValue>& device, SteadyTime now);
  // When `next` has something even if nothing changes; not later than `limit`.
  [[nodiscard]] SteadyTime due(SteadyTime limit) const;
  [[nodiscard]] const Wanted& wanted() const { return wanted_; }

 private:
  Wanted wanted_;
  std::vector<SteadyTime> due_;  // by part
  std::map<std::string, Value> told_;
};

}  // namespace ebb::gnmi
