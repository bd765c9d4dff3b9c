// SPDX-License-Identifier: Apache-2.0
//
// The trace of Perfetto: a protobuf message of packets, each a track or an event on one. Of its
// fields we write some twenty, by their public numbers (tests/timeline/perfetto_subset.proto has
// them with their names).
#include "forms.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace ebb::timeline {
namespace {

using Number = std::uint32_t;  // of a field

// Trace, TracePacket
constexpr Number kPacket = 1;
constexpr Number kClockSnapshot = 6;
constexpr Number kTimestamp = 8;
constexpr Number kSequence = 10;
constexpr Number kTrackEvent = 11;
constexpr Number kInternedData = 12;
constexpr Number kSequenceFlags = 13;
constexpr Number kTrackDescriptor = 60;
// TrackDescriptor, CounterDescriptor
constexpr Number kUuid = 1;
constexpr Number kTrackName = 2;
constexpr Number kParent = 5;
constexpr Number kCounter = 8;
constexpr Number kChildOrdering = 11;
constexpr Number kSiblingRank = 12;
constexpr Number kUnitName = 6;
// TrackEvent
constexpr Number kType = 9;
constexpr Number kNameIid = 10;
constexpr Number kTrackUuid = 11;
constexpr Number kDoubleValue = 44;
constexpr Number kFlows = 47;
constexpr Number kEndingFlows = 48;
// InternedData, EventName
constexpr Number kEventNames = 2;
constexpr Number kIid = 1;
constexpr Number kName = 2;
// ClockSnapshot, Clock
constexpr Number kClocks = 1;
constexpr Number kClockId = 1;
constexpr Number kClockTime = 2;
constexpr std::uint64_t kRealtime = 1;
constexpr std::uint64_t kBoottime = 6;  // the clock of timestamps that name none

enum class EventType : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };

constexpr std::uint64_t kExplicitOrder = 3;
constexpr std::uint64_t kStateCleared = 1;  // names are numbered from here on
constexpr std::uint64_t kNeedsState = 2;    // refers to such a number

// A message of protobuf as it grows.
class Message {
 public:
  void clear() { bytes_.clear(); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  void varint(Number field, std::uint64_t value) {
    append_varint(bytes_, std::uint64_t{field} << 3U);
    append_varint(bytes_, value);
  }
  void fixed64(Number field, std::uint64_t value) {
    append_varint(bytes_, std::uint64_t{field} << 3U | 1U);
    for (int byte = 0; byte < 8; ++byte) bytes_ += static_cast<char>(value >> 8 * byte & 0xffU);
  }
  void real(Number field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void text(Number field, std::string_view value) { append_text(bytes_, field, value); }
  void message(Number field, const Message& value) { text(field, value.bytes_); }

  static void append_text(std::string& to, Number field, std::string_view value) {
    append_varint(to, std::uint64_t{field} << 3U | 2U);
    append_varint(to, value.size());
    to += value;
  }

 private:
  static void append_varint(std::string& to, std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) to += static_cast<char>((value & 0x7fU) | 0x80U);
    to += static_cast<char>(value);
  }

  std::string bytes_;
};

std::uint64_t nanoseconds(TimePoint at) {
  constexpr std::int64_t kPicoseconds = 1000;
  return static_cast<std::uint64_t>(at.time_since_epoch().count() / kPicoseconds);
}

std::uint64_t uuid(TrackId track) { return index(track) + 1; }  // 0 is the track of everything

class PerfettoTimeline final : public Timeline {
 public:
  PerfettoTimeline(std::shared_ptr<std::ostream> out, const Settings& settings)
      : Timeline(settings), output_(std::move(out)) {
    Message packet;
    packet.varint(kSequence, 1);
    packet.varint(kSequenceFlags, kStateCleared);
    if (settings.began_unix_ns) packet.message(kClockSnapshot, clocks(*settings.began_unix_ns));
    append(packet);
    write_root();
  }

  [[nodiscard]] bool finish() override { return output_.finish(); }

