// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/records.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/monitor/audit_chain.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ebb::runtime {
namespace {

// Writes 17 MiB to the audit trail of a fabric of so many switches, each joined to each other:
// whether it began a second file.
bool fills_a_file(int switches) {
  test::TemporaryFolder folder;
  const std::string file = folder.file("fabric.yaml");
  std::ofstream(file) << "schema_version: 1\nname: full\ntopology: {family: complete, switches: "
                      << switches << ", hosts: 1}\n";
  const auto fabric = *fabric_config::read_fabric(file, fabric_config::Site::elsewhere);
  const std::string audit = folder.file("audit.jsonl");
  FabricEvents events(
      fabric.graph, [] { return TimePoint{}; }, false);
  EXPECT_TRUE(events.open_audit(audit).empty());
  constexpr std::size_t kLine = 10'000;
  for (std::size_t bytes = 0; bytes < std::size_t{17} << 20U; bytes += kLine)
    events.asked(std::string(kLine, 'x'), {}, "done");
  const auto chain = monitor::check_chain(audit, events.audit_head());
  EXPECT_TRUE(chain && chain->problems.empty() && chain->found_noted);
  return std::filesystem::exists(audit + ".1");
}

// One sleep of all links must not push the one before out of the trail.
TEST(AuditTrail, MayBeAsLargeAsTheFabricNeeds) {
  EXPECT_TRUE(fills_a_file(3)) << "16 MiB are enough for 3 links";
  EXPECT_FALSE(fills_a_file(80)) << "3,160 links may have 20 MB";
}

}  // namespace
}  // namespace ebb::runtime
