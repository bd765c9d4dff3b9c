// SPDX-License-Identifier: Apache-2.0
//
// Steps on fbfly, mesh and torus, computed from switch numbers. Switch s has coordinates
// (x_1, ..., x_n), x_1 varying fastest. Ports: hosts, then dimension by dimension the coordinates
// to which the switch is joined, ascending, each `parallel` times (topology's grid.hpp).
#pragma once

#include "ebb/routing/routing.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::routing {

class Grid {
 public:
  // Of a graph that passed check_origin, made by fbfly, mesh or torus.
  explicit Grid(const Graph& graph);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const {
    return graph_.host_number(host) / hosts_per_switch_;
  }
  [[nodiscard]] int dimensions() const;  // with more than one switch
  // The virtual channels of `ordered_step`: 2 when there is a ring that needs a dateline, else 1.
  [[nodiscard]] int ordered_channels() const;
  [[nodiscard]] std::uint64_t parallel_links() const;  // sum over dimensions
  [[nodiscard]] std::uint64_t widest_line() const;     // links from a switch along one dimension
  [[nodiscard]] std::size_t memory_bytes() const {
    return dimensions_.capacity() * sizeof(Dimension) +
           coordinates_.capacity() * sizeof(std::uint32_t);
  }

  // Where switches differ first, and what is needed to leave along that line.
  struct Place {
    std::uint32_t x = 0;  // coordinates there: of the switch at hand, ...
    std::uint32_t y = 0;  // ... and of the other
    std::uint32_t k = 0;  // switches on the line
    std::uint32_t port = 0;
    std::uint32_t parallel = 0;
  };
  // The switches must not be the same.
  [[nodiscard]] Place first_difference(std::uint32_t from, std::uint32_t to) const;
  // The links to coordinate `c` of the line. Only for fbfly.
  void leave(std::uint32_t from, const Place& place, std::uint32_t c, Candidate as,
             Candidates& out) const;
  // The sum of steps(x, y, k) over the lines, of k switches, on which the two have coordinates x,
  // y.
  template <class Steps>
  [[nodiscard]] int links(std::uint32_t from, std::uint32_t to, Steps steps) const {
    std::uint32_t sum = 0;
    for (const auto& [k, parallel] : dimensions_) {
      sum += steps(from % k, to % k, k);
      from /= k;
      to /= k;
    }
    return static_cast<int>(sum);
  }

  // Links on a shortest path.
  [[nodiscard]] int distance(std::uint32_t from, std::uint32_t to) const;

  // One step along the first dimension in which the switches differ; both ways round a ring when
  // they are equally long. Rings cross their dateline, between k-1 and 0, on `vc` and run on `vc`+1
  // when they have it behind them or never meet it; other lines use `vc`.
  void ordered_step(std::uint32_t from, std::uint32_t to, std::uint8_t vc, Candidates& out) const;

  // One step along any dimension in which the switches differ. Only for fbfly.
  void any_step(std::uint32_t from, std::uint32_t to, std::uint8_t vc, Candidates& out) const;

 private:
  enum class Line : std::uint8_t { complete, open, ring };
  struct Dimension {
    std::uint32_t k = 0;
    std::uint32_t parallel = 0;
  };

  [[nodiscard]] const std::uint32_t* coordinates(std::uint32_t of) const {
    return &coordinates_[std::size_t{of} * dimensions_.size()];
  }
  [[nodiscard]] bool needs_dateline(std::uint32_t k) const { return line_ == Line::ring && k > 3; }
  [[nodiscard]] std::uint32_t neighbours(std::uint32_t x, std::uint32_t k) const;
  [[nodiscard]] std::uint32_t line_distance(std::uint32_t x, std::uint32_t y,
                                            std::uint32_t k) const;
  // Steps from x towards y; `port` is the first of the dimension.
  void line_step(std::uint32_t from, std::uint32_t port, const Dimension& dimension,
                 std::uint32_t x, std::uint32_t y, std::uint8_t vc, Candidates& out) const;
  void ring_step(std::uint32_t from, std::uint32_t port, const Dimension& dimension,
                 std::uint32_t x, std::uint32_t y, std::uint8_t vc, Candidates& out) const;
  // The parallel links to the neighbour in place `slot`.
  void push(std::uint32_t from, std::uint32_t port, std::uint32_t parallel, std::uint32_t slot,
            Candidate as, Candidates& out) const;

  const Graph& graph_;
  Line line_ = Line::complete;
  std::uint32_t hosts_per_switch_ = 1;
  std::vector<Dimension> dimensions_;
  // Of each switch in turn: what to divide for would be divided for again at every hop.
  std::vector<std::uint32_t> coordinates_;
};

}  // namespace ebb::routing
