// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/burstiness.hpp"

#include "ebb/traffic/workload.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <span>
#include <utility>

namespace ebb::traffic {

// Counts of one direction of host links in windows of one length, host by host.
class WindowTally {
 public:
  explicit WindowTally(Duration window) : window_(window) {}

  // Of one host, by window: busy time in picoseconds, bits created.
  void add(std::span<const std::int64_t> busy, std::span<const std::int64_t> created);

  // `mean_size` in bits.
  [[nodiscard]] WindowUse use(double mean_size) const;

 private:
  static constexpr std::int64_t kBins = 1000;
  [[nodiscard]] double quantile(double share) const;

  Duration window_;
  std::array<std::int64_t, kBins + 1> seen_{};  // windows by thousandths of busy time
  std::int64_t windows_ = 0;
  std::int64_t idle_ = 0;
  std::int64_t most_ = 0;  // ps
  double busy_ = 0;        // ps
  double variances_ = 0;   // of created data, sum over hosts
  double means_ = 0;
};

void WindowTally::add(std::span<const std::int64_t> busy, std::span<const std::int64_t> created) {
  for (const std::int64_t time : busy) {
    ++seen_[static_cast<std::size_t>(time * kBins / window_.count())];
    idle_ += time == 0 ? 1 : 0;
    most_ = std::max(most_, time);
    busy_ += static_cast<double>(time);
  }
  const auto count = static_cast<double>(created.size());
  windows_ += static_cast<std::int64_t>(busy.size());
  double sum = 0;
  for (const std::int64_t data : created) sum += static_cast<double>(data);
  double squares = 0;
  for (const std::int64_t data : created) {
    const double off = static_cast<double>(data) - sum / count;
    squares += off * off;
  }
  means_ += sum / count;
  if (count > 1) variances_ += squares / (count - 1);
}

double WindowTally::quantile(double share) const {
  const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(windows_ - 1));
  std::int64_t below = 0;
  for (std::size_t bin = 0; bin < seen_.size(); ++bin) {
    below += seen_[bin];
    if (below > wanted) return static_cast<double>(bin) / kBins;
  }
  return 1;
}

WindowUse WindowTally::use(double mean_size) const {
  if (windows_ == 0) return {};
  const auto count = static_cast<double>(windows_);
  const auto length = static_cast<double>(window_.count());
  WindowUse use;
  use.mean = busy_ / count / length;
  use.p50 = quantile(0.5);
  use.p99 = quantile(0.99);
  use.most = static_cast<double>(most_) / length;
  use.idle = static_cast<double>(idle_) / count;
  if (means_ > 0) use.dispersion = variances_ / means_ / mean_size;
  return use;
}

namespace {

using namespace std::chrono_literals;

constexpr Duration kShortest = 10us;
constexpr std::array<std::int64_t, 3> kShortestPerWindow = {1, 10, 100};
constexpr Duration kLongest = 10s;  // a million of the shortest windows

// What one direction of one host link has to send, by the shortest windows.
struct Direction {
  explicit Direction(std::size_t windows) : busy(windows), created(windows) {}

  std::vector<std::int64_t> busy;     // ps
  std::vector<std::int64_t> created;  // bit
  TimePoint free;                     // when all so far is sent

  // In the order of births.
  void send(TimePoint at, DataSize size, DataRate rate) {
    const std::size_t window = window_of(at);
    if (window < created.size()) created[window] += size.count();
    TimePoint from = std::max(at, free);
    free = from + serialization_time(size, rate);
    for (std::size_t w = window_of(from); from < free && w < busy.size(); ++w) {
      const TimePoint end = std::min(free, TimePoint(static_cast<std::int64_t>(w + 1) * kShortest));
      busy[w] += (end - from).count();
      from = end;
    }
  }

 private:
  static std::size_t window_of(TimePoint at) {
    return static_cast<std::size_t>(at.time_since_epoch() / kShortest);
  }
};

// Of `per_window` short windows each; those that do not fill one are left out.
std::vector<std::int64_t> joined(std::span<const std::int64_t> shortest, std::int64_t per_window) {
  std::vector<std::int64_t> sums;
  const auto step = static_cast<std::size_t>(per_window);
  for (std::size_t i = 0; i + step <= shortest.size(); i += step) {
    const auto part = shortest.subspan(i, step);
    sums.push_back(std::accumulate(part.begin(), part.end(), std::int64_t{0}));
  }
  return sums;
}

// Windows of one length.
class Scale {
 public:
  explicit Scale(std::int64_t per_window)
      : per_window_(per_window), out_(per_window * kShortest), in_(per_window * kShortest) {}

