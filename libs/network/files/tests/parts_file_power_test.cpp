// SPDX-License-Identifier: Apache-2.0
//
// The shipped parts in the power models give back the figures that they were derived from.
#include "ebb/files/parts_file.hpp"
#include "ebb/power/model.hpp"

#include <gtest/gtest.h>

namespace ebb::files {
namespace {

using power::Box;
using power::box_power;
using power::Counting;
using power::PortUse;

class ShippedPower : public testing::Test {
 protected:
  void SetUp() override {
    auto library = read_parts_folder(EBB_SOURCE_DIR "/parts");
    ASSERT_TRUE(library) << to_string(library.error());
    library_ = *library;
  }
  const Box& box(std::string_view name) const { return **library_.find_as<Box>(name); }

  power::Library library_;
};

struct FullLoad {
  const char* box;
  int setup;
  int ports;
  double least;
  double most;
};

// Whole boxes at 100 % load with 1500-byte packets, computed by hand from the rounded figures of
// the same measurements, bits counted once and twice.
TEST_F(ShippedPower, MeasuredBoxesAtFullLoad) {
  for (const FullLoad& row : {FullLoad{"cisco-nexus-9336c-fx2", 0, 36, 498, 544},
                              FullLoad{"cisco-nexus-9336c-fx2", 1, 36, 367, 406},
                              FullLoad{"cisco-ncs-55a1-24h", 0, 24, 407, 472},
                              FullLoad{"cisco-8201-32fh", 0, 32, 315, 329},
                              FullLoad{"arista-7280cr3k-32d4", 0, 32, 348, 389}}) {
    const Box& b = box(row.box);
    const power::PortSetup& setup = b.setups[static_cast<std::size_t>(row.setup)];
    EXPECT_EQ(setup.ports.value_or(b.ports), row.ports) << row.box;
    const PortUse uses[] = {{&setup, row.ports, Ratio(1, 1), bytes(1500)}};
    EXPECT_NEAR(to_watts(box_power(b, uses)), row.least, 1.0) << row.box;
    EXPECT_NEAR(to_watts(box_power(b, uses, Counting::twice)), row.most, 1.0) << row.box;
  }
}

TEST_F(ShippedPower, IscaChipInItsSlowestMode) {
  const auto& chip = **library_.find_as<power::Chip>("isca10-chip");
  const auto& ladder = **library_.find_as<power::Ladder>(*chip.ladder);
  EXPECT_EQ(chip_power(chip, slowest(ladder)), watts(42));
  const auto& ideal = **library_.find_as<power::Ladder>("ideal-ladder");
  EXPECT_EQ(chip_power(chip, slowest(ideal)), milliwatts(6'250));
}

// Watts of a switch of the exascale study without its table: full load, 64-byte packets.
double exascale_watts(const Box& b, double host_ports) {
  const PortUse optical{&b.setups[0], 1, Ratio(1, 1), bytes(64)};
  const PortUse electrical{&b.setups[1], 1, Ratio(1, 1), bytes(64)};
  return to_watts(b.base.value) + host_ports * to_watts(port_power(electrical)) +
         (72 - host_ports) * to_watts(port_power(optical));
}

TEST_F(ShippedPower, ExascaleSwitchComesNearThePublishedSavings) {
  const Box& b = box("exascale-ethernet-72");
  constexpr double kClos = 29'484;
  constexpr double kDragonfly = 16'668;
  // Each port takes in 40 Gb/s of 64-byte packets; a search for each.
  const power::Searches searches{gigabits_per_second(72 * 40), bytes(64)};
  const auto table = [&](std::size_t which, std::int64_t entries) {
    return to_watts(table_power(b.tables[which], entries, searches));
  };
  const double compact = table(0, 72);
  const double flat_clos = exascale_watts(b, 303'264 / kClos);
  const double reference = kClos * (flat_clos + table(1, 303'264));
  const double compact_clos = kClos * (flat_clos + compact);
  EXPECT_NEAR(1 - compact_clos / reference, 0.170, 0.05);
  const double dragonfly = kDragonfly * (exascale_watts(b, 300'024 / kDragonfly) + compact);
  EXPECT_NEAR(1 - dragonfly / reference, 0.541, 0.05);
  EXPECT_GT(table(0, 300'024), 900);
}

// Six switches, five links per pair, one kept: 20 of the 25 ports to other switches go off.
TEST_F(ShippedPower, PowerConnectGivesThePublishedSavings) {
  const Box& b = box("dell-powerconnect-6248");
  for (const auto& [host_ports, published] : {std::pair{11, 0.26}, std::pair{22, 0.23}}) {
    const PortUse before[] = {{&b.setups[0], 25 + host_ports}};
    const PortUse after[] = {{&b.setups[0], 5 + host_ports},
                             {&b.setups[0], 20, {}, bytes(1500), power::PortState::plugged}};
    EXPECT_NEAR(1 - to_watts(box_power(b, after)) / to_watts(box_power(b, before)), published,
                0.005);
  }
}

}  // namespace
}  // namespace ebb::files
