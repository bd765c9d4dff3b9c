// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/import.hpp"

#include "support/corpus.hpp"

#include "ebb/core/check.hpp"
#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::measurements {
namespace {

// Devices, modules and watts of these tests are invented.
constexpr const char* kTree = R"(metadata:
  device_id: Birch-8
  connected_PSUs: 2
QSFP28:
  DAC:
    100G:
      P_BASE: 100.25
      P_PORT: 0.5
      P_TRX: 0.31
      P_TRX_IN: 0.1
      P_TRX_UP: 0.21
      E_BIT: 1.25e-11
      E_PKT: 2.0e-8
      P_OFFSET: -0.04
  LR4:
    100G:
      default:
        port_type: QSFP28
        trx_phy: DAC
        trx_speed: 100G
QSFP-DD:
  FR4:
    400G:
      P_BASE: 100.25
      P_PORT: 1.5
      P_TRX: 5.36
      P_TRX_IN: 5.43
      P_TRX_UP: 0.01
      E_BIT: .nan
      E_PKT: -4.0e-8
      P_OFFSET: .nan
)";

constexpr const char* kOneEntry = R"(Arguments:
  Device: Birch-8
  Port_type: QSFP28
  Port_speed: 100G
  Transceivers: SR4
  Traffic_generator: RDMA
Power_model:
  P_BASE: 101
  P_PORT: 0.5
  P_TRX: 2.5
  P_TRX_IN: 2.5
  P_TRX_UP: 0
  E_BIT: 1.2e-11
  E_PKT: 1.9e-8
  P_OFFSET: 0
)";

constexpr const char* kFlat = R"(Device: Cedar
Port_type: SFP
Port_speed: 1G
Transceivers: T
Traffic_generator: RDMA
P_BASE: 30.5
P_PORT: 0.25
P_TRX_IN: -0.015
P_TRX_UP: 1
E_BIT: 3.5e-11
E_PKT: 5.0e-8
P_OFFSET: 0.07
)";

constexpr const char* kSheet = R"(manufacturer: Invented
series: null
model: Oak 64
slug: invented-oak-64
max_throughput: {value: 25.6, unit: Tbps}
max_power_draw: {value: 1.5, unit: kW, description: null}
typical_power_draw: {value: 480.0, unit: W, description: "At 25\xB0C, without modules"}
is_poe_capable: false
psu: {number_of_modules: 1 and 2, efficiency_rating: null, power_rating: null, part_number: null}
)";

ImportOptions with_ports(const std::string& device, const std::string& counts) {
  return {.date = "2025-02", .ports = {{device, *parse_port_counts(counts)}}};
}

Result<Imported> imported(const std::string& text, const ImportOptions& options) {
  return import_boxes(std::vector<ImportText>{{"folder/model.yml", text}}, options);
}

power::Library read_back(const power::Library& boxes) {
  files::Diagnostics errors("printed.yaml");
  power::Library library;
  files::read_parts_text(parts_text(boxes), errors, library);
  EXPECT_EQ(to_string(errors.take()), "") << parts_text(boxes);
  return library;
}

const power::Box& only_box(const Result<Imported>& result) {
  EBB_CHECK(result && result->boxes.parts().size() == 1, "one box was expected");
  return std::get<power::Box>(result->boxes.parts().front().body);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EBB_CHECK(at != std::string::npos, "the text is there");
  return text.replace(at, from.size(), to);
}

