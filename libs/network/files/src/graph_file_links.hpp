// SPDX-License-Identifier: Apache-2.0
//
// One link from its fields, checked alike whether they came from YAML or from CSV.
#pragma once

#include "graph_file_header.hpp"
#include "graph_file_nodes.hpp"

#include "ebb/files/document.hpp"
#include "ebb/topology/graph.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::files {

// In the order of the CSV columns; the first two must be given.
enum class LinkKey : std::uint8_t { a, b, medium, length, ladder };
inline constexpr std::array<std::string_view, 5> kLinkKeys = {"a", "b", "medium", "length",
                                                              "ladder"};
inline constexpr std::size_t kRequiredLinkKeys = 2;

struct LinkField {
  std::string_view text;  // empty: not given
  int line = 0;
  int column = 0;
};
using LinkFields = std::array<LinkField, kLinkKeys.size()>;

class LinkReader {
 public:
  // Both must outlive the reader.
  LinkReader(const GraphHeader& header, Diagnostics& errors);

  // Reads the next link; its complaints say "links[n]", n counting the calls. Links that were
  // refused are not in the result.
  void add(const LinkFields& fields);
  void add(const Value& link);

  void reserve(std::size_t links) { links_.reserve(links); }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }
  [[nodiscard]] std::vector<topology::Link> take() { return std::move(links_); }

 private:
  void report(LinkKey key, const LinkField& field, std::string message);
  std::optional<topology::NodeId> node(LinkKey key, const LinkField& field);
  std::optional<topology::Medium> medium(const LinkField& field);
  std::optional<std::uint32_t> length_mm(const LinkField& field);
  std::optional<std::uint8_t> ladder(const LinkField& field);
  bool may_join(topology::NodeId a, topology::NodeId b, const LinkField& at);

  const GraphHeader* header_;
  Diagnostics* errors_;
  NodeTable nodes_;
  std::vector<topology::Link> links_;
  std::size_t number_ = 0;
  bool stopped_ = false;  // nothing more can be kept or reported
};

}  // namespace ebb::files
