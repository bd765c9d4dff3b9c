// SPDX-License-Identifier: Apache-2.0
//
// Names of states and reasons, as transcripts and reports write them.
#include "ebb/policy/action.hpp"
#include "ebb/policy/channel.hpp"

namespace ebb::policy {

std::string_view to_text(Mode mode) {
  switch (mode) {
    case Mode::active:
      return "active";
    case Mode::asleep:
      return "asleep";
  }
  return "?";
}

std::string_view to_text(Reason reason) {
  switch (reason) {
    case Reason::done:
      return "done";
    case Reason::changing:
      return "changing";
    case Reason::not_supported:
      return "not_supported";
    case Reason::unknown_channel:
      return "unknown_channel";
    case Reason::refused:
      return "refused";
  }
  return "?";
}

}  // namespace ebb::policy
