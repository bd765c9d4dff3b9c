// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/parts_file.hpp"

#include "ebb/power/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace ebb::files {
namespace {

using power::Evidence;
using power::Library;

const std::string kShipped = EBB_SOURCE_DIR "/parts";
const std::string kMalformed = EBB_SOURCE_DIR "/tests/malformed/parts";

Library shipped() {
  auto library = read_parts_folder(kShipped);
  if (!library) ADD_FAILURE() << to_string(library.error());
  return library.value_or(Library{});
}

// The source of every number of a part.
struct SourcesOf {
  std::vector<std::uint32_t>& all;

  template <class T>
  void add(const power::Sourced<T>& number) {
    all.push_back(number.source);
  }
  template <class T>
  void add(const std::optional<power::Sourced<T>>& number) {
    if (number) add(*number);
  }
  void operator()(const power::RateTable& rate_table) {
    for (const auto& step : rate_table.steps) add(step.relative_power), add(step.supply);
    add(rate_table.sleep), add(rate_table.rate_change), add(rate_table.lane_change),
        add(rate_table.wake);
    add(rate_table.supply_per_us), add(rate_table.wake_rate);
  }
  void add_groups(const std::vector<power::PowerGroup>& groups) {
    for (const auto& group : groups) add(group.power), add(group.asleep), add(group.wake);
  }
  void operator()(const power::Chip& chip) {
    add(chip.power), add(chip.link_share);
    add_groups(chip.groups);
    if (chip.supply) add(chip.supply->rated);
  }
  void operator()(const power::PowerSupply& supply) {
    add(supply.rated);
    for (const auto& point : supply.efficiency) add(point.efficiency);
  }
  void operator()(const power::Box& box) {
    add(box.base);
    add_groups(box.groups);
    for (const auto& setup : box.setups) {
      add(setup.port), add(setup.plugged), add(setup.up);
      add(setup.energy_per_bit), add(setup.energy_per_packet);
    }
    for (const auto& table : box.tables) {
      add(table.width), add(table.search_per_bit);
      add(table.encode_per_entry), add(table.leakage_per_megabit);
    }
  }
  void operator()(const power::Module& module) {
    for (const auto& step : module.steps) add(step.power);
    add(module.wake);
  }
  void operator()(const power::Nic& nic) { add(nic.power); }
  void operator()(const power::Components& parts) {
    const power::BufferCells& buffers = parts.buffers;
    add(buffers.write), add(buffers.read), add(buffers.leakage), add(buffers.gated);
    add(parts.crossbar_bit), add(parts.crossbar_setup), add(parts.arbitration), add(parts.lookup);
    add(parts.logic), add(parts.nic_bit), add(parts.nic_packet), add(parts.nic_idle);
  }
};

TEST(ShippedParts, AreManyAndOfEveryKind) {
  const Library library = shipped();
  EXPECT_GE(library.parts().size(), 30U);
  std::set<std::string_view> kinds;
  for (const auto& part : library.parts()) {
    kinds.insert(kind_of(part));
    EXPECT_FALSE(part.summary.empty()) << part.name;
  }
  EXPECT_EQ(kinds, (std::set<std::string_view>{"rate_table", "chip", "box", "module", "nic",
                                               "components", "power_supply"}));
}

TEST(ShippedParts, EveryNumberHasASourceAndEverySourceIsUsed) {
  const Library library = shipped();
  std::vector<std::uint32_t> used;
  for (const auto& part : library.parts()) std::visit(SourcesOf{used}, part.body);
  ASSERT_FALSE(used.empty());
  for (const std::uint32_t source : used) ASSERT_LT(source, library.sources().size());
  const std::set<std::uint32_t> distinct(used.begin(), used.end());
  EXPECT_EQ(distinct.size(), library.sources().size());
}

TEST(ShippedParts, EveryAssumptionSaysHowItWasDerived) {
  const Library library = shipped();
  int assumed = 0;
  for (const auto& source : library.sources()) {
    if (source.evidence != Evidence::assumed) continue;
    ++assumed;
    EXPECT_GT(source.note.size(), 40U) << source.id;
  }
  EXPECT_GT(assumed, 5);
}

TEST(ShippedParts, NumbersStandAsPublished) {
  const Library library = shipped();
  const auto chip = library.find_as<power::Chip>("isca10-chip");
  ASSERT_TRUE(chip);
  EXPECT_EQ((*chip)->ports, 36);
  EXPECT_EQ((*chip)->power.value, watts(100));
  EXPECT_EQ(library.source((*chip)->power.source).id, "isca10");
  const auto rate_table = library.find_as<power::RateTable>("infiniband-link");
  ASSERT_TRUE(rate_table);
  EXPECT_EQ((*rate_table)->steps.front().relative_power.value, Ratio(42, 100));
  const auto& between = (*rate_table)->steps[1].relative_power;
  EXPECT_EQ(library.source(between.source).evidence, Evidence::assumed);
  const auto box = library.find_as<power::Box>("exascale-ethernet-72");
  ASSERT_TRUE(box);
  EXPECT_EQ((*box)->setups[1].port.value, milliwatts(480));
}

TEST(ShippedParts, TheClusterLinkFollowsItsSupply) {
  const Library library = shipped();
  const auto rate_table = library.find_as<power::RateTable>("kim-dvs-link");
  ASSERT_TRUE(rate_table);
  EXPECT_EQ((*rate_table)->steps.front().supply->value, millivolts(808));
  EXPECT_EQ((*rate_table)->steps.back().supply->value, millivolts(1800));
  EXPECT_EQ((*rate_table)->supply_per_us->value, millivolts(100));
  EXPECT_EQ((*rate_table)->wake_rate->value, megabits_per_second(640));
  EXPECT_EQ(library.source((*rate_table)->supply_per_us->source).id, "kim");
}

// Relative power of a step = (rate / full rate) * (supply / full supply)^2, to the digits printed.
TEST(ShippedParts, TheClusterLinkDrawsByRateAndSupply) {
  const Library library = shipped();
  const power::RateTable& rate_table = **library.find_as<power::RateTable>("kim-dvs-link");
  for (const auto& step : rate_table.steps) {
    const double rate = static_cast<double>(step.rate.count()) / 2.5e9;
    const double supply = static_cast<double>(step.supply->value.count()) / 1800;
    EXPECT_NEAR(step.relative_power.value.to_double(), rate * supply * supply, 0.001);
  }
}

TEST(ShippedParts, ComponentsStandAsDerived) {
  const Library library = shipped();
  const power::Components& old = **library.find_as<power::Components>("kim-180nm");
  EXPECT_EQ(old.buffers.cell, bits(256));
  EXPECT_EQ(old.buffers.leakage.value, watts(0));
  EXPECT_FALSE(old.buffers.gated);
  EXPECT_EQ(old.buffers.write.value, attojoules(304'000));
  EXPECT_EQ(old.buffers.read.value, attojoules(426'000));
  EXPECT_EQ(old.crossbar_bit.value, attojoules(68'000));
  EXPECT_EQ(old.crossbar_setup.value, attojoules(583'000));
  EXPECT_EQ(old.arbitration.value, attojoules(11'700'000));
  EXPECT_EQ(old.lookup.value, attojoules(9'600'000));
  EXPECT_EQ(old.logic.value, microwatts(8'100));
  EXPECT_EQ(old.nic_bit.value, picojoules(173));
  EXPECT_EQ(old.nic_packet.value, picojoules(289'000));
  EXPECT_EQ(old.nic_idle.value, milliwatts(232));
  const power::Components& small = **library.find_as<power::Components>("kim-70nm");
  EXPECT_EQ(small.buffers.leakage.value, microwatts(26));
  EXPECT_EQ(small.buffers.gated->value, Ratio(19, 100));
  EXPECT_EQ(library.source(small.buffers.gated->source).id, "kim-gated");
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The rest of each "# expect: " line.
std::vector<std::string> expected_lines(const std::string& text) {
  constexpr std::string_view kExpect = "# expect: ";
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(kExpect)) lines.push_back(line.substr(kExpect.size()));
  }
  return lines;
}

// The printed errors without "FOLDER/FILE:" in front; the folder is also cut inside messages.
std::vector<std::string> printed_lines(const Errors& errors, const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::istringstream stream(to_string(errors));
  const std::string folder = file.parent_path().string() + "/";
  for (std::string line; std::getline(stream, line);) {
    for (std::size_t at; (at = line.find(folder)) != std::string::npos;)
      line.erase(at, folder.size());
    const std::string name = file.filename().string() + ":";
    lines.push_back(line.starts_with(name) ? line.substr(name.size()) : line);
  }
  return lines;
}

TEST(MalformedParts, AreRefusedWithTheExpectedLines) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kMalformed)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const auto expected = expected_lines(file_text(entry.path()));
    EXPECT_FALSE(expected.empty()) << entry.path();
    const auto library = read_parts({entry.path().string()});
    ASSERT_FALSE(library) << entry.path();
    const auto printed = printed_lines(library.error(), entry.path());
    for (const std::string& line : expected) {
      EXPECT_NE(std::find(printed.begin(), printed.end(), line), printed.end())
          << entry.path() << " lacks\n  " << line << "\nand printed\n"
          << to_string(library.error());
    }
    EXPECT_EQ(printed.size(), expected.size()) << entry.path() << "\n"
                                               << to_string(library.error());
  }
  EXPECT_GE(files, 18);
}

constexpr std::string_view kNic =
    "schema_version: 1\nsources: {s: {title: t, date: 2010, evidence: measured}}\n"
    "parts: {n: {kind: nic, summary: a, source: s, rate: 1Gb/s, power: 1W}}\n";
constexpr std::string_view kChip =
    "schema_version: 1\nsources: {s: {title: t, date: 2010, evidence: measured}}\n"
    "parts: {c: {kind: chip, summary: a, source: s, ports: 2, port_rate: 1Gb/s, power: 1W,\n"
    "            link_share: 1, rate_table: l}}\n";
constexpr std::string_view kRateTable =
    "schema_version: 1\nsources: {s: {title: t, date: 2010, evidence: measured}}\n"
    "parts: {l: {kind: rate_table, summary: a, source: s, steps: [{rate: 1Gb/s, relative_power: "
    "1}]}}\n";

class PartFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::filesystem::path folder_;
};

TEST_F(PartFiles, ReferToLaterFiles) {
  const auto library = read_parts({write("a.yaml", kChip), write("b.yaml", kRateTable)});
  ASSERT_TRUE(library) << to_string(library.error());
  EXPECT_EQ(library->parts().size(), 2U);
}

TEST_F(PartFiles, DuplicateNamesNameBothFiles) {
  const auto a = write("a.yaml", kNic);
  const auto b = write("b.yaml", kNic);
  const auto library = read_parts({a, b});
  ASSERT_FALSE(library);
  EXPECT_EQ(to_string(library.error()),
            b + ":3:12: error: part 'n' is already defined in " + a + ":3 (at parts.n)\n");
}

TEST_F(PartFiles, AFolderIsReadInTheOrderOfNames) {
  write("b.yaml", kRateTable);
  write("a.yaml", kChip);
  write("notes.txt", "not a part file");
  const auto library = read_parts_folder(folder_.string());
  ASSERT_TRUE(library) << to_string(library.error());
  EXPECT_EQ(library->parts().front().name, "c");
}

TEST_F(PartFiles, AFolderWithoutPartsOrNoFolderIsAnError) {
  EXPECT_EQ(to_string(read_parts_folder(folder_.string()).error()),
            folder_.string() + ": error: no .yaml file in this folder\n");
  EXPECT_FALSE(read_parts_folder((folder_ / "none").string()));
  EXPECT_FALSE(read_parts({(folder_ / "none.yaml").string()}));
}

TEST(PartsText, AddsToALibraryAndSeesWhatIsThere) {
  Library library;
  for (const std::string_view text : {kRateTable, kChip}) {
    Diagnostics errors("x.yaml");
    read_parts_text(text, errors, library);
    EXPECT_TRUE(errors.empty()) << to_string(errors.take());
  }
  EXPECT_EQ(library.parts().size(), 2U);
  EXPECT_EQ(library.sources().size(), 1U);
  Diagnostics errors("x.yaml");
  read_parts_text(kRateTable, errors, library);
  EXPECT_EQ(to_string(errors.take()),
            "x.yaml:3:12: error: part 'l' is already defined in the library (at parts.l)\n");
}

}  // namespace

// The shipped parts in the power models give back the figures that they were derived from.
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
  const auto& rate_table = **library_.find_as<power::RateTable>(*chip.rate_table);
  EXPECT_EQ(chip_power(chip, slowest(rate_table)), watts(42));
  const auto& ideal = **library_.find_as<power::RateTable>("ideal-link");
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
