// SPDX-License-Identifier: Apache-2.0
#include "job_hosts.hpp"

#include "ebb/core/random.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ebb::config {
namespace {

constexpr std::size_t kLargestHostsFile = std::size_t{64} << 20U;

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::uint32_t> HostPool::free() const {
  std::vector<std::uint32_t> hosts;
  hosts.reserve(taken_.size());
  for (std::uint32_t host = 0; host < taken_.size(); ++host) {
    if (!taken_[host]) hosts.push_back(host);
  }
  return hosts;
}

// Every order is as likely as any other.
void HostPool::shuffle(std::vector<std::uint32_t>& list) const {
  RandomStream random(seed_, "hosts of jobs");
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
}

void HostPool::gather_racks(std::vector<std::uint32_t>& hosts) const {
  std::vector<std::uint32_t> order(graph_.switch_count());
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order);
  std::vector<std::uint32_t> turn(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) turn[order[i]] = i;
  const auto turn_of = [&](std::uint32_t host) {
    const auto channel = graph_.outputs(graph_.host_node(host)).front();
    return turn[index(graph_.target(channel))];
  };
  std::ranges::stable_sort(hosts, {}, turn_of);
}

Result<std::vector<std::uint32_t>> HostPool::take(const JobSpec& job, std::uint32_t ranks) {
  auto hosts = places_by_rule(job) ? Result<std::vector<std::uint32_t>>(free())
                                   : from_file(job.hosts, ranks);
  if (!hosts) return hosts;
  if (hosts->size() < ranks)
    return fail(fmt::format("has {} ranks, and {} hosts are left", ranks, hosts->size()));
  if (job.hosts == "random") shuffle(*hosts);
  if (job.hosts == "by-rack") gather_racks(*hosts);
  hosts->resize(ranks);
  for (const std::uint32_t host : *hosts) taken_[host] = true;
  return hosts;
}

Result<std::vector<std::uint32_t>> HostPool::from_file(const std::string& path,
                                                       std::uint32_t ranks) {
  auto text = files::read_file(path, kLargestHostsFile);
  if (!text) {
    return fail(fmt::format("hosts: '{}' is neither linear, random or by-rack nor a file: {}",
                            shown(path), text.error().front().message));
  }
  std::unordered_map<std::string, std::uint32_t> named;
  for (std::uint32_t host = 0; host < graph_.hosts_of_plane(); ++host)
    named.emplace(graph_.name(graph_.host_node(host)), host);
  std::vector<std::uint32_t> hosts;
  TextLines lines(*text, path);
  while (lines.next()) {
    const std::string word(lines.line());
    const auto by_name = named.find(word);
    const auto host = by_name != named.end() ? std::optional(by_name->second) : number_in(word);
    if (!host || *host >= graph_.hosts_of_plane()) {
      lines.report(fmt::format("'{}' is no host: there are {}, from 0 on", shown(word),
                               graph_.hosts_of_plane()));
    } else if (taken_[*host]) {
      lines.report(fmt::format("host {} is taken by another job", *host));
    } else {
      hosts.push_back(*host);
    }
  }
  if (lines.has_errors()) return fail(lines.take_errors());
  if (hosts.size() != ranks) {
    return fail(fmt::format("names {} hosts for a program of {} ranks", hosts.size(), ranks),
                {path});
  }
  return hosts;
}

}  // namespace ebb::config
