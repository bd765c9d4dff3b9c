// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/record_bytes.hpp"

namespace ebb::results {
namespace {

// One description of each type serves both ways: `io` writes what it is given, or fills it in.
class Writer {
 public:
  explicit Writer(Bytes& bytes) : bytes_(bytes) {}
  template <class T>
  void value(T& number) {
    append(bytes_, number);
  }
  void value(std::string& text) { append_text(bytes_, text); }
  template <class T>
  void numbers(std::vector<T>& list) {
    append_list(bytes_, list);
  }
  std::uint64_t size(std::uint64_t of_list) {
    append(bytes_, of_list);
    return of_list;
  }

 private:
  Bytes& bytes_;
};

class Reader {
 public:
  explicit Reader(ByteReader& reader) : reader_(reader) {}
  template <class T>
  void value(T& number) {
    number = reader_.take<T>();
  }
  void value(std::string& text) { text = reader_.take_text(); }
  template <class T>
  void numbers(std::vector<T>& list) {
    list = reader_.take_list<T>();
  }
  std::uint64_t size(std::uint64_t /*of_list*/) { return reader_.take<std::uint64_t>(); }

 private:
  ByteReader& reader_;
};

template <class Io, class... Values>
void values(Io& io, Values&... all) {
  (io.value(all), ...);
}

template <class Io, class T, class Each>
void list(Io& io, std::vector<T>& entries, Each each) {
  entries.resize(io.size(entries.size()));
  for (T& entry : entries) each(entry);
}

template <class Io>
void describe(Io& io, Run& run) {
  values(io, run.id, run.key, run.setup, run.label, run.configuration, run.version, run.seed,
         run.status, run.error);
  list(io, run.parameters, [&](Parameter& one) { values(io, one.key, one.value); });
  list(io, run.metrics, [&](Metric& one) { values(io, one.name, one.unit, one.value); });
}

template <class Io>
void describe(Io& io, Channel& one) {
  values(io, one.number, one.from, one.to, one.meter_class, one.busy, one.sent, one.energy_joules,
         one.transitions);
  io.numbers(one.state_times);
}

template <class Io>
void describe(Io& io, Series& series) {
  values(io, series.every, series.channels);
  io.numbers(series.ends);
  io.numbers(series.busy_share);
  io.numbers(series.sent_bits);
  io.numbers(series.queued_bits);
  io.numbers(series.energy_joules);
  io.numbers(series.states);
}

template <class Io>
void describe(Io& io, Record& record) {
  describe(io, record.run);
  list(io, record.histograms, [&](Histogram& one) {
    io.value(one.name);
    io.numbers(one.buckets);
  });
  list(io, record.residency,
       [&](StateTime& one) { values(io, one.meter_class, one.state, one.name, one.time); });
  list(io, record.channels, [&](Channel& one) { describe(io, one); });
  std::uint8_t has_series = record.series ? 1 : 0;
  io.value(has_series);
  if (has_series != 0 && !record.series) record.series.emplace();
  if (has_series != 0) describe(io, *record.series);
}

}  // namespace

void append_record(Bytes& bytes, const Record& record) {
  Record copy = record;  // describe() serves both directions
  Writer writer(bytes);
  describe(writer, copy);
}

Record take_record(ByteReader& from) {
  Record record;
  Reader reader(from);
  describe(reader, record);
  return record;
}

}  // namespace ebb::results
