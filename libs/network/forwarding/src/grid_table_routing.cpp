// SPDX-License-Identifier: Apache-2.0
//
// Flattened butterfly, mesh, torus: dimension by dimension, the highest first, so that all switches
// that differ in x1 alone share an output. On a ring the shorter direction, and upwards when both
// are as long.
//
// Compact: the rules of a dimension look at its field alone, because those of higher dimensions
// have gone first. A flattened butterfly needs one for each coordinate but its own, which with the
// hosts is one for each port.
//
// Fast reroutes: a parallel link; on a flattened butterfly another coordinate of the same
// dimension, from which the right one is one link away; else a link of a lower dimension, because
// the path goes on in the higher one on another line. Links of the lowest dimension of a mesh or
// torus have none.
//
// Classes: one of a flattened butterfly or mesh. On a torus those that still have to pass the end
// of the ring are in class 1, so that no class goes all around. The rerouted tag raises them above.
//
// Diversions, on a flattened butterfly: in the highest dimension of three switches or more, and
// only for frames that have to move in it, so that they do not come straight back. In class 0, all
// others in 1.
#include "layout.hpp"
#include "table_routing.hpp"
#include "ternary_minimisation.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace ebb::forwarding {
namespace {

class GridTableRouting : public TableRouting {
 public:
  GridTableRouting(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] ChannelId next_compact(std::uint32_t at, Address source, Address destination,
                                       std::uint32_t to) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, BackupPaths backup_paths) const override;

  [[nodiscard]] std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                 BackupPaths backup_paths) const override;
  [[nodiscard]] std::uint8_t rerouted_shift() const override { return family_ == "torus" ? 2 : 1; }
  [[nodiscard]] bool reroutes_end() const override;
  [[nodiscard]] std::optional<ChannelId> fast_reroute(std::uint32_t at,
                                                      ChannelId output) const override;

  [[nodiscard]] bool has_injection() const override { return family_ == "fbfly"; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  struct Dimension {
    std::uint32_t k = 0;
    std::uint32_t stride = 0;  // between the numbers of switches next to each other
    [[nodiscard]] std::uint32_t coordinate(std::uint32_t s) const { return s / stride % k; }
  };

  // The coordinate after x on the path to y.
  [[nodiscard]] std::uint32_t step(std::uint32_t x, std::uint32_t y, std::uint32_t k) const;
  [[nodiscard]] std::uint32_t next_switch(std::uint32_t at, std::uint32_t to) const;
  // Of the link that leaves x for y.
  [[nodiscard]] std::uint8_t cos_on_line(std::uint32_t x, std::uint32_t y, std::uint32_t k,
                                         BackupPaths backup_paths) const;
  // The dimension in which two switches differ first on the path; none: they are the same.
  [[nodiscard]] std::optional<std::size_t> dimension_between(std::uint32_t a,
                                                             std::uint32_t b) const;
  // That of diversions.
  [[nodiscard]] std::optional<std::size_t> dimension_to_divert() const;
  // Links to the other switches of a line, or in all lower dimensions.
  [[nodiscard]] std::vector<ChannelId> links_of(std::uint32_t at, std::size_t dimension) const;
  [[nodiscard]] std::vector<ChannelId> links_below(std::uint32_t at, std::size_t dimension) const;
  void add_dimension(std::uint32_t at, std::size_t d, BackupPaths backup_paths,
                     Layers& layers) const;

  std::string family_;
  std::vector<Dimension> dimensions_;
};

GridTableRouting::GridTableRouting(const Graph& graph, const AddressPlan& plan)
    : TableRouting(graph, plan), family_(graph.origin().family) {
  std::uint32_t stride = 1;
  const Parameters parameters = parameters_of(graph);
  for (const std::int64_t k : parameters.list("dims")) {
    dimensions_.push_back({static_cast<std::uint32_t>(k), stride});
    stride *= static_cast<std::uint32_t>(k);
  }
}

std::uint32_t GridTableRouting::step(std::uint32_t x, std::uint32_t y, std::uint32_t k) const {
  if (family_ == "fbfly") return y;
  if (family_ == "mesh") return y > x ? x + 1 : x - 1;
  const std::uint32_t upward = (y + k - x) % k;
  return 2 * upward <= k ? (x + 1) % k : (x + k - 1) % k;
}

std::uint32_t GridTableRouting::next_switch(std::uint32_t at, std::uint32_t to) const {
  for (auto one = dimensions_.rbegin(); one != dimensions_.rend(); ++one) {
    const std::uint32_t x = one->coordinate(at);
    const std::uint32_t y = one->coordinate(to);
    if (x != y) return at - x * one->stride + step(x, y, one->k) * one->stride;
  }
  return at;
}

ChannelId GridTableRouting::next(std::uint32_t at, std::uint32_t to) const {
  return links_to(at, next_switch(at, to)).front();
}

ChannelId GridTableRouting::next_compact(std::uint32_t at, Address /*source*/, Address destination,
                                         std::uint32_t to) const {
  return shared(links_to(at, next_switch(at, to)), destination);
}