  void add(const Direction& out, const Direction& in) {
    const auto busy_out = joined(out.busy, per_window_);
    const auto busy_in = joined(in.busy, per_window_);
    out_.add(busy_out, joined(out.created, per_window_));
    in_.add(busy_in, joined(in.created, per_window_));
    for (std::size_t w = 0; w < busy_out.size(); ++w) {
      apart_ += static_cast<double>(std::abs(busy_out[w] - busy_in[w]));
      together_ += static_cast<double>(busy_out[w] + busy_in[w]);
    }
  }

  [[nodiscard]] WindowSeen seen(double mean_size) const {
    return {per_window_ * kShortest, out_.use(mean_size), in_.use(mean_size),
            together_ > 0 ? apart_ / together_ : 0};
  }

 private:
  std::int64_t per_window_;
  WindowTally out_;
  WindowTally in_;
  double apart_ = 0;
  double together_ = 0;
};

void describe_sizes(const std::vector<Message>& messages, Burstiness& result) {
  std::vector<std::int64_t> sizes;
  double sum = 0;
  double squares = 0;
  for (const Message& message : messages) {
    sizes.push_back(message.size.count() / 8);
    const auto size = static_cast<double>(message.size.count());
    sum += size;
    squares += size * size;
  }
  if (sizes.empty()) return;
  const auto quantile = [&](std::size_t hundredths) {
    const auto at =
        sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) * hundredths / 100);
    std::nth_element(sizes.begin(), at, sizes.end());
    return *at;
  };
  const auto count = static_cast<double>(sizes.size());
  result.messages = static_cast<std::int64_t>(sizes.size());
  result.size_mean = sum / 8 / count;
  result.size_p50 = quantile(50);
  result.size_p99 = quantile(99);
  result.poisson_dispersion = squares * count / (sum * sum);
}

void describe_loads(const std::vector<Message>& messages, double carried, std::uint32_t hosts,
                    Burstiness& result) {
  std::vector<double> sent(hosts);
  for (const Message& message : messages)
    sent[message.source] += static_cast<double>(message.size.count());
  result.load_mean = std::accumulate(sent.begin(), sent.end(), 0.0) / hosts / carried;
  result.load_least = *std::min_element(sent.begin(), sent.end()) / carried;
  result.load_most = *std::max_element(sent.begin(), sent.end()) / carried;
}

// Both directions of each host, in the order of hosts. `messages` are in the order of sources.
std::vector<WindowSeen> describe_windows(const std::vector<Message>& messages, DataRate rate,
                                         std::uint32_t hosts, TimePoint until, double mean_size) {
  const auto windows = static_cast<std::size_t>(until.time_since_epoch() / kShortest);
  const std::vector<Message> arriving = by_destination(messages);
  std::vector<Scale> scales(kShortestPerWindow.begin(), kShortestPerWindow.end());
  auto sent = messages.begin();
  auto received = arriving.begin();
  for (std::uint32_t host = 0; host < hosts; ++host) {
    Direction out(windows);
    Direction in(windows);
    for (; sent != messages.end() && sent->source == host; ++sent)
      out.send(sent->at, sent->size, rate);
    for (; received != arriving.end() && received->destination == host; ++received)
      in.send(received->at, received->size, rate);
    for (Scale& scale : scales) scale.add(out, in);
  }
  std::vector<WindowSeen> seen;
  seen.reserve(scales.size());
  for (const Scale& scale : scales) seen.push_back(scale.seen(mean_size));
  return seen;
}

}  // namespace

Result<Burstiness> measure_burstiness(const Workload& workload, DataRate host_rate,
                                      std::uint64_t seed, TimePoint until) {
  const Duration time = until.time_since_epoch();
  if (time < 2 * kShortestPerWindow.back() * kShortest) {  // one has no variance
    return fail(fmt::format("two windows of {} do not fit into {}",
                            to_text(kShortestPerWindow.back() * kShortest), to_text(time)));
  }
  if (time > kLongest) {
    return fail(fmt::format("{} are too long to look at in windows of {}; the most is {}",
                            to_text(time), to_text(kShortest), to_text(kLongest)));
  }
  auto messages = every_message(workload, seed, until);
  if (!messages) return fail(std::move(messages.error()));
  Burstiness result;
  describe_sizes(*messages, result);
  const double carried =
      static_cast<double>(host_rate.count()) * static_cast<double>(time.count()) * 1e-12;
  describe_loads(*messages, carried, workload.hosts(), result);
  result.windows =
      describe_windows(*messages, host_rate, workload.hosts(), until, 8 * result.size_mean);
  return result;
}

}  // namespace ebb::traffic