 protected:
  void write_track(const Track& track) override {
    Message descriptor;
    descriptor.varint(kUuid, uuid(track.id));
    descriptor.text(kTrackName, track.name);
    if (track.group != track.id) descriptor.varint(kParent, uuid(track.group));
    if (!track.unit.empty()) {
      Message counter;
      counter.text(kUnitName, track.unit);
      descriptor.message(kCounter, counter);
    }
    descriptor.varint(kChildOrdering, kExplicitOrder);
    descriptor.varint(kSiblingRank, track.place);
    append_descriptor(descriptor);
  }

  void write(const Slice& slice) override {
    begin_event(EventType::slice_begin, slice.track, slice.name);
    if (slice.flow.end == Flow::End::begin) event_.fixed64(kFlows, slice.flow.number);
    if (slice.flow.end == Flow::End::end) event_.fixed64(kEndingFlows, slice.flow.number);
    append_event(nanoseconds(slice.begin));
    begin_event(EventType::slice_end, slice.track);
    append_event(nanoseconds(slice.end));
  }

  void write(const CounterValue& value) override {
    constexpr double kNano = 1e9;
    begin_event(EventType::counter, value.track);
    event_.real(kDoubleValue, static_cast<double>(value.nano) / kNano);
    append_event(static_cast<std::uint64_t>(value.at_ns));
  }

  void write_mark(TrackId track, TimePoint at, std::string_view text) override {
    begin_event(EventType::instant, track, text);
    append_event(nanoseconds(at));
  }

 private:
  // Groups are shown in their order below the track of everything.
  void write_root() {
    Message descriptor;
    descriptor.varint(kUuid, 0);
    descriptor.varint(kChildOrdering, kExplicitOrder);
    append_descriptor(descriptor);
  }

  void append_descriptor(const Message& descriptor) {
    Message packet;
    packet.varint(kSequence, 1);
    packet.message(kTrackDescriptor, descriptor);
    append(packet);
  }

  static Message clocks(std::int64_t unix_ns) {
    const auto clock = [](std::uint64_t id, std::uint64_t time) {
      Message made;
      made.varint(kClockId, id);
      made.varint(kClockTime, time);
      return made;
    };
    Message snapshot;
    snapshot.message(kClocks, clock(kBoottime, 0));
    snapshot.message(kClocks, clock(kRealtime, static_cast<std::uint64_t>(unix_ns)));
    return snapshot;
  }

  void begin_event(EventType type, TrackId track) {
    event_.clear();
    packet_.clear();
    event_.varint(kType, static_cast<std::uint64_t>(type));
    event_.varint(kTrackUuid, uuid(track));
  }

  // A name is written once; then it is a number.
  void begin_event(EventType type, TrackId track, std::string_view name) {
    begin_event(type, track);
    const auto known = names_.find(name);
    if (known != names_.end()) return event_.varint(kNameIid, known->second);
    const std::uint64_t number = names_.size() + 1;
    names_.emplace(name, number);
    event_.varint(kNameIid, number);
    Message event_name;
    event_name.varint(kIid, number);
    event_name.text(kName, name);
    Message interned;
    interned.message(kEventNames, event_name);
    packet_.message(kInternedData, interned);
  }

  void append_event(std::uint64_t at_ns) {
    packet_.varint(kTimestamp, at_ns);
    packet_.varint(kSequence, 1);
    packet_.varint(kSequenceFlags, kNeedsState);
    packet_.message(kTrackEvent, event_);
    append(packet_);
  }

  void append(const Message& packet) {
    Message::append_text(output_.text(), kPacket, packet.bytes());
    output_.write_when_large();
  }

  Output output_;
  std::map<std::string, std::uint64_t, std::less<>> names_;
  Message packet_;
  Message event_;
};

}  // namespace

std::unique_ptr<Timeline> make_perfetto(std::shared_ptr<std::ostream> out,
                                        const Settings& settings) {
  return std::make_unique<PerfettoTimeline>(std::move(out), settings);
}

}  // namespace ebb::timeline
