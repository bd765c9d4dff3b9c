// SPDX-License-Identifier: Apache-2.0
#include "sample_figures.hpp"

#include "ebb/plots/gnuplot.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ebb::plots {
namespace {

std::string drawn(const Figure& figure, Format format) {
  const auto bytes = draw(figure, format);
  EXPECT_TRUE(bytes) << to_string(bytes.error());
  return bytes.value_or("");
}

class Draw : public testing::Test {
 protected:
  void SetUp() override {
    if (!gnuplot_found()) GTEST_SKIP() << kGnuplotMissing;
  }
};

TEST_F(Draw, EveryKindInEveryFormatTwiceTheSameBytes) {
  for (const Figure& figure : {sample_lines(), sample_log(), sample_bars(), sample_stack()}) {
    EXPECT_EQ(drawn(figure, Format::svg).substr(0, 5), "<?xml");
    EXPECT_EQ(drawn(figure, Format::png).substr(1, 3), "PNG");
    EXPECT_EQ(drawn(figure, Format::pdf).substr(0, 4), "%PDF");
    for (const Format format : {Format::svg, Format::png, Format::pdf})
      EXPECT_EQ(drawn(figure, format), drawn(figure, format)) << figure.name;
    if (const char* folder = std::getenv("EBB_KEEP_DRAWINGS")) {
      std::ofstream(std::string(folder) + "/" + figure.name + ".png") << drawn(figure, Format::png);
    }
  }
}

TEST_F(Draw, PdfDoesNotSayWhenItWasDrawn) {
  EXPECT_NE(drawn(sample_lines(), Format::pdf).find("/CreationDate (D:19700101000000Z)"),
            std::string::npos);
}

TEST_F(Draw, LegendNamesEverySeriesAndReference) {
  const std::string svg = drawn(sample_lines(), Format::svg);
  for (const char* label : {"epoch, channels=paired", "epoch, channels=independent", "always-on",
                            "ideal", "offered load (%)"})
    EXPECT_NE(svg.find(label), std::string::npos) << label;
}

// Saturated points get a ring, those of too short a run a cross, and the legend says what both
// mean.
TEST_F(Draw, DoubtfulPointsAreMarked) {
  const std::string ring = "saturated: more is offered than the network carries";
  const std::string cross = "too short a run to tell whether it is saturated";
  EXPECT_EQ(drawn(sample_lines(), Format::svg).find(ring), std::string::npos);
  Figure figure = sample_lines();
  figure.series[0].points[2].status = PointStatus::saturated;
  figure.series[1].points[0].status = PointStatus::too_short;
  const std::string script = gnuplot_script(figure, Format::svg);
  EXPECT_NE(script.find("$status0 << EOD\n40 61\nEOD\n"), std::string::npos) << script;
  EXPECT_NE(script.find("$status1 << EOD\n5 21\nEOD\n"), std::string::npos) << script;
  const std::string svg = drawn(figure, Format::svg);
  EXPECT_NE(svg.find(ring), std::string::npos);
  EXPECT_NE(svg.find(cross), std::string::npos);
}

// Of two labels at one place the first is written.
TEST_F(Draw, PointsHaveTheirLabelsBesideThem) {
  Figure figure = sample_lines();
  figure.kind = Kind::points;
  figure.series[0].points[0].label = "5%";
  figure.series[0].points[2].label = "forty\"";
  figure.series[1].points[2].label = "apart";
  figure.series[1].points[2].y = 20;
  figure.series[2].points[2].label = "covered";
  figure.series[2].points[2].y = 61.5;
  const std::string svg = drawn(figure, Format::svg);
  for (const char* label : {">5%<", ">forty <", ">apart<"})
    EXPECT_NE(svg.find(label), std::string::npos) << label;
  EXPECT_EQ(svg.find("covered"), std::string::npos);
}

// A legend of 70 characters per line fits into 640 pixels; longer labels go on in further lines,
// for which the picture grows.
TEST_F(Draw, LongLabelsStayInThePicture) {
  Figure figure = sample_lines();
  const int before = height_of(figure);
  figure.series[0].label =
      "epoch, target=0.75, channels=independent, epoch=10us, input_buffer=64KiB, "
      "output_selection=queue, 99th percentile";
  EXPECT_GT(height_of(figure), before);
  const std::string svg = drawn(figure, Format::svg);
  for (const char* part :
       {"epoch, target=0.75, channels=independent, epoch=10us,", "99th percentile"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find(figure.series[0].label), std::string::npos) << "not on one line";
}

// What looks like a command, a variable or markup stays text.
TEST_F(Draw, TextIsNeverACommand) {
  const auto trap = std::filesystem::temp_directory_path() / "ebb-figures-trap";
  std::filesystem::remove(trap);
  const std::string touch = "touch " + trap.string();
  const std::vector<std::string> texts = {"'; system('" + touch + "') #",
                                          "`" + touch + "`",
                                          "\"; !" + touch,
                                          "@x_{y}^z\\",
                                          "$(" + touch + ")",
                                          "a\nsystem '" + touch + "'",
                                          "EOD\n!" + touch,
                                          "100% it's"};
  for (const std::string& text : texts) {
    for (Figure figure : {sample_lines(), sample_bars(), sample_stack(), sample_log()}) {
      figure.title = figure.x.label = figure.y.label = figure.series[0].label = text;
      for (std::string& category : figure.categories) category = text;
      figure.levels = {{text, 1}};
      const auto bytes = draw(figure, Format::svg);
      EXPECT_TRUE(bytes) << to_string(bytes.error());
    }
    EXPECT_FALSE(std::filesystem::exists(trap)) << text;
  }
  Figure plain = sample_lines();
  plain.title = "x_{y} `z` it's";
  EXPECT_NE(drawn(plain, Format::svg).find("x_{y} `z` it\u2019s"), std::string::npos);
}

TEST(DrawWithoutGnuplot, SaysWhatToInstall) {
  const std::string path = std::getenv("PATH");
  ASSERT_EQ(setenv("PATH", "/nowhere", 1), 0);
  const auto bytes = draw(sample_lines(), Format::svg);
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(bytes);
  EXPECT_NE(to_string(bytes.error()).find("gnuplot-nox"), std::string::npos);
}

}  // namespace
}  // namespace ebb::plots
