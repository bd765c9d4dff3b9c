// SPDX-License-Identifier: Apache-2.0
//
// Video streams of variable bit rate, like MPEG-2: 30 frames a second, each a message that is of
// use for one frame time. Streams are drawn one after the other until their mean rates add up to
// the load: one of seven rates, source, destination, and where in its group of pictures a stream
// is at time 0. Groups are IBBPBBPBBPBB; sizes are gamma distributed around a mean for each kind of
// frame. All frames of a stream have the service level of its number.
//
// The rates stand for the seven MPEG-2 traces of Kim et al., A Holistic Approach to Designing
// Energy-Efficient Cluster Interconnects (IEEE Transactions on Computers, 2005), whose statistics
// (Table 3) are lost. docs/models/workloads.md has the reason for every number.

#include "injections/draws.hpp"
#include "kinds.hpp"
#include "workloads/trace.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ebb::traffic::video {
namespace {

constexpr std::int64_t kFramesPerSecond = 30;
constexpr std::int64_t kSecond = 1'000'000'000'000;  // ps
constexpr std::int64_t kFrameTime = kSecond / kFramesPerSecond;

// Mean rates of streams, Mb/s: 7 on average.
constexpr std::array<std::int64_t, 7> kRates = {2, 3, 4, 6, 8, 11, 15};
constexpr double kMeanRate = 7e6;

constexpr std::string_view kGroup = "IBBPBBPBBPBB";

// Frames of a kind: so many parts of a group, and exponential variables that make up the gamma
// distribution of their sizes, whose coefficient of variation is 1 / sqrt(shape).
struct FrameKind {
  std::int64_t parts;
  int shape;
};
constexpr FrameKind kind_of(char frame) {
  return frame == 'I' ? FrameKind{4, 8} : frame == 'P' ? FrameKind{2, 4} : FrameKind{1, 4};
}

constexpr std::int64_t parts_of_group() {
  std::int64_t parts = 0;
  for (const char frame : kGroup) parts += kind_of(frame).parts;
  return parts;
}

// Of a group of a stream, in bytes for each of its parts.
double part_bytes(std::int64_t megabits_per_second) {
  constexpr std::int64_t kFrames = static_cast<std::int64_t>(kGroup.size());
  const std::int64_t group_bits = megabits_per_second * 1'000'000 * kFrames / kFramesPerSecond;
  return static_cast<double>(group_bits) / static_cast<double>(8 * parts_of_group());
}

DataSize draw_size(const FrameKind& kind, double part, RandomStream& stream) {
  double sum = 0;
  for (int i = 0; i < kind.shape; ++i) sum += stream.exponential();
  const double size = sum / kind.shape * static_cast<double>(kind.parts) * part;
  return bytes(std::max<std::int64_t>(1, std::lround(size)));
}

// Frame n comes n / 30 s after the first, rounded down: without drift.
Duration after_frames(std::int64_t n) {
  return Duration(n / kFramesPerSecond * kSecond +
                  n % kFramesPerSecond * kSecond / kFramesPerSecond);
}

struct Stream {
  std::int64_t rate;  // Mb/s
  std::uint32_t source;
  std::uint32_t destination;
  std::uint8_t service;
  std::size_t position;  // in the group, of its first frame
  TimePoint first;
};

Stream draw_stream(std::uint64_t number, std::uint32_t hosts, std::uint8_t services,
                   RandomStream& own) {
  Stream stream{};
  stream.rate = kRates[own.below(kRates.size())];
  stream.source = static_cast<std::uint32_t>(own.below(hosts));
  stream.destination = other_host(stream.source, hosts, own);
  stream.service = static_cast<std::uint8_t>(number % services);
  stream.position = own.below(kGroup.size());
  stream.first = TimePoint(Duration(static_cast<std::int64_t>(own.below(kFrameTime))));
  return stream;
}

void add_frames(const Stream& stream, const Start& start, RandomStream& own, Trace& trace) {
  const double part = part_bytes(stream.rate);
  for (std::int64_t n = 0;; ++n) {
    const TimePoint at = stream.first + after_frames(n);
    if (at >= start.until) return;
    const char frame = kGroup[(stream.position + static_cast<std::size_t>(n)) % kGroup.size()];
    trace.add({.at = at,
               .source = stream.source,
               .destination = stream.destination,
               .size = draw_size(kind_of(frame), part, own),
               .service = stream.service});
  }
}

class Video final : public Workload {
 public:
  Video(std::uint32_t hosts, double bits_per_second, std::uint8_t services)
      : Workload(hosts), bits_per_second_(bits_per_second), services_(services) {}

  // A stream more is taken when that comes nearer to the load than to leave it.
  [[nodiscard]] std::unique_ptr<MessageSource> start(const Start& start) const override {
    auto trace = std::make_unique<Trace>(hosts(), start);
    double taken = 0;
    for (std::uint64_t number = 0;; ++number) {
      RandomStream own(start.seed, fmt::format("traffic/video/{}", number));
      const Stream stream = draw_stream(number, hosts(), services_, own);
      const double rate = static_cast<double>(stream.rate) * 1e6;
      if (taken + rate / 2 > bits_per_second_) break;
      taken += rate;
      if (start.hosts.has(stream.source)) add_frames(stream, start, own, *trace);
    }
    trace->sort();
    return trace;
  }

  [[nodiscard]] Errors validate(TimePoint until) const override {
    const double seconds = static_cast<double>(until.time_since_epoch().count()) * 1e-12;
    const double messages = bits_per_second_ / kMeanRate * seconds * kFramesPerSecond;
    return too_many_messages(messages, until);
  }

  [[nodiscard]] std::optional<Duration> deadline() const override { return Duration(kFrameTime); }

 private:
  double bits_per_second_;
  std::uint8_t services_;
};

Result<std::unique_ptr<Workload>> make(const Shape& shape, DataRate host_rate,
                                       const Parameters& parameters) {
  const double total = parameters.ratio("load").to_double() *
                       static_cast<double>(host_rate.count()) * static_cast<double>(shape.hosts);
  constexpr double kMostStreams = 100e6;  // drawn in half a minute
  if (total < kMeanRate) {
    return fail(fmt::format("the load is {:.3g} Mb/s over all hosts, and a video stream 7 Mb/s on "
                            "average; give a larger load",
                            total * 1e-6),
                {.path = "load"});
  }
  if (total > kMostStreams * kMeanRate) {
    return fail(fmt::format("the load is {:.0f} million video streams, and at most {:.0f} million "
                            "can be drawn; give a smaller load",
                            total / kMeanRate * 1e-6, kMostStreams * 1e-6),
                {.path = "load"});
  }
  return std::make_unique<Video>(shape.hosts, total,
                                 static_cast<std::uint8_t>(parameters.integer("services")));
}

}  // namespace

WorkloadKind kind() {
  Parameter load = load_parameter(Ratio(1, 1'000'000));
  load.fallback = "40%";
  load.help = "share of the host rate that is sent, on average over all hosts";
  return {.name = "video",
          .summary = "MPEG-2 streams of 2 to 15 Mb/s, 30 frames a second, each due in 33.3 ms",
          .parameters = {load,
                         {"services", Range<std::int64_t>{1, kMostServices}, "1",
                          "service levels that streams take in turn"}},
          .make = make};
}

}  // namespace ebb::traffic::video
