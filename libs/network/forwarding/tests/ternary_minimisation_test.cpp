// SPDX-License-Identifier: Apache-2.0
#include "../src/ternary_minimisation.hpp"

#include "../src/table_routing.hpp"

#include "ebb/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace ebb::forwarding {
namespace {

using Layered = std::vector<std::vector<TernaryEntry>>;

std::size_t size_of(const Layered& layers) {
  std::size_t size = 0;
  for (const auto& layer : layers) size += layer.size();
  return size;
}

// The output that the first matching layer gives; -1 when none matches, -2 when two of it do.
std::int32_t given(const Layered& layers, std::uint64_t value) {
  for (const auto& layer : layers) {
    const auto matches = [&](const TernaryEntry& one) { return one.cube.holds(value); };
    const auto count = std::count_if(layer.begin(), layer.end(), matches);
    if (count > 1) return -2;
    if (count == 1)
      return static_cast<std::int32_t>(std::find_if(layer.begin(), layer.end(), matches)->output);
  }
  return -1;
}

// The fewest masks in order of priority, by breadth-first search over the sets of values that the
// masks so far have taken: at most 2^16 sets and 3^4 cubes.
class Fewest {
 public:
  explicit Fewest(const OutputsByValue& outputs) : outputs_(outputs) {
    for (std::uint32_t mask = 0; mask < values(); ++mask) {
      for (std::uint32_t value = 0; value < values(); ++value) {
        if ((value & ~mask) == 0) add_cube(value, mask);
      }
    }
  }

  [[nodiscard]] std::size_t masks() const {
    std::vector<bool> seen(std::size_t{1} << values());
    std::vector<std::uint32_t> now = {0};
    for (std::size_t count = 0;; ++count) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t taken : now) {
        if (complete(taken)) return count;
        for (const std::uint32_t cube : cubes_) {
          const std::uint32_t after = taken | cube;
          if (seen[after] || !one_output(cube & ~taken)) continue;
          seen[after] = true;
          next.push_back(after);
        }
      }
      now = std::move(next);
    }
  }

 private:
  [[nodiscard]] std::uint32_t values() const { return 1U << outputs_.bits; }

  void add_cube(std::uint32_t value, std::uint32_t mask) {
    std::uint32_t set = 0;
    for (std::uint32_t v = 0; v < values(); ++v) {
      if ((v & mask) != value) continue;
      if (outputs_.output[v] == OutputsByValue::kNone) return;
      set |= 1U << v;
    }
    cubes_.push_back(set);
  }

  [[nodiscard]] bool complete(std::uint32_t taken) const {
    for (std::uint32_t v = 0; v < values(); ++v) {
      if (outputs_.output[v] >= 0 && (taken >> v & 1U) == 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool one_output(std::uint32_t set) const {
    std::int32_t output = OutputsByValue::kAny;
    for (std::uint32_t v = 0; v < values(); ++v) {
      if ((set >> v & 1U) == 0 || outputs_.output[v] < 0) continue;
      if (output >= 0 && output != outputs_.output[v]) return false;
      output = outputs_.output[v];
    }
    return true;
  }

  const OutputsByValue& outputs_;
  std::vector<std::uint32_t> cubes_;  // as sets of values
};

OutputsByValue random_outputs(RandomStream& dice) {
  OutputsByValue outputs{static_cast<int>(1 + dice.below(4)), {}};
  const std::uint64_t different = 1 + dice.below(6);
  for (std::uint64_t v = 0; v < std::uint64_t{1} << outputs.bits; ++v) {
    const std::uint64_t kind = dice.below(8);
    outputs.output.push_back(kind == 0   ? OutputsByValue::kAny
                             : kind == 1 ? OutputsByValue::kNone
                                         : static_cast<std::int32_t>(dice.below(different)));
  }
  return outputs;
}

TEST(TernaryMinimisation, GivesEveryValueItsOutput) {
  RandomStream dice(1, "covers");
  for (int i = 0; i < 2'000; ++i) {
    const OutputsByValue outputs = random_outputs(dice);
    const Layered layers = minimise(outputs);
    std::size_t occurring = 0;
    for (std::uint64_t v = 0; v < outputs.output.size(); ++v) {
      const std::int32_t wanted = outputs.output[v];
      if (wanted >= 0) {
        ASSERT_EQ(given(layers, v), wanted);
      }
      if (wanted == OutputsByValue::kNone) {
        ASSERT_EQ(given(layers, v), -1);
      }
      if (wanted >= 0) ++occurring;
    }
    EXPECT_LE(size_of(layers), occurring);
  }
}

// Against the fewest that exist, over 1000 random fields of up to 4 bits.
TEST(TernaryMinimisation, IsNearTheFewest) {
  RandomStream dice(2, "covers");
  std::size_t greedy = 0;
  std::size_t fewest = 0;
  for (int i = 0; i < 1'000; ++i) {
    const OutputsByValue outputs = random_outputs(dice);
    const std::size_t ours = size_of(minimise(outputs));
    const std::size_t best = Fewest(outputs).masks();
    ASSERT_GE(ours, best);
    greedy += ours;
    fewest += best;
  }
  EXPECT_EQ(fewest, 3232U);
  EXPECT_EQ(greedy, 3319U);  // 2.7 % more
}

TEST(TernaryMinimisation, LeavesTheRestToTheOutputWithTheHardestValues) {
  // Output 0 has a block of values, output 1 what is left: one mask each.
  OutputsByValue outputs{3, {1, 1, 0, 0, 1, 1, 1, 1}};
  EXPECT_EQ(size_of(minimise(outputs)), 2U);
}

TEST(Dealing, GivesEachLinkAShare) {
  const Field field{"host", 3, 5};
  for (std::uint64_t values = 1; values <= 24; ++values) {
    for (std::size_t links = 1; links <= 26; ++links) {
      const std::vector<Match> matches = split_by_mask(field, values, links);
      ASSERT_EQ(matches.size(), std::min<std::size_t>(links, values));
      std::vector<std::size_t> share(matches.size());
      for (std::uint64_t v = 0; v < 32; ++v) {
        std::size_t hits = 0;
        for (std::size_t i = 0; i < matches.size(); ++i) {
          if (!matches[i].matches(field.place(v))) continue;
          ++hits;
          if (v < values) ++share[i];
        }
        ASSERT_EQ(hits, 1U) << values << " values, " << links << " links, value " << v;
      }
      const auto [least, most] = std::minmax_element(share.begin(), share.end());
      EXPECT_GE(*least, 1U);
      EXPECT_LE(*most, 2 * *least + 1) << values << " values, " << links << " links";
    }
  }
}

}  // namespace
}  // namespace ebb::forwarding
