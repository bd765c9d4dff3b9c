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

bool is_of_switches(const power::MeterClass& one) { return one.name.starts_with(kSwitchClasses); }

}  // namespace

std::size_t channel_classes(const power::Ledger& ledger) {
  const auto classes = ledger.classes();  // a run that never measured has an empty account
  const auto first = std::find_if(classes.begin(), classes.end(), is_of_switches);
  return static_cast<std::size_t>(first - classes.begin());
}

std::size_t switch_classes(const power::Ledger& ledger) {
  const auto classes = ledger.classes();
  return static_cast<std::size_t>(std::count_if(classes.begin(), classes.end(), is_of_switches));
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

// Rounded up to two digits: a time that people are told to write.
Duration least_measure(Duration longest_message, Duration mean_residual) {
  const Duration needed = std::max(longest_message, kLeastResiduals * mean_residual);
  std::int64_t step = 1;
  while (needed.count() / step >= 100) step *= 10;
  return Duration((needed.count() + step - 1) / step * step);
}

Duration least_measure(const traffic::MessageSizes& sizes, DataRate host_rate) {
  return least_measure(serialization_time(sizes.longest, host_rate),
                       serialization_time(sizes.mean_residual, host_rate));
}

namespace {

constexpr double kShortfall = 1 - kSaturatedBelow.to_double();

bool holds_its_messages(const Report& report) {
  return report.to - report.from >= least_measure(report.longest_message, report.mean_residual);
}

double shortfall(const Report& report) {
  const auto sendable = static_cast<double>(report.sendable_second_half.count());
  return sendable == 0 ? 0
                       : 1 - static_cast<double>(report.second_half.delivered.count()) / sendable;
}

// Hosts offer more than their links carry.
bool overloads_hosts(const Report& report) {
  return 2 * report.offered_by_overloaded > report.offered &&
         static_cast<Int128>(report.second_half.delivered.count()) * kSaturatedBelow.den() <
             static_cast<Int128>(report.offered_second_half.count()) * kSaturatedBelow.num();
}

// More than chance explains, and more than is allowed.
bool is_significant(const Report& report) {
  return shortfall(report) > kShortfall + shortfall_by_chance(report) || overloads_hosts(report);
}

}  // namespace

// In an idle network data under way is shot noise: a message of time t adds to its variance for t,
// falling from t to 0, so that it is the sum of t^3 / 3 over the time. Where a share rho of each
// link is busy, rho / (1 - rho) times as much is added by messages that share a link. The shortfall
// is the difference of two moments; two standard deviations.
double shortfall_by_chance(const Report& report) {
  const LinkTimes& times = report.link_times;
  const auto measured = static_cast<double>((report.to - report.from).count()) / 1000;
  const auto sendable = static_cast<double>(times.sendable_second_half.count()) / 1000;
  if (measured == 0 || sendable == 0 || times.senders == 0) return 0;
  const double load = static_cast<double>(times.offered.count()) / 1000 / measured /
                      static_cast<double>(times.senders);
  const double busy = std::min(load, kSaturatedBelow.to_double());
  const double variance = static_cast<double>(times.cubes_ns3) / 3 / measured * busy / (1 - busy);
  return 2 * std::sqrt(2 * variance) / sendable;
}

// The share that chance explains falls with the length of a run: so long that it is no more than
// the shortfall that is allowed, and twice as long in any case.
Duration least_measure(const Report& report) {
  const Duration needed = least_measure(report.longest_message, report.mean_residual);
  if (!too_short(report) || !holds_its_messages(report)) return needed;
  const double times = std::max(2.0, shortfall_by_chance(report) / kShortfall);
  const auto longer =
      static_cast<std::int64_t>(times * static_cast<double>((report.to - report.from).count()));
  return least_measure(std::max(needed, Duration(longer)), Duration{});
}

bool too_short(const Report& report) {
  if (report.stall || !report.jobs.empty()) return false;
  if (!holds_its_messages(report)) return true;
  return report.delivered < report.offered && shortfall(report) > kShortfall &&
         !is_significant(report);
}

// A stall needs no statistics.
bool saturated(const Report& report) {
  if (!report.jobs.empty()) return false;  // ranks wait for the network
  if (report.stall) return report.delivered < report.offered;
  return holds_its_messages(report) && report.delivered < report.offered && is_significant(report);
}

std::uint64_t missed(const Report& report) {
  return report.deadline ? report.lateness.count() + report.messages_unfinished : 0;
}

bool steady(const Report& report) {
  return !report.jobs.empty() || agree(report.first_half, report.second_half);
}

bool settled(const std::vector<Batch>& batches) {
  if (batches.size() < 4) return false;
  const auto both = [&](std::size_t from_end) {
    Batch sum = batches[batches.size() - from_end];
    const Batch& second = batches[batches.size() - from_end + 1];
    sum.to = second.to;
    sum.delivered += second.delivered;
    sum.messages += second.messages;
    sum.energy += second.energy;
    return sum;
  };
  return agree(both(4), both(2));
}

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

std::optional<double> relative_power_between_switches(const Report& report) {
  if (report.between_switches_always_on == Energy{}) return std::nullopt;
  return ratio(report.between_switches, report.between_switches_always_on);
}

double ideal_relative_power(const Report& report) { return ratio(report.ideal, report.always_on); }

}  // namespace ebb::netsim