std::uint8_t GridTableRouting::cos_on_line(std::uint32_t x, std::uint32_t y, std::uint32_t k,
                                           BackupPaths backup_paths) const {
  if (backup_paths == BackupPaths::injection) return 1;
  if (backup_paths == BackupPaths::none || family_ != "torus") return 0;
  const bool upward = step(x, y, k) == (x + 1) % k;
  return (upward ? y < x : y > x) ? 1 : 0;
}

std::uint8_t GridTableRouting::cos(std::uint32_t at, std::uint32_t to, ChannelId /*output*/,
                                   BackupPaths backup_paths) const {
  const auto d = dimension_between(at, to);
  if (!d) return 0;
  const Dimension& line = dimensions_[*d];
  return cos_on_line(line.coordinate(at), line.coordinate(to), line.k, backup_paths);
}

std::optional<std::size_t> GridTableRouting::dimension_between(std::uint32_t a,
                                                               std::uint32_t b) const {
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].coordinate(a) != dimensions_[d].coordinate(b)) return d;
  }
  return std::nullopt;
}

std::vector<ChannelId> GridTableRouting::links_of(std::uint32_t at, std::size_t dimension) const {
  std::vector<ChannelId> found;
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    const auto next = graph().target(channel);
    if (!graph().is_host(next) && dimension_between(at, index(next)) == dimension)
      found.push_back(channel);
  }
  return found;
}

std::vector<ChannelId> GridTableRouting::links_below(std::uint32_t at,
                                                     std::size_t dimension) const {
  std::vector<ChannelId> found;
  for (std::size_t d = dimension; d-- > 0;) {
    const std::vector<ChannelId> links = links_of(at, d);
    found.insert(found.end(), links.begin(), links.end());
  }
  return found;
}

// The link after a reroute in the same line makes the coordinate right, and later links do not
// touch it. A line of two has no such reroute, and one in a lower dimension would be taken back.
bool GridTableRouting::reroutes_end() const {
  return family_ == "fbfly" && std::none_of(dimensions_.begin(), dimensions_.end(),
                                            [](const Dimension& line) { return line.k == 2; });
}

std::optional<ChannelId> GridTableRouting::fast_reroute(std::uint32_t at, ChannelId output) const {
  const std::uint32_t next = index(graph().target(output));
  if (const auto parallel = link_after(links_to(at, next), output)) return parallel;
  const std::size_t dimension = *dimension_between(at, next);
  if (family_ == "fbfly") {
    // By the first switch of the line, so that all links but its own could sleep at once.
    for (const ChannelId other : links_of(at, dimension)) {
      if (graph().target(other) != graph().target(output)) return other;
    }
  }
  const std::vector<ChannelId> below = links_below(at, dimension);
  if (below.empty()) return std::nullopt;
  return below[index(output) % below.size()];
}

std::optional<std::size_t> GridTableRouting::dimension_to_divert() const {
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].k > 2) return d;
  }
  return std::nullopt;
}

bool GridTableRouting::diverts(std::uint32_t at, std::uint32_t to) const {
  const auto d = dimension_between(at, to);
  return d && has_injection() && d == dimension_to_divert();
}

Layers GridTableRouting::diversions(std::uint32_t at, Detail /*detail*/) const {
  const auto d = dimension_to_divert();
  if (!d) return {};
  return {divert_hosts(at, links_of(at, *d))};
}

Layers GridTableRouting::compact(std::uint32_t at, BackupPaths backup_paths) const {
  Layers layers;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].k > 1) add_dimension(at, d, backup_paths, layers);
  }
  return layers;
}

// Frames that have the coordinate of `at` are for the dimensions below.
void GridTableRouting::add_dimension(std::uint32_t at, std::size_t d, BackupPaths backup_paths,
                                     Layers& layers) const {
  const Dimension& line = dimensions_[d];
  const Field& field = plan().fields()[d + 1];
  const std::uint32_t x = line.coordinate(at);
  const Use use = d == dimension_to_divert() ? Use::primary : Use::always;
  OutputsByValue outputs{field.bits, {}};
  outputs.output.assign(std::size_t{1} << field.bits, OutputsByValue::kAny);
  const auto colour = [&](std::uint32_t y) {  // coordinate and class
    return static_cast<std::int32_t>(2 * step(x, y, line.k) +
                                     cos_on_line(x, y, line.k, backup_paths));
  };
  for (std::uint32_t y = 0; y < line.k; ++y)
    outputs.output[y] = y == x ? OutputsByValue::kNone : colour(y);
  for (const auto& layer : minimise(outputs)) {
    layers.emplace_back();
    for (const auto& [cube, coloured] : layer) {
      const std::uint32_t neighbour = at - x * line.stride + coloured / 2 * line.stride;
      std::vector<Rule> rules;
      share({field.place(cube.value), field.place(cube.mask)}, links_to(at, neighbour), rules);
      for (Rule& rule : rules) {
        rule.use = use;
        rule.cos = static_cast<std::uint8_t>(coloured % 2);
        layers.back().push_back(rule);
      }
    }
  }
}

}  // namespace

MadeTableRouting make_grid_table_routing(const Graph& graph, const AddressPlan& plan) {
  return std::make_unique<GridTableRouting>(graph, plan);
}

}  // namespace ebb::forwarding
