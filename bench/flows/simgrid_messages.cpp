// SPDX-License-Identifier: Apache-2.0
//
// A list of messages on a network of SimGrid, for bench/flows/compare.py.
//
//   ebb_bench_simgrid fat-tree|dragonfly PARAMETERS MESSAGES.csv [--cfg=KEY:VALUE...]
//
// PARAMETERS is what a platform file of SimGrid has as topo_parameters, as 2;32,32;1,32;1,1. Links
// carry 40 Gb/s in each direction with a latency of 50 ns. One actor starts every message at its
// time and waits for none before the last is under way: no mailboxes, no actor per message.
// Detached messages would save the waiting, but SimGrid 3.32 does not tell when one of them has
// arrived.
//
// Prints the processor time of the simulation, without that of building the network, and the mean
// time of a message, as JSON.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::bench {
namespace {

namespace s4u = simgrid::s4u;

constexpr double kBytesPerSecond = 40e9 / 8;
constexpr double kLinkLatency = 50e-9;  // seconds
constexpr double kFlopPerSecond = 1e9;  // a host needs a speed, and computes nothing
constexpr double kPicosecond = 1e-12;   // seconds
constexpr const char* kHeader = "at_ps,source,destination,bytes";

struct Message {
  double at;  // seconds
  std::uint32_t source;
  std::uint32_t destination;
  std::uint64_t bytes;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return fields;
}

template <class Number>
Number number(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end)
    throw std::invalid_argument(fmt::format("'{}' is no whole number", text));
  return value;
}

// The numbers of `count` groups that semicolons separate, as 2;32,32;1,32;1,1.
std::vector<std::vector<unsigned>> groups_of(std::string_view parameters, std::size_t count) {
  std::vector<std::vector<unsigned>> groups;
  for (const std::string_view text : split(parameters, ';')) {
    auto& group = groups.emplace_back();
    for (const std::string_view field : split(text, ',')) group.push_back(number<unsigned>(field));
  }
  if (groups.size() != count)
    throw std::invalid_argument(fmt::format("'{}' must have {} groups", parameters, count));
  return groups;
}

std::pair<unsigned, unsigned> pair(const std::vector<unsigned>& group) {
  return {group.at(0), group.at(1)};
}

class Hosts {
 public:
  Hosts(std::string_view family, std::string_view parameters) {
    const s4u::ClusterCallbacks callbacks([this](s4u::NetZone* zone,
                                                 const std::vector<unsigned long>&,
                                                 unsigned long id) { return add(zone, id); });
    const auto groups = groups_of(parameters, 4);
    s4u::NetZone* const zone =
        family == "fat-tree" ? fat_tree(groups, callbacks) : dragonfly(groups, callbacks);
    zone->seal();
  }
  [[nodiscard]] s4u::Host* at(std::uint32_t number) const { return hosts_.at(number); }

 private:
  std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*> add(
      s4u::NetZone* zone, unsigned long id) {
    hosts_.push_back(zone->create_host(fmt::format("host-{}", id), kFlopPerSecond)->seal());
    return {hosts_.back()->get_netpoint(), nullptr};
  }
  static s4u::NetZone* fat_tree(const std::vector<std::vector<unsigned>>& groups,
                                const s4u::ClusterCallbacks& callbacks) {
    const s4u::FatTreeParams shape(groups[0].at(0), groups[1], groups[2], groups[3]);
    return s4u::create_fatTree_zone("network", nullptr, shape, callbacks, kBytesPerSecond,
                                    kLinkLatency, s4u::Link::SharingPolicy::SPLITDUPLEX);
  }
  static s4u::NetZone* dragonfly(const std::vector<std::vector<unsigned>>& groups,
                                 const s4u::ClusterCallbacks& callbacks) {
    const s4u::DragonflyParams shape(pair(groups[0]), pair(groups[1]), pair(groups[2]),
                                     groups[3].at(0));
    return s4u::create_dragonfly_zone("network", nullptr, shape, callbacks, kBytesPerSecond,
                                      kLinkLatency, s4u::Link::SharingPolicy::SPLITDUPLEX);
  }

  std::vector<s4u::Host*> hosts_;  // by number
};

// The list is in the order of time.
std::vector<Message> read_messages(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kHeader)
    throw std::invalid_argument(fmt::format("{}: the first line must be '{}'", path, kHeader));
  std::vector<Message> messages;
  while (std::getline(file, line)) {
    const auto fields = split(line, ',');
    messages.push_back({static_cast<double>(number<std::int64_t>(fields.at(0))) * kPicosecond,
                        number<std::uint32_t>(fields.at(1)), number<std::uint32_t>(fields.at(2)),
                        number<std::uint64_t>(fields.at(3))});
  }
  return messages;
}

// Runs in an actor. Returns the sum of the times from creation to the last byte, in seconds.
double send_all(const std::vector<Message>& messages, const Hosts& hosts) {
  std::vector<s4u::CommPtr> under_way;
  under_way.reserve(messages.size());
  for (const Message& message : messages) {
    s4u::this_actor::sleep_until(message.at);
    under_way.push_back(s4u::Comm::sendto_async(hosts.at(message.source),
                                                hosts.at(message.destination), message.bytes));
  }
  double sum = 0;
  for (std::size_t i = 0; i < under_way.size(); ++i) {
    under_way[i]->wait();
    sum += under_way[i]->get_finish_time() - messages[i].at;
  }
  return sum;
}

void run(const s4u::Engine& engine, const Hosts& hosts, const std::vector<Message>& messages) {
  double sum = 0;
  s4u::Actor::create("sender", hosts.at(0), [&] { sum = send_all(messages, hosts); });
  const std::clock_t begin = std::clock();
  engine.run();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print("{{\"messages\": {}, \"seconds\": {}, \"mean_us\": {}}}\n", messages.size(), seconds,
             1e6 * sum / static_cast<double>(messages.size()));
}

}  // namespace
}  // namespace ebb::bench

int main(int argc, char** argv) {
  const simgrid::s4u::Engine engine(&argc, argv);  // takes --cfg out of the arguments
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 3 || (arguments[0] != "fat-tree" && arguments[0] != "dragonfly")) {
    fmt::print(stderr,
               "usage: ebb_bench_simgrid fat-tree|dragonfly PARAMETERS MESSAGES.csv "
               "[--cfg=KEY:VALUE...]\n");
    return EXIT_FAILURE;
  }
  const ebb::bench::Hosts hosts(arguments[0], arguments[1]);
  ebb::bench::run(engine, hosts, ebb::bench::read_messages(arguments[2]));
  return EXIT_SUCCESS;
}