TEST(Import, TakesEveryEntryOfATree) {
  const auto result = imported(kTree, with_ports("Birch-8", "6xQSFP28,2xQSFP-DD"));
  const power::Box& box = only_box(result);
  EXPECT_EQ(box.ports, 8);
  EXPECT_EQ(box.base.value, microwatts(100'250'000));
  ASSERT_EQ(box.setups.size(), 2U);
  const power::PortSetup& dac = box.setups[0];
  EXPECT_EQ(dac.name, "100G DAC");
  EXPECT_EQ(dac.medium, "electrical");
  EXPECT_EQ(dac.rate, gigabits_per_second(100));
  EXPECT_EQ(dac.ports, 6);
  EXPECT_EQ(dac.port.value, milliwatts(500));
  EXPECT_EQ(dac.plugged.value, milliwatts(100));
  EXPECT_EQ(dac.up.value, milliwatts(210));
  EXPECT_EQ(dac.energy_per_bit->value, attojoules(12'500'000));
  EXPECT_EQ(dac.energy_per_packet->value, attojoules(20'000'000'000));
  EXPECT_EQ(box.setups[1].medium, "optical");
  EXPECT_EQ(box.setups[1].ports, 2);
}

// Not a number and negative are left out, and not 0 J.
TEST(Import, LeavesEnergiesOutThatAreGaps) {
  const auto result = imported(kTree, with_ports("Birch-8", "6xQSFP28,2xQSFP-DD"));
  const power::Box& box = only_box(result);
  EXPECT_FALSE(box.setups[1].energy_per_bit);
  EXPECT_FALSE(box.setups[1].energy_per_packet);
  const std::string note = result->boxes.sources()[0].note;
  EXPECT_NE(note.find("E_BIT of QSFP-DD FR4 400G is not a number (.nan) and left out."),
            std::string::npos)
      << note;
  EXPECT_NE(note.find("E_PKT of QSFP-DD FR4 400G is negative and left out."), std::string::npos);
}

TEST(Import, KeepsWhereNumbersComeFrom) {
  auto options = with_ports("Birch-8", "6xQSFP28,2xQSFP-DD");
  options.origin = "Laboratory of nobody";
  const auto result = imported(kTree, options);
  ASSERT_TRUE(result);
  const power::Source& source = result->boxes.sources()[0];
  EXPECT_EQ(source.id, "birch-8");
  EXPECT_EQ(source.title, "Laboratory of nobody: power model of Birch-8, model.yml");
  EXPECT_EQ(source.date, "2025-02");
  EXPECT_EQ(source.evidence, power::Evidence::measured);
  EXPECT_NE(source.note.find("connected_PSUs: 2."), std::string::npos) << source.note;
  EXPECT_NE(source.note.find("QSFP28 LR4 100G was not measured, the file takes QSFP28 DAC 100G"),
            std::string::npos);
  EXPECT_NE(source.note.find("P_OFFSET of QSFP28 DAC 100G, -0.04 W"), std::string::npos);
}

TEST(Import, ReadsBackWhatItPrints) {
  const std::vector<ImportText> texts = {
      {"a/tree.yml", kTree}, {"b/sr.yml", kOneEntry}, {"flat.yml", kFlat}, {"sheet.yaml", kSheet}};
  ImportOptions options{.date = "2025", .scatter = milliwatts(20)};
  options.ports["Birch-8"] = *parse_port_counts("6xQSFP28,2xQSFP-DD");
  options.ports["Cedar"] = *parse_port_counts("24");
  options.ports["invented-oak-64"] = *parse_port_counts("64x400Gb/s");
  const auto result = import_boxes(texts, options);
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(to_string(result->gaps), "");
  const power::Library again = read_back(result->boxes);
  EXPECT_TRUE(std::equal(again.parts().begin(), again.parts().end(), result->boxes.parts().begin(),
                         result->boxes.parts().end()));
  EXPECT_TRUE(std::equal(again.sources().begin(), again.sources().end(),
                         result->boxes.sources().begin(), result->boxes.sources().end()));
}

// Two measurements of one device: one box, each number with the source of its own file.
TEST(Import, JoinsFilesOfOneDevice) {
  const std::vector<ImportText> texts = {{"a/tree.yml", kTree}, {"b/sr.yml", kOneEntry}};
  const auto result = import_boxes(texts, with_ports("Birch-8", "6xQSFP28,2xQSFP-DD"));
  const power::Box& box = only_box(result);
  ASSERT_EQ(box.setups.size(), 3U);
  EXPECT_EQ(box.base.value, milliwatts(100'250));
  EXPECT_EQ(box.setups[0].port.source, 0U);
  EXPECT_EQ(box.setups[2].port.source, 1U);
  EXPECT_EQ(result->boxes.sources()[1].id, "birch-8/2");
  EXPECT_EQ(result->boxes.sources()[1].note,
            "Traffic_generator: RDMA. Measured with a base of 101 W.");
}

TEST(Import, RefusesAnEntryThatComesTwice) {
  const std::vector<ImportText> texts = {{"a.yml", kFlat}, {"b.yml", kFlat}};
  const auto result = import_boxes(texts, with_ports("Cedar", "24"));
  ASSERT_FALSE(result);
  EXPECT_EQ(to_string(result.error()), "b.yml:1:1: error: 'SFP T 1G' of Cedar is given twice\n");
}

TEST(Import, LeavesABoxOutThatHasAGap) {
  for (const std::string gap : {".nan", "null", "~", "", ".NaN"}) {
    const auto result = imported(replaced(kTree, "P_PORT: 0.5", "P_PORT: " + gap),
                                 with_ports("Birch-8", "6xQSFP28,2xQSFP-DD"));
    ASSERT_TRUE(result) << gap;
    EXPECT_TRUE(result->boxes.parts().empty());
    EXPECT_TRUE(result->boxes.sources().empty());
    ASSERT_EQ(result->gaps.size(), 1U);
    const int line = gap.empty() ? 9 : 8;  // an empty value stands where the next one begins
    EXPECT_EQ(result->gaps[0].where.line, line);
    EXPECT_NE(result->gaps[0].message.find("'Birch-8' is left out: P_PORT of QSFP28 DAC 100G is"),
              std::string::npos);
  }
}

TEST(Import, TellsEveryGapAtOnce) {
  const auto result = imported(R"(metadata: {device_id: Yew}
QSFP28:
  Mystery:
    100G: {P_BASE: -1, P_PORT: null, P_TRX_IN: .nan, E_BIT: 1.0e-12, E_PKT: 1.0e-9}
)",
                               {.date = "2025"});
  ASSERT_TRUE(result);
  std::string gaps = to_string(result->gaps);
  for (const char* const gap :
       {"the file does not tell how many ports there are", "P_BASE of Yew is negative (-1 W)",
        "does not tell its medium", "P_PORT of QSFP28 Mystery 100G is null",
        "P_TRX_IN of QSFP28 Mystery 100G is not a number (.nan)",
        "P_TRX_UP of QSFP28 Mystery 100G is missing"}) {
    EXPECT_NE(gaps.find(gap), std::string::npos) << gap << " in\n" << gaps;
  }
}

TEST(Import, TakesNegativePowersForGapsUnlessTheyAreScatter) {
  auto options = with_ports("Cedar", "24");
  EXPECT_EQ(imported(kFlat, options)->gaps.size(), 1U);
  options.scatter = milliwatts(14);
  EXPECT_EQ(imported(kFlat, options)->gaps.size(), 1U);
  options.scatter = milliwatts(15);
  EXPECT_EQ(only_box(imported(kFlat, options)).setups[0].plugged.value, milliwatts(-15));
}

TEST(Import, TakesTheMediumThatIsGiven) {
  auto options = with_ports("Cedar", "24");
  options.scatter = milliwatts(100);
  options.media["Mystery"] = "optical";
  const auto result =
      imported(replaced(kFlat, "Transceivers: T", "Transceivers: Mystery"), options);
  EXPECT_EQ(only_box(result).setups[0].medium, "optical");
}

TEST(Import, TakesADataSheetAsOneFigure) {
  const auto result = imported(kSheet, with_ports("invented-oak-64", "64x400Gb/s"));
  const power::Box& box = only_box(result);
  EXPECT_EQ(result->boxes.parts()[0].name, "invented-oak-64");
  EXPECT_EQ(box.ports, 64);
  EXPECT_EQ(box.base.value, watts(480));
  ASSERT_EQ(box.setups.size(), 2U);
  EXPECT_EQ(box.setups[0].rate, gigabits_per_second(400));
  EXPECT_EQ(box.setups[0].port.value, watts(0));
  EXPECT_EQ(result->boxes.sources()[0].evidence, power::Evidence::datasheet);
  EXPECT_EQ(result->boxes.sources()[box.setups[0].port.source].evidence, power::Evidence::assumed);
  EXPECT_EQ(result->boxes.sources()[0].note,
            "Typical power: At 25\xC2\xB0"
            "C, without modules. At most 1500 W. Throughput 25.6 "
            "Tbps. As the entry states it.");
}

TEST(Import, LeavesADataSheetOutThatKnowsNothing) {
  const std::string draw = "{value: 480.0, unit: W, description: \"At 25\\xB0C, without modules\"}";
  for (const char* const gap : {"null", "{value: null, unit: W}", "{value: .nan, unit: W}",
                                "{value: -3, unit: W}", "{unit: W}"}) {
    const auto result =
        imported(replaced(kSheet, draw, gap), with_ports("invented-oak-64", "64x400Gb/s"));
    ASSERT_TRUE(result) << gap;
    EXPECT_TRUE(result->boxes.parts().empty()) << gap;
    EXPECT_EQ(result->gaps.size(), 1U) << gap;
  }
}

TEST(Import, RefusesOptionsThatDoNotFit) {
  const auto mistyped = imported(kTree, with_ports("Birch-9", "8"));
  ASSERT_FALSE(mistyped);
  EXPECT_NE(to_string(mistyped.error()).find("unknown device 'Birch-9'; did you mean 'Birch-8'?"),
            std::string::npos);
  const auto type = imported(kTree, with_ports("Birch-8", "6xQSFP29,2xQSFP-DD"));
  ASSERT_FALSE(type);
  EXPECT_NE(to_string(type.error()).find("did you mean 'QSFP28'?"), std::string::npos);
  EXPECT_FALSE(imported(kSheet, with_ports("invented-oak-64", "64")));
  EXPECT_FALSE(imported(kSheet, with_ports("invented-oak-64", "64x400")));
  EXPECT_FALSE(imported(kSheet, with_ports("invented-oak-64", "32x400Gb/s,32x400Gb/s")));
}

// A count without a port type is of the only one there is.
TEST(Import, NeedsTheCountOfEveryPortType) {
  const auto result = imported(kTree, with_ports("Birch-8", "6xQSFP28"));
  ASSERT_TRUE(result);
  ASSERT_EQ(result->gaps.size(), 1U);
  EXPECT_NE(result->gaps[0].message.find("how many QSFP-DD ports"), std::string::npos);
}

TEST(Import, ReadsNumbersOfPorts) {
  EXPECT_EQ(parse_port_counts("36"), (std::vector<PortCount>{{36, ""}}));
  EXPECT_EQ(parse_port_counts("32xQSFP28,4xQSFP-DD"),
            (std::vector<PortCount>{{32, "QSFP28"}, {4, "QSFP-DD"}}));
  for (const char* const wrong : {"", "x", "0", "4x", "-1", "4097", "4096,1", "QSFP28", ","})
    EXPECT_FALSE(parse_port_counts(wrong)) << wrong;
}

TEST(Import, ReadsSpeeds) {
  EXPECT_EQ(parse_speed("100G"), gigabits_per_second(100));
  EXPECT_EQ(parse_speed("2.5G"), megabits_per_second(2'500));
  EXPECT_EQ(parse_speed("10M"), megabits_per_second(10));
  EXPECT_EQ(parse_speed("1.6T"), gigabits_per_second(1'600));
  for (const char* const wrong : {"", "G", "100", "100g", "-1G", "nanG", "1e99T", "0G", "100GG"})
    EXPECT_FALSE(parse_speed(wrong)) << wrong;
}

TEST(Import, KnowsTheMediaOfModules) {
  for (const char* const module : {"LR", "LR4", "SR4", "FR4", "ER4L", "DR4", "ZR", "AOC", "CWDM4"})
    EXPECT_EQ(medium_of(module), "optical") << module;
  for (const char* const module : {"PCC", "DAC", "Passive DAC", "T", "CR4", "AEC"})
    EXPECT_EQ(medium_of(module), "electrical") << module;
  EXPECT_EQ(medium_of("Mystery"), "");
}

bool replay_import(const std::string& text) {
  const auto result = imported(text, {.date = "2025", .scatter = watts(1)});
  return result.has_value();
}

TEST(Corpus, ImportedFilesAreAnswered) {
  EXPECT_GE(test::replay_corpus("import", replay_import), 4);
}

}  // namespace
}  // namespace ebb::measurements
