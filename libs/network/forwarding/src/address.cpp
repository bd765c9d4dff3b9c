// SPDX-License-Identifier: Apache-2.0

#include "ebb/forwarding/address.hpp"

#include "layout.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"
#include "ebb/topology/rails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace ebb::forwarding {
namespace {

using topology::Graph;

// For values 0 .. values-1; a single one needs none.
int bits_for(std::uint64_t values) { return values < 2 ? 0 : std::bit_width(values - 1); }

bool same_ends(const topology::Link& one, const topology::Link& other) {
  return one.a == other.a && one.b == other.b;
}

std::vector<Digit> coordinates(const Graph& graph) {
  std::vector<Digit> digits;
  const Parameters parameters = parameters_of(graph);
  for (const std::int64_t k : parameters.list("dims"))
    digits.push_back({fmt::format("x{}", digits.size() + 1), static_cast<std::uint64_t>(k)});
  return digits;
}

std::vector<Digit> switch_and_group(const Graph& graph, std::uint64_t switches) {
  const auto a = static_cast<std::uint64_t>(parameters_of(graph).integer("a"));
  return {{"switch", a}, {"group", switches / a}};
}

// Blocks of the levels between the first and the last have half of the ports for sub-blocks; the
// last level joins whatever there is.
std::vector<Digit> blocks(const Parameters& parameters, std::uint64_t leaves) {
  constexpr const char* kNames[] = {"leaf", "pod", "block"};
  const auto half = static_cast<std::uint64_t>(parameters.integer("ports") / 2);
  std::vector<Digit> digits;
  std::uint64_t rest = leaves;
  for (std::int64_t level = 2; level < parameters.integer("levels"); ++level) {
    digits.push_back({kNames[digits.size()], std::min(half, rest)});
    rest = (rest + half - 1) / half;
  }
  digits.push_back({kNames[digits.size()], rest});
  return digits;
}

}  // namespace

bool is_grid(const Graph& graph) {
  const std::string& family = graph.origin().family;
  return family == "fbfly" || family == "mesh" || family == "torus";
}

std::vector<Digit> layout(const Graph& graph, std::uint64_t access_switches) {
  if (is_grid(graph)) return coordinates(graph);
  if (graph.origin().family == "dragonfly") return switch_and_group(graph, access_switches);
  if (const auto clos = topology::clos_parameters(graph.origin()))
    return blocks(*clos, access_switches);
  return {{"switch", access_switches}};
}

Result<std::vector<Field>> fields_for(std::uint64_t most_hosts, const std::vector<Digit>& digits) {
  std::vector<Field> fields = {{"host", 0, bits_for(most_hosts)}};
  for (const Digit& digit : digits) {
    const Field& below = fields.back();
    fields.push_back({digit.name, below.shift + below.bits, bits_for(digit.radix)});
  }
  const int bits = fields.back().shift + fields.back().bits;
  if (bits <= kAddressBits) return fields;
  std::string widths;
  for (const Field& field : fields)
    widths += fmt::format("{}{} {}", widths.empty() ? "" : ", ", field.name, field.bits);
  return fail(fmt::format("addresses would need {} bits ({}); a MAC address has {}", bits, widths,
                          kAddressBits));
}

Result<void> check_origin(const Graph& graph) {
  const topology::Origin& origin = graph.origin();
  const bool clos = topology::clos_parameters(origin).has_value();
  if (!is_grid(graph) && origin.family != "dragonfly" && !clos) return {};
  const auto made = topology::build(origin.family, origin.parameters, graph.rate_tables().front());
  if (!made) return fail(made.error());
  const auto ours = graph.links();
  const auto theirs = made->links();
  const bool same = graph.switch_count() == made->switch_count() &&
                    graph.host_count() == made->host_count() &&
                    std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), same_ends);
  if (same) return {};
  return fail(
      fmt::format("the links are not those of a {} with the parameters that the graph names; "
                  "without a family in the file its switches get plain numbers",
                  origin.family));
}

Parameters parameters_of(const Graph& graph) {
  const topology::Family& family = *topology::find_family(graph.origin().family).value();
  return Parameters::resolve(family.parameters, graph.origin().parameters).value();
}

