// SPDX-License-Identifier: Apache-2.0
//
// A hint that memory will be wanted soon.
#pragma once

namespace ebb {

inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // g++ takes a function that does nothing but prefetch for one without effect, and drops its calls.
  asm volatile("");
}

}  // namespace ebb
