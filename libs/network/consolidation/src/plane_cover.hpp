// SPDX-License-Identifier: Apache-2.0
//
// The groups of one plane that stay on: sums over the groups that are on, by leaf, which say
// whether a group can be spared, and the search for a set of little power.
//
//   total(l)              what the groups that are on give leaf l, and its links to other leaves
//   total(l) - most(l)    what is left of it when the group fails that gives most
//
// Both must be at least what is needed of leaf l.
#pragma once

#include "ebb/consolidation/consolidation.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::consolidation {

class PlaneCover {
 public:
  PlaneCover(const Plane& plane, const std::vector<Need>& needs);

  // All groups together are enough. What follows takes that for granted.
  [[nodiscard]] bool is_possible() const { return is_enough(everything()); }

  // Groups and links of little power.
  [[nodiscard]] PlaneSelection search() const;

  // No choice of groups and links takes less power than this.
  [[nodiscard]] Power bound() const;

 private:
  using Groups = std::vector<std::size_t>;

  // What groups that are on give.
  struct Cover {
    std::vector<char> on;              // by group
    std::vector<std::int64_t> total;   // by leaf, bit/s
    std::vector<std::int64_t> most;    // by leaf: the largest share of one group ...
    std::vector<std::int64_t> second;  // ... and the largest of the others
  };

  [[nodiscard]] const std::int64_t* row(std::size_t group) const {
    return capacity_.data() + group * leaves_;
  }
  [[nodiscard]] Cover nothing() const;
  [[nodiscard]] Cover everything() const;
  void add(std::size_t group, Cover& cover) const;
  void remove(std::size_t group, Cover& cover) const;
  [[nodiscard]] bool can_spare(std::size_t group, const Cover& cover) const;
  [[nodiscard]] std::int64_t missing(std::size_t leaf, const Cover& cover) const;
  [[nodiscard]] bool is_enough(const Cover& cover) const;

  void prune(std::size_t kept, Cover& cover) const;
  [[nodiscard]] std::optional<std::size_t> most_useful(const Cover& cover,
                                                       std::size_t without) const;
  [[nodiscard]] bool fill(std::size_t without, Cover& cover) const;
  [[nodiscard]] std::optional<Cover> changed(std::size_t group, const Cover& from) const;
  void improve(Power least, Cover& cover) const;

  [[nodiscard]] Power power_of(const Cover& cover) const;
  [[nodiscard]] std::vector<std::uint32_t> links_of(std::size_t leaf, const Cover& cover) const;
  [[nodiscard]] std::size_t most_changes() const;

  [[nodiscard]] std::size_t fewest_groups(std::size_t leaf) const;
  [[nodiscard]] std::uint32_t fewest_links(std::size_t leaf) const;
  [[nodiscard]] Power least_for(std::size_t leaf) const;
  [[nodiscard]] Power fractional(const Groups& by_price, std::size_t leaf, std::int64_t at_most,
                                 std::int64_t need) const;
  void order_links();

  const Plane& plane_;
  const std::vector<Need>& needs_;
  std::size_t leaves_;
  bool single_links_ = true;            // every bundle has one link
  std::vector<std::int64_t> capacity_;  // by group, then leaf
  std::vector<std::int64_t> share_;     // the same, as a share of what the leaf needs, all at most
  std::vector<Power> price_;            // by group, with one link to each leaf
  Groups dearest_first_;                // by power for what it carries
  std::vector<Groups> dearest_links_;   // by leaf: by power of a link for its rate
};

}  // namespace ebb::consolidation