namespace {

using topology::Graph;

constexpr int kLowBits = 40;  // of the octets after the first, which has the two fixed bits
constexpr std::uint64_t kLowMask = (std::uint64_t{1} << kLowBits) - 1;
constexpr std::uint64_t kLocallyAdministered = std::uint64_t{2} << kLowBits;

// Host numbers count through the hosts of a switch.
std::vector<std::uint32_t> hosts_by_switch(const Graph& graph,
                                           std::span<const std::uint32_t> switch_of) {
  std::vector<std::uint32_t> count(graph.switch_count());
  for (const std::uint32_t s : switch_of) ++count[s];
  return count;
}

std::vector<std::uint32_t> access_switches_of(const Graph& graph) {
  std::vector<std::uint32_t> switches;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h)
    switches.push_back(index(graph.target(graph.outputs(graph.host_node(h)).front())));
  return switches;
}

Address address_of(std::uint64_t number, const std::vector<Digit>& digits,
                   std::span<const Field> fields) {
  Address address = 0;
  for (std::size_t d = 0; d < digits.size(); ++d) {
    const bool last = d + 1 == digits.size();
    address |= fields[d + 1].place(last ? number : number % digits[d].radix);
    number /= digits[d].radix;
  }
  return address;
}

}  // namespace

// The bits of the first octet stand above the two that are fixed.
Mac mac_of(Address address) {
  return Mac{(address >> kLowBits << (kLowBits + 2)) | kLocallyAdministered | (address & kLowMask)};
}

std::uint64_t mac_mask(Address mask) {
  return (mask >> kLowBits << (kLowBits + 2)) | (mask & kLowMask);
}

std::string to_text(Mac mac) {
  const auto bits = static_cast<std::uint64_t>(mac);
  std::string text;
  for (int shift = kLowBits; shift >= 0; shift -= 8)
    text += fmt::format("{}{:02x}", text.empty() ? "" : ":", (bits >> shift) & 0xff);
  return text;
}

Result<AddressPlan> AddressPlan::make(const Graph& graph) {
  if (graph.planes() > 1) {
    return fail(
        "each plane has the addresses and tables of a network of its own: make them of one");
  }
  if (Errors errors = topology::check(graph); !errors.empty()) return fail(std::move(errors));
  if (const auto origin = check_origin(graph); !origin) return fail(origin.error());
  AddressPlan plan;
  plan.switch_of_ = access_switches_of(graph);
  std::vector<std::uint32_t> hosts = hosts_by_switch(graph, plan.switch_of_);
  for (std::uint32_t s = 0; s < hosts.size(); ++s) {
    if (hosts[s] > 0) plan.access_switches_.push_back(s);
    plan.most_hosts_ = std::max(plan.most_hosts_, hosts[s]);
  }
  const std::vector<Digit> digits = layout(graph, plan.access_switches_.size());
  auto fields = fields_for(plan.most_hosts_, digits);
  if (!fields) return fail(fields.error());
  plan.fields_ = std::move(*fields);
  plan.group_mask_ = plan.switch_mask() & ~plan.fields_[1].mask();
  plan.of_switch_.assign(graph.switch_count(), 0);
  for (std::size_t i = 0; i < plan.access_switches_.size(); ++i)
    plan.of_switch_[plan.access_switches_[i]] = address_of(i, digits, plan.fields_);
  plan.number_hosts();
  return plan;
}

void AddressPlan::number_hosts() {
  std::vector<std::uint32_t> next(of_switch_.size());
  for (const std::uint32_t s : switch_of_) of_host_.push_back(of_switch_[s] | next[s]++);
  by_address_.resize(of_host_.size());
  std::iota(by_address_.begin(), by_address_.end(), 0U);
  std::sort(by_address_.begin(), by_address_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return of_host_[a] < of_host_[b]; });
}

int AddressPlan::bits() const { return fields_.back().shift + fields_.back().bits; }

Address AddressPlan::of_switch(std::uint32_t access_switch) const {
  return of_switch_[access_switch];
}

std::optional<std::uint32_t> AddressPlan::host_at(Address address) const {
  const auto found = std::lower_bound(
      by_address_.begin(), by_address_.end(), address,
      [this](std::uint32_t host, Address wanted) { return of_host_[host] < wanted; });
  if (found == by_address_.end() || of_host_[*found] != address) return std::nullopt;
  return *found;
}

Address AddressPlan::switch_mask() const {
  return ((Address{1} << bits()) - 1) & ~fields_.front().mask();
}

}  // namespace ebb::forwarding
