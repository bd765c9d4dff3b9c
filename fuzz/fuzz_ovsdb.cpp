// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what an ovsdb-server sends: cut into objects, however the bytes come in pieces, and
// read by a client that has requests under way.
#include "ebb/core/check.hpp"
#include "ebb/ovsdb/database.hpp"
#include "ebb/ovsdb/session.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using ebb::ovsdb::JsonFramer;

struct Cut {
  std::vector<std::string> objects;
  bool refused = false;
};

Cut cut(std::string_view input, std::size_t piece) {
  JsonFramer framer({.bytes = 4096, .depth = 16});
  Cut found;
  for (std::size_t at = 0; at < input.size() && !found.refused; at += piece) {
    framer.feed(input.substr(at, piece));
    for (;;) {
      const auto next = framer.next();
      found.refused = !next;
      if (!next || next->empty()) break;
      found.objects.push_back(*next);
    }
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Cut whole = cut(input, std::max<std::size_t>(size, 1));
  const Cut bits = cut(input, 3);
  EBB_CHECK(whole.objects == bits.objects && whole.refused == bits.refused, "pieces do not matter");
  for (const auto& text : whole.objects) {
    EBB_CHECK(text.size() <= 4096 && text.starts_with('{'), "an object within the limits");
    const auto message = nlohmann::json::parse(text, nullptr, false);
    if (!message.is_discarded())
      static_cast<void>(ebb::ovsdb::entries_of(message.value("params", message)));
  }
  return 0;
}
