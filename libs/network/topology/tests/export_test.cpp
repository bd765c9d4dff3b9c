// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/graph.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace ebb::topology {
namespace {

Graph named_pair() {
  GraphBuilder builder(1, 1, {{gigabits_per_second(10), gigabits_per_second(40)}});
  builder.connect(Link{NodeId{0}, NodeId{1}, 5'600, Medium::optical});
  builder.set_names({R"(core "A")", "rack<1>&2"});
  return std::move(builder).build({"imported", {}});
}

TEST(Export, DotQuotesNamesAndGivesAttributes) {
  std::ostringstream out;
  to_dot(out, named_pair());
  EXPECT_EQ(out.str(), R"(graph "imported" {
  graph [overlap=false, splines=line, outputorder=edgesfirst];
  node [shape=box, style="rounded,filled", fillcolor="#dbe9f6", color="#2b6cb0", fontname="Helvetica", margin="0.06,0.03", width=0.3, height=0.2];
  "core \"A\"" [kind=switch];
  "rack<1>&2" [kind=host, shape=point, width=0.07, color="#444c56"];
  "core \"A\"" -- "rack<1>&2" [medium=optical, length=5.6, rate="40Gb/s", color="#e07b00"];
}
)");
}

TEST(Export, GraphmlEscapesNamesAndGivesAttributes) {
  std::ostringstream out;
  to_graphml(out, named_pair());
  const std::string text = out.str();
  EXPECT_NE(text.find(R"(<node id="n1"><data key="name">rack&lt;1&gt;&amp;2</data>)"),
            std::string::npos);
  EXPECT_NE(text.find(R"(<edge id="e0" source="n0" target="n1"><data key="medium">optical</data>)"
                      R"(<data key="length">5.6</data><data key="rate">40Gb/s</data></edge>)"),
            std::string::npos);
}

}  // namespace
}  // namespace ebb::topology
