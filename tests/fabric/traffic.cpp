// SPDX-License-Identifier: Apache-2.0
//
// Traffic between hosts of a test fabric, and what became of it, as JSON: numbered UDP datagrams at
// a fixed rate for each pair (lost, reordered, twice, the longest silence, latencies), and TCP
// transfers whose content is checked. Both ends are in this process, so one clock times them.
//
//   traffic --namespaces ebb-tour --pair h0:h5:10.0.1.1 --rate 2000 --seconds 5
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <netinet/in.h>
#include <numeric>
#include <poll.h>
#include <queue>
#include <random>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

std::atomic<bool> stopped{false};

std::int64_t nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

[[noreturn]] void give_up(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// Nobody waits for ever for a transfer.
void set_timeout(int socket) {
  const timeval timeout{30, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

// A socket stays in the namespace in which it was made.
int socket_in(const std::string& space, int type) {
  int made = -1;
  std::string problem;
  std::thread maker([&] {
    const int file = ::open(("/var/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || ::setns(file, CLONE_NEWNET) < 0) {
      problem = space + ": " + std::strerror(errno);
      return;
    }
    ::close(file);
    made = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
  });
  maker.join();
  if (made < 0) throw std::runtime_error(problem.empty() ? "socket" : problem);
  return made;
}

sockaddr_in address(const std::string& ip, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  if (::inet_pton(AF_INET, ip.c_str(), &result.sin_addr) != 1)
    throw std::runtime_error(ip + " is no IP address");
  return result;
}

struct Pair {
  std::string from;
  std::string to;
  std::string ip;  // of `to`
};

Pair pair_of(const std::string& text) {
  const auto first = text.find(':');
  const auto second = text.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    throw std::runtime_error(text + ": FROM:TO:IP was expected");
  return {text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(second + 1)};
}

struct Datagram {
  std::uint64_t number;
  std::int64_t sent_at;  // ns
};

struct Stream {
  Pair pair;
  int out = -1;
  int in = -1;
  sockaddr_in to{};
  std::uint64_t sent = 0;
  std::vector<bool> seen;
  std::uint64_t received = 0;
  std::uint64_t twice = 0;
  std::uint64_t reordered = 0;
  std::uint64_t highest = 0;
  std::int64_t last_at = 0;
  std::int64_t longest_silence = 0;
  std::vector<std::int64_t> latencies;  // ns
};

void open_stream(const std::string& prefix, std::uint16_t port, Stream& stream) {
  stream.to = address(stream.pair.ip, port);
  stream.out = socket_in(prefix + "-" + stream.pair.from, SOCK_DGRAM);
  stream.in = socket_in(prefix + "-" + stream.pair.to, SOCK_DGRAM);
  const int room = 4 << 20;
  ::setsockopt(stream.in, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (::bind(stream.in, reinterpret_cast<const sockaddr*>(&stream.to), sizeof stream.to) < 0)
    give_up(stream.pair.to + ": bind");
}

void take(Stream& stream, const Datagram& got) {
  const std::int64_t now = nanoseconds_now();
  if (got.number >= stream.seen.size()) stream.seen.resize(2 * got.number + 1024);
  if (stream.seen[got.number]) {
    ++stream.twice;
    return;
  }
  stream.seen[got.number] = true;
  if (got.number < stream.highest) ++stream.reordered;
  stream.highest = std::max(stream.highest, got.number);
  if (stream.received > 0)
    stream.longest_silence = std::max(stream.longest_silence, now - stream.last_at);
  stream.last_at = now;
  ++stream.received;
  stream.latencies.push_back(now - got.sent_at);
}

bool all_came(const std::vector<Stream>& streams) {
  return std::all_of(streams.begin(), streams.end(),
                     [](const Stream& stream) { return stream.received >= stream.sent; });
}

// Until `done` and then until nothing has come for a second; while some are missing, for five: on a
// busy machine software switches have kept datagrams for two.
void receive_all(std::vector<Stream>& streams, const std::atomic<bool>& done) {
  std::vector<pollfd> waits;
  for (const Stream& stream : streams) waits.push_back({stream.in, POLLIN, 0});
  while (true) {
    const bool over = done;  // then nobody changes what was sent
    const int timeout = !over ? 50 : all_came(streams) ? 1000 : 5000;
    const int ready = ::poll(waits.data(), waits.size(), timeout);
    if (ready == 0 && over) return;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if ((waits[i].revents & POLLIN) == 0) continue;
      Datagram got{};
      while (::recv(waits[i].fd, &got, sizeof got, MSG_DONTWAIT | MSG_TRUNC) >=
             static_cast<ssize_t>(sizeof got))
        take(streams[i], got);
    }
  }
}

void send_one(Stream& stream, std::uint64_t number, std::vector<std::byte>& buffer) {
  const Datagram datagram{number, nanoseconds_now()};
  std::memcpy(buffer.data(), &datagram, sizeof datagram);
  // What the own interface refuses was never in the network.
  if (::sendto(stream.out, buffer.data(), buffer.size(), 0,
               reinterpret_cast<const sockaddr*>(&stream.to), sizeof stream.to) > 0)
    ++stream.sent;
}

// When datagrams are due. One that is late by more than a few milliseconds moves all that follow:
// sent at once, to catch up, they would fill the buffers of switches.
class Schedule {
 public:
  void wait_until(double seconds) {
    const auto due = begin_ + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(seconds));
    std::this_thread::sleep_until(due);
    const Clock::duration late = Clock::now() - due;
    latest_ = std::max<std::chrono::nanoseconds>(latest_, late);
    if (late > kMovesTheRest) begin_ += late;
  }
  // By how much the latest was late, in ns: then this machine had no processor for it, and perhaps
  // none for the switches.
  [[nodiscard]] std::int64_t latest() const { return latest_.count(); }

 private:
  static constexpr std::chrono::milliseconds kMovesTheRest{5};
  Clock::time_point begin_ = Clock::now();
  std::chrono::nanoseconds latest_{};
};

// Gives by how much the latest datagram was late, in ns.
std::int64_t send_all(std::vector<Stream>& streams, double rate, std::size_t bytes,
                      double seconds) {
  std::vector<std::byte> buffer(std::max(bytes, sizeof(Datagram)));
  const auto count = static_cast<std::uint64_t>(seconds * rate);
  Schedule schedule;
  for (std::uint64_t number = 0; number < count && !stopped; ++number) {
    schedule.wait_until(static_cast<double>(number) / rate);
    for (Stream& stream : streams) send_one(stream, number, buffer);
  }
  return schedule.latest();
}

// The same, each pair at random times of its own (Poisson), which are the same in every run.
std::int64_t send_at_random(std::vector<Stream>& streams, double rate, std::size_t bytes,
                            double seconds) {
  std::vector<std::byte> buffer(std::max(bytes, sizeof(Datagram)));
  std::mt19937_64 random(1);
  std::exponential_distribution<double> gap(rate);
  struct Next {
    double at = 0;  // seconds
    std::size_t stream = 0;
    std::uint64_t number = 0;
    bool operator>(const Next& other) const { return at > other.at; }
  };
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  for (std::size_t i = 0; i < streams.size(); ++i) next.push({gap(random), i, 0});
  Schedule schedule;
  while (!next.empty() && !stopped) {
    Next one = next.top();
    next.pop();
    if (one.at >= seconds) continue;
    schedule.wait_until(one.at);
    send_one(streams[one.stream], one.number, buffer);
    next.push({one.at + gap(random), one.stream, one.number + 1});
  }
  return schedule.latest();
}

double percentile(const std::vector<std::int64_t>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
  return static_cast<double>(sorted[at]) / 1e6;
}

// When the first few that did not arrive were sent, in seconds from the start.
Json lost_at(const Stream& stream, double rate) {
  constexpr std::size_t kShown = 20;
  Json times = Json::array();
  for (std::uint64_t number = 0; number < stream.sent && times.size() < kShown; ++number) {
    if (number >= stream.seen.size() || !stream.seen[number])
      times.push_back(static_cast<double>(number) / rate);
  }
  return times;
}

Json latency_of_all(const std::vector<Stream>& streams) {
  std::vector<std::int64_t> all;
  for (const Stream& stream : streams)
    all.insert(all.end(), stream.latencies.begin(), stream.latencies.end());
  std::sort(all.begin(), all.end());
  const auto sum = std::accumulate(all.begin(), all.end(), 0.0);
  return {{"mean", all.empty() ? 0.0 : sum / 1e6 / static_cast<double>(all.size())},
          {"p50", percentile(all, 0.5)},
          {"p99", percentile(all, 0.99)},
          {"max", percentile(all, 1)}};
}

Json report(Stream& stream, double rate) {
  std::sort(stream.latencies.begin(), stream.latencies.end());
  return {{"from", stream.pair.from},
          {"to", stream.pair.to},
          {"sent", stream.sent},
          {"received", stream.received},
          {"lost", stream.sent - stream.received},
          {"lost_at_s", lost_at(stream, rate)},
          {"twice", stream.twice},
          {"reordered", stream.reordered},
          {"longest_silence_ms", static_cast<double>(stream.longest_silence) / 1e6},
          {"latency_ms",
           {{"p50", percentile(stream.latencies, 0.5)},
            {"p99", percentile(stream.latencies, 0.99)},
            {"max", percentile(stream.latencies, 1)}}}};
}

// The content of a transfer: every 8 bytes say where they are.
void fill(std::vector<std::uint64_t>& block, std::uint64_t first) {
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = (first + i) * 0x9E3779B97F4A7C15U;
}

constexpr std::size_t kBlock = 8192;  // numbers

void send_content(int socket, std::uint64_t blocks) {
  std::vector<std::uint64_t> block(kBlock);
  for (std::uint64_t number = 0; number < blocks; ++number) {
    fill(block, number * kBlock);
    const auto* at = reinterpret_cast<const char*>(block.data());
    for (std::size_t left = kBlock * 8; left > 0;) {
      const ssize_t sent = ::send(socket, at, left, MSG_NOSIGNAL);
      if (sent <= 0) return;
      at += sent;
      left -= static_cast<std::size_t>(sent);
    }
  }
  ::shutdown(socket, SHUT_WR);
}

// Bytes that arrived as they were sent.
std::uint64_t read_content(int socket, std::uint64_t blocks) {
  std::vector<std::uint64_t> block(kBlock);
  std::vector<std::uint64_t> wanted(kBlock);
  for (std::uint64_t number = 0; number < blocks; ++number) {
    auto* at = reinterpret_cast<char*>(block.data());
    for (std::size_t left = kBlock * 8; left > 0;) {
      const ssize_t got = ::recv(socket, at, left, 0);
      if (got <= 0) return number * kBlock * 8;
      at += got;
      left -= static_cast<std::size_t>(got);
    }
    fill(wanted, number * kBlock);
    if (block != wanted) return number * kBlock * 8;
  }
  return blocks * kBlock * 8;
}

Json transfer(const std::string& prefix, const Pair& pair, std::uint16_t port,
              std::uint64_t megabytes) {
  const int listener = socket_in(prefix + "-" + pair.to, SOCK_STREAM);
  const sockaddr_in to = address(pair.ip, port);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&to), sizeof to) < 0 ||
      ::listen(listener, 1) < 0)
    give_up(pair.to + ": listen");
  const std::uint64_t blocks = (megabytes << 20U) / (kBlock * 8);
  std::uint64_t good = 0;
  const auto begin = Clock::now();
  std::thread server([&] {
    const int taken = ::accept(listener, nullptr, nullptr);
    set_timeout(taken);
    if (taken >= 0) good = read_content(taken, blocks);
    ::close(taken);
  });
  const int client = socket_in(prefix + "-" + pair.from, SOCK_STREAM);
  set_timeout(client);
  set_timeout(listener);
  // Slower than any link: a transfer that fills queues would make datagrams be lost by itself.
  const std::uint32_t bytes_per_second = 1'000'000;
  ::setsockopt(client, SOL_SOCKET, SO_MAX_PACING_RATE, &bytes_per_second, sizeof bytes_per_second);
  if (::connect(client, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
    send_content(client, blocks);
  } else {
    ::shutdown(listener, SHUT_RDWR);
  }
  server.join();
  ::close(client);
  ::close(listener);
  const std::chrono::duration<double> time = Clock::now() - begin;
  return {{"from", pair.from},
          {"to", pair.to},
          {"bytes", blocks * kBlock * 8},
          {"right", good},
          {"seconds", time.count()}};
}

struct Options {
  std::string prefix;
  std::vector<std::string> pairs;
  std::vector<std::string> transfers;
  double rate = 1000;
  double seconds = 1;
  std::size_t bytes = 64;
  std::uint16_t port = 20000;
  std::uint64_t megabytes = 4;
  bool at_random = false;
};

Json run(const Options& options) {
  std::vector<Stream> streams;
  for (const std::string& text : options.pairs) {
    streams.push_back({.pair = pair_of(text)});
    open_stream(options.prefix, static_cast<std::uint16_t>(options.port + streams.size()),
                streams.back());
  }
  std::vector<Json> transferred(options.transfers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < options.transfers.size(); ++i) {
    threads.emplace_back([&, i] {
      transferred[i] = transfer(options.prefix, pair_of(options.transfers[i]),
                                static_cast<std::uint16_t>(30000 + i), options.megabytes);
    });
  }
  std::atomic<bool> done{false};
  std::thread receiver([&] { receive_all(streams, done); });
  const auto send = options.at_random ? send_at_random : send_all;
  const std::int64_t latest = send(streams, options.rate, options.bytes, options.seconds);
  done = true;
  receiver.join();
  for (std::thread& thread : threads) thread.join();
  Json result = {{"late_ms", static_cast<double>(latest) / 1e6},
                 {"latency_ms", latency_of_all(streams)},
                 {"streams", Json::array()},
                 {"transfers", transferred}};
  std::uint64_t sent = 0;
  std::uint64_t lost = 0;
  for (Stream& stream : streams) {
    result["streams"].push_back(report(stream, options.rate));
    sent += stream.sent;
    lost += stream.sent - stream.received;
  }
  result["sent"] = sent;
  result["lost"] = lost;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("traffic between hosts of a test fabric");
  Options options;
  app.add_option("--namespaces", options.prefix, "How their names begin")->required();
  app.add_option("--pair", options.pairs, "FROM:TO:IP of TO; datagrams");
  app.add_option("--tcp", options.transfers, "FROM:TO:IP of TO; a transfer");
  app.add_option("--rate", options.rate, "Datagrams a second, each pair");
  app.add_flag("--poisson", options.at_random, "At random times instead of equal intervals");
  app.add_option("--seconds", options.seconds, "How long");
  app.add_option("--bytes", options.bytes, "Of a datagram")->check(CLI::Range(16, 1400));
  app.add_option("--port", options.port, "Of the first pair, less one");
  app.add_option("--megabytes", options.megabytes, "Of each transfer");
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGTERM, [](int) { stopped = true; });
  std::signal(SIGINT, [](int) { stopped = true; });
  try {
    fmt::print("{}\n", run(options).dump(2));
  } catch (const std::exception& problem) {
    fmt::print(stderr, "error: {}\n", problem.what());
    return 3;
  }
  return 0;
}
