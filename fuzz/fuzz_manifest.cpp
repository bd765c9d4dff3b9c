// SPDX-License-Identifier: Apache-2.0
//
// Any text as the manifest of a fabric, by which namespaces are deleted: refused, or one that names
// nothing but what a fabric of this name can have, and that is written and read as itself.
#include "ebb/core/check.hpp"
#include "ebb/testbed/manifest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb::testbed;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto manifest = parse_manifest(text, "tour");
  if (!manifest) return 0;
  EBB_CHECK(manifest->switches <= manifest->members.size(), "hosts are what is not a switch");
  for (const Manifest::Member& member : manifest->members)
    EBB_CHECK(member.space.starts_with("ebb-tour-"), "of this fabric");
  const auto again = parse_manifest(to_text(*manifest), "tour");
  EBB_CHECK(again && to_text(*again) == to_text(*manifest), "survives its own text");
  return 0;
}
