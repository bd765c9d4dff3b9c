// SPDX-License-Identifier: Apache-2.0
//
// What a switch answers to a request, or why there is no answer.
#pragma once

#include "ebb/openflow/message.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <optional>
#include <string>

namespace ebb::openflow {

enum class Why : std::uint8_t {
  refused,    // by the switch: `error` is what it said
  timed_out,  // whether it took effect is not known
  closed,     // as above
  not_sent,   // the message cannot be written
};

struct Refusal {
  Why why = Why::closed;
  std::string text;
  std::optional<openflow::ErrorMessage> error = std::nullopt;
  std::optional<std::size_t> message = std::nullopt;  // which of those to install
};

template <class T>
using Answer = tl::expected<T, Refusal>;
template <class T>
using Then = std::function<void(Answer<T>)>;

}  // namespace ebb::openflow
