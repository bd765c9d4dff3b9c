// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/ledger.hpp"

namespace ebb::power {
namespace {

void append_class(Bytes& bytes, const MeterClass& meter_class) {
  append_text(bytes, meter_class.name);
  append(bytes, static_cast<std::uint64_t>(meter_class.states.size()));
  for (const std::string& state : meter_class.states) append_text(bytes, state);
}

MeterClass take_class(ByteReader& reader) {
  MeterClass meter_class{reader.take_text(), {}};
  for (auto states = reader.take<std::uint64_t>(); states > 0; --states) {
    meter_class.states.push_back(reader.take_text());
  }
  return meter_class;
}

}  // namespace

Bytes to_bytes(const Ledger& ledger) {
  Bytes bytes;
  append(bytes, static_cast<std::uint64_t>(ledger.classes_.size()));
  for (std::size_t i = 0; i < ledger.classes_.size(); ++i) {
    const Ledger::ClassTotals& totals = ledger.class_totals_[i];
    append_class(bytes, ledger.classes_[i]);
    append(bytes, totals.energy);
    append(bytes, totals.transitions);
    append_list(bytes, totals.residency);
  }
  append(bytes, ledger.start_);
  append(bytes, ledger.end_);
  append(bytes, ledger.closed_);
  append_list(bytes, ledger.meters_);
  append_list(bytes, ledger.numbers_);
  append_list(bytes, ledger.residency_);
  append(bytes, ledger.total_);
  return bytes;
}

Ledger ledger_of(const Bytes& bytes) {
  ByteReader reader(bytes);
  Ledger ledger({}, {}, {});
  for (auto classes = reader.take<std::uint64_t>(); classes > 0; --classes) {
    ledger.classes_.push_back(take_class(reader));
    Ledger::ClassTotals totals;
    totals.energy = reader.take<Energy>();
    totals.transitions = reader.take<std::uint64_t>();
    totals.residency = reader.take_list<MeterTime>();
    ledger.class_totals_.push_back(std::move(totals));
  }
  ledger.start_ = reader.take<TimePoint>();
  ledger.end_ = reader.take<TimePoint>();
  ledger.closed_ = reader.take<bool>();
  ledger.meters_ = reader.take_list<Ledger::Meter>();
  ledger.numbers_ = reader.take_list<std::uint32_t>();
  ledger.residency_ = reader.take_list<Duration>();
  ledger.total_ = reader.take<Energy>();
  return ledger;
}

}  // namespace ebb::power
