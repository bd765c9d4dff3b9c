// SPDX-License-Identifier: Apache-2.0
//
// The steps in which a graph file is read: split the text into YAML and CSV, read the header,
// resolve names of nodes, read each link, check the whole.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/topology/graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ebb::files {

// The two parts of a file that may end in CSV.
struct FileParts {
  std::string_view yaml;
  std::string_view csv;  // what follows the line `...`
  int csv_line = 0;      // the number of that line; 0 without one
};
[[nodiscard]] FileParts split_at_document_end(std::string_view text);

// The YAML part's root, or nothing (reported).
[[nodiscard]] std::optional<Value> read_yaml_part(const FileParts& parts, Diagnostics& errors);

[[nodiscard]] Result<topology::Graph> graph_from(const Value& root, const FileParts& parts,
                                                 Diagnostics& errors);

// Large enough for the 256 million links that ebb holds.
inline constexpr std::size_t kMostGraphBytes = std::size_t{16} << 30U;

// The YAML part of a graph file: everything but the links.
struct Place {
  int line = 0;
  int column = 0;
};

struct GraphHeader {
  std::uint32_t switches = 0;
  std::uint32_t hosts = 0;
  std::vector<std::string> names;  // one per node when a list of names was given, or none
  Place switches_at;
  Place hosts_at;
  bool nodes_known = false;  // false: the node lists were refused, so links cannot be checked
  std::vector<topology::RateTable> rate_tables;
  std::size_t rate_table_count = 0;  // as written, sound or not, so that links can be checked
  std::uint32_t chips_per_box = 1;
  topology::Origin origin{"imported", {}};
  std::optional<Value> links;
};

// Reports every mistake; what could be understood is filled in.
[[nodiscard]] GraphHeader read_graph_header(const Value& root, Diagnostics& errors);

// From the text of a link's end to a node: "s12", "h7" or a name from the file's own lists. "s12"
// and "h7" address nodes by number whatever their names are. "s012" is not of that form.
struct NumberedNode {
  bool is_host = false;
  std::uint64_t number = 0;
};
[[nodiscard]] std::optional<NumberedNode> numbered_node(std::string_view text);

// What a name must be for YAML and CSV to carry it unescaped; empty when it is fine.
[[nodiscard]] std::string name_error(std::string_view name);

// Lookups make no copies. `names` (one per node, or none) must outlive the table.
class NodeTable {
 public:
  NodeTable(std::uint32_t switches, std::uint32_t hosts, std::span<const std::string> names);

  [[nodiscard]] bool is_host(topology::NodeId node) const { return index(node) >= switches_; }
  [[nodiscard]] std::optional<topology::NodeId> find(std::string_view text) const;
  [[nodiscard]] std::string name(topology::NodeId node) const;
  // The message for a text that find() does not know.
  [[nodiscard]] std::string unknown(std::string_view text) const;

 private:
  [[nodiscard]] std::string numbers_in_use() const;

  std::uint32_t switches_;
  std::uint32_t hosts_;
  std::span<const std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

// One link from its fields, checked alike whether they came from YAML or from CSV.

// In the order of the CSV columns; the first two must be given.
enum class LinkKey : std::uint8_t { a, b, medium, length, rate_table };
inline constexpr std::array<std::string_view, 5> kLinkKeys = {"a", "b", "medium", "length",
                                                              "rate_table"};
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

  // Reads the next link; its errors say "links[n]", n counting the calls. Links that were
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
  std::optional<std::uint8_t> rate_table(const LinkField& field);
  bool may_join(topology::NodeId a, topology::NodeId b, const LinkField& at);

  const GraphHeader* header_;
  Diagnostics* errors_;
  NodeTable nodes_;
  std::vector<topology::Link> links_;
  std::size_t number_ = 0;
  bool stopped_ = false;  // nothing more can be kept or reported
};

// The CSV part of a graph file: a header line, then one link per line.

// True when there is anything but blank lines and comments.
[[nodiscard]] bool has_csv(std::string_view text);

// `line` is the number of the last line before `text`. No string is made for a line that is right.
void read_csv_links(std::string_view text, int line, LinkReader& links, Diagnostics& errors);

// What can only be said about a whole graph: every node has a link, and one can go from any node
// to any other.

// Errors are placed at the list of the nodes they are about.
void check_structure(const GraphHeader& header, const NodeTable& nodes,
                     std::span<const topology::Link> links, Diagnostics& errors);

}  // namespace ebb::files
