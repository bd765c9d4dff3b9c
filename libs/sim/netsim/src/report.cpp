// SPDX-License-Identifier: Apache-2.0

#include "ebb/netsim/report.hpp"

#include "ebb/netsim/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace ebb::netsim {

Histogram& Histogram::operator+=(const Histogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  return *this;
}

Duration Histogram::mean() const {
  if (count_ == 0) return {};
  return Duration(static_cast<std::int64_t>(sum_ / static_cast<Int128>(count_)));
}

// The largest value that bucket() puts there: it inverts (shift << kBits) + (value >> shift).
std::int64_t Histogram::upper_end(std::size_t bucket) {
  constexpr std::size_t kLinear = std::size_t{2} << kBits;
  if (bucket < kLinear) return static_cast<std::int64_t>(bucket);
  const auto shift = static_cast<int>((bucket >> kBits) - 1);
  const auto leading =
      static_cast<std::int64_t>(bucket - (static_cast<std::size_t>(shift) << kBits));
  return (leading << shift) + ((std::int64_t{1} << shift) - 1);
}

Duration Histogram::quantile(Ratio rank) const {
  if (count_ == 0) return {};
  // The value of rank q is the ceil(q n)-th smallest, the first for q = 0.
  const Int128 scaled = static_cast<Int128>(count_) * rank.num();
  const auto wanted = std::max<Int128>(1, (scaled + rank.den() - 1) / rank.den());
  Int128 seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += static_cast<Int128>(counts_[i]);
    if (seen >= wanted) return std::min(Duration(upper_end(i)), most_);
  }
  return most_;
}

std::vector<Histogram::Bucket> Histogram::filled() const {
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    if (counts_[i] > 0) buckets.push_back({Duration(upper_end(i)), counts_[i]});
  }
  return buckets;
}

void Histogram::append_to(Bytes& bytes) const {
  append_list(bytes, counts_);
  append(bytes, count_);
  append(bytes, sum_);
  append(bytes, least_);
  append(bytes, most_);
}

Histogram Histogram::taken_from(ByteReader& reader) {
  Histogram histogram;
  histogram.counts_ = reader.take_list<std::uint64_t>();
  histogram.count_ = reader.take<std::uint64_t>();
  histogram.sum_ = reader.take<Int128>();
  histogram.least_ = reader.take<Duration>();
  histogram.most_ = reader.take<Duration>();
  return histogram;
}

namespace {

double ratio(Energy part, Energy whole) {
  return whole == Energy{} ? 0
                           : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

}  // namespace

std::size_t channel_classes(const power::Ledger& ledger) {
  const auto classes = ledger.classes();  // a run that never measured has an empty account
  const auto cores = std::find_if(classes.begin(), classes.end(),
                                  [](const auto& one) { return one.name == kSwitchCores; });
  return static_cast<std::size_t>(cores - classes.begin());
}

Energy channel_energy(const power::Ledger& ledger) {
  Energy energy;
  for (std::size_t i = 0; i < channel_classes(ledger); ++i) {
    energy += ledger.totals(power::ClassIndex{static_cast<std::uint8_t>(i)}).energy;
  }
  return energy;
}

double load(const Report& report, DataSize data, DataRate host_rate, std::uint32_t hosts) {
  const double capacity =
      static_cast<double>(data_carried(host_rate, report.to - report.from).count());
  return capacity == 0 || hosts == 0 ? 0 : static_cast<double>(data.count()) / capacity / hosts;
}

bool saturated(const Report& report) {
  return static_cast<Int128>(report.second_half.delivered.count()) * kSaturatedBelow.den() <
         static_cast<Int128>(report.offered_second_half.count()) * kSaturatedBelow.num();
}

std::uint64_t missed(const Report& report) {
  return report.deadline ? report.lateness.count() + report.messages_unfinished : 0;
}

bool steady(const Report& report) { return agree(report.first_half, report.second_half); }

// Power to 2 %; throughput to 5 %, or to three standard deviations of the number of messages that
// made it when there were few. With hardly any, nothing can be said.
bool agree(const Batch& a, const Batch& b) {
  if (a.from == a.to || b.from == b.to) return false;  // a run that stalled before
  constexpr std::uint64_t kFewest = 30;
  if (std::min(a.messages, b.messages) < kFewest) return false;
  const auto differ = [](double x, double y, double tolerance) {
    return std::abs(x - y) > tolerance * std::max(x, y);
  };
  const double power_a = to_joules(a.energy) / static_cast<double>((a.to - a.from).count());
  const double power_b = to_joules(b.energy) / static_cast<double>((b.to - b.from).count());
  const double messages = static_cast<double>(std::min(a.messages, b.messages));
  const double scatter = 3 * std::sqrt(2 / messages);
  const double rate_a =
      static_cast<double>(a.delivered.count()) / static_cast<double>((a.to - a.from).count());
  const double rate_b =
      static_cast<double>(b.delivered.count()) / static_cast<double>((b.to - b.from).count());
  return !differ(power_a, power_b, 0.02 + scatter / 10) &&
         !differ(rate_a, rate_b, std::max(0.05, scatter));
}

double relative_power(const Report& report) {
  return ratio(channel_energy(report.ledger), report.always_on);
}

double ideal_relative_power(const Report& report) { return ratio(report.ideal, report.always_on); }

}  // namespace ebb::netsim
