// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/record.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/process.hpp"
#include "ebb/results/summary.hpp"
#include "ebb/topology/graph.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <openssl/evp.h>
#include <utility>

namespace ebb::results {
namespace {

using power::MeterIndex;
using topology::ChannelId;

void add_meter(const power::Ledger& ledger, MeterIndex meter, Channel& channel) {
  const auto& meter_class = ledger.classes()[static_cast<std::size_t>(ledger.class_of(meter))];
  channel.meter_class = meter_class.name;
  channel.energy_joules = to_joules(ledger.energy(meter));
  channel.transitions = ledger.transitions(meter);
  for (std::size_t s = 0; s < meter_class.states.size(); ++s) {
    channel.state_times.push_back(
        ledger.residency(meter, power::StateIndex{static_cast<std::uint8_t>(s)}));
  }
}

// What each channel did, by number.
std::vector<Channel> channel_rows(const topology::Graph& graph, const netsim::Report& report) {
  std::vector<Channel> channels;
  for (std::uint32_t number = 0; number < report.channels.size(); ++number) {
    const ChannelId id{number};
    channels.push_back({.number = number,
                        .from = graph.name(graph.source(id)),
                        .to = graph.name(graph.target(id)),
                        .busy = report.channels[number].busy,
                        .sent = report.channels[number].sent});
  }
  // The classes of channels come first; the rest of the meters are switches.
  const power::Ledger& ledger = report.ledger;
  for (std::uint32_t m = 0; m < ledger.meters(); ++m) {
    const MeterIndex meter{m};
    if (static_cast<std::size_t>(ledger.class_of(meter)) >= netsim::channel_classes(ledger)) break;
    add_meter(ledger, meter, channels[ledger.number(meter)]);
  }
  return channels;
}

Run run_of(const config::Simulation& simulation, const Origin& origin) {
  RunKey key = run_key(simulation, version());
  return {.key = std::move(key.key),
          .setup = std::move(key.setup),
          .label = origin.label,
          .configuration = config::resolved_text(simulation.spec),
          .version = std::string(version()),
          .seed = simulation.spec.seed,
          .parameters = origin.parameters};
}

Histogram histogram_of(std::string name, const netsim::Histogram& latency) {
  Histogram histogram{std::move(name), {}};
  for (const auto& [upper, count] : latency.filled()) histogram.buckets.push_back({upper, count});
  return histogram;
}

// Fits for 300 million channels that run for 30 ms, or one that runs for a hundred days.
Duration narrowed(power::MeterTime time) {
  EBB_CHECK(time.count() <= std::numeric_limits<std::int64_t>::max(),
            "a residency beyond 106 days of channel time");
  return Duration(static_cast<std::int64_t>(time.count()));
}

std::vector<StateTime> residency_of(const power::Ledger& ledger) {
  std::vector<StateTime> states;
  for (std::size_t c = 0; c < ledger.classes().size(); ++c) {
    const power::MeterClass& meters = ledger.classes()[c];
    const auto& totals = ledger.totals(power::ClassIndex{static_cast<std::uint8_t>(c)});
    for (std::uint32_t s = 0; s < meters.states.size(); ++s)
      states.push_back({meters.name, s, meters.states[s], narrowed(totals.residency[s])});
  }
  return states;
}

// Rounded to seven digits: a picture does not show more, and sums are kept exactly elsewhere.
Series series_of(const netsim::Series& exact, TimePoint from) {
  Series series{.every = exact.every, .ends = exact.ends, .channels = exact.channels};
  for (std::size_t i = 0; i < exact.busy.size(); ++i) {
    const std::size_t frame = i / exact.channels;
    const Duration length = exact.ends[frame] - (frame == 0 ? from : exact.ends[frame - 1]);
    series.busy_share.push_back(static_cast<float>(static_cast<double>(exact.busy[i].count()) /
                                                   static_cast<double>(length.count())));
    series.sent_bits.push_back(static_cast<float>(exact.sent[i].count()));
    series.queued_bits.push_back(static_cast<float>(exact.queued[i].count()));
    series.energy_joules.push_back(static_cast<float>(to_joules(exact.energy[i])));
  }
  series.states = exact.states;
  return series;
}

std::string stall_text(const netsim::Stall& stall) {
  std::string text = fmt::format("the network stalled at {} ps with {} packets in it",
                                 stall.since.time_since_epoch().count(), stall.packets);
  for (const std::string& line : stall.chain) text += "\n  " + line;
  return text;
}

}  // namespace

Record record_of(const config::Simulation& simulation, const netsim::Report& report,
                 const Origin& origin) {
  if (report.stall) return failed_record(simulation, origin, stall_text(*report.stall));
  Record record{.run = run_of(simulation, origin)};
  record.run.metrics = metrics_of(Summary(simulation, report));
  // Names ascend, as they are read back.
  if (report.lateness.count() > 0)
    record.histograms.push_back(histogram_of("lateness", report.lateness));
  if (report.message_latency.count() > 0)
    record.histograms.push_back(histogram_of("message_latency", report.message_latency));
  if (report.packet_latency.count() > 0)
    record.histograms.push_back(histogram_of("packet_latency", report.packet_latency));
  record.residency = residency_of(report.ledger);
  if (simulation.spec.per_channel || report.series)
    record.channels = channel_rows(*simulation.graph, report);
  if (report.series) record.series = series_of(*report.series, report.from);
  return record;
}

Record failed_record(const config::Simulation& simulation, const Origin& origin,
                     std::string error) {
  Record record{.run = run_of(simulation, origin)};
  record.run.status = Status::failed;
  record.run.error = std::move(error);
  return record;
}

namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    EBB_CHECK(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1,
              "SHA-256 is not available");
  }
  void add(std::string_view text) {
    EBB_CHECK(EVP_DigestUpdate(context_.get(), text.data(), text.size()) == 1, "SHA-256 failed");
  }
  [[nodiscard]] std::string hex() {
    std::array<unsigned char, 32> digest{};
    EBB_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1, "SHA-256 failed");
    std::string text;
    for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

void add_groups(const std::vector<netsim::SwitchGroup>& groups, Sha256& hash) {
  for (const netsim::SwitchGroup& group : groups) {
    hash.add(fmt::format("group {} {} {} {} {} {} {}\n", group.name, group.ports, group.count,
                         group.awake.count(), group.asleep.count(),
                         group.wake ? group.wake->count() : -1,
                         group.after ? static_cast<std::int64_t>(*group.after) : -1));
  }
}

// What the names of parts stand for: another file may define them otherwise.
void add_power(const config::Simulation& simulation, Sha256& hash) {
  hash.add(fmt::format("core {}\n", simulation.switch_core.count()));
  if (simulation.spec.switch_groups_sleep) add_groups(simulation.switch_groups, hash);
  if (simulation.supply) hash.add(simulation.supply->text());
  for (const netsim::ChannelModel& model : simulation.models) {
    hash.add(fmt::format("model {} {}", model.rate_change.count(), model.lane_change.count()));
    if (model.sleep)
      hash.add(fmt::format(" {} {}", model.sleep->power.count(), model.sleep->wake.count()));
    hash.add("\n");
    for (const netsim::ChannelModel::RateLevel& step : model.rate_levels)
      hash.add(fmt::format("{} {} {}\n", step.rate.count(), step.serdes_lanes, step.power.count()));
  }
}

// What a graph file holds. Generated graphs follow from configuration and version.
void add_graph(const topology::Graph& graph, Sha256& hash) {
  for (const topology::Link& link : graph.links()) {
    hash.add(fmt::format("link {} {} {} {} {}\n", index(link.a), index(link.b), link.length_mm,
                         static_cast<int>(link.medium), link.rate_table));
  }
  for (const std::string& name : graph.names()) hash.add(fmt::format("{}\n", name));
  for (const auto& [key, value] : graph.origin().parameters)
    hash.add(fmt::format("{} {}\n", key, value));
}

// What the files of programs hold, as they were read, and the files that name their hosts.
void add_programs(const config::Simulation& simulation, Sha256& hash) {
  if (!simulation.jobs) return;
  const std::vector<program::Job>& jobs = simulation.jobs->jobs();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto bytes = jobs[i].program.bytes();
    hash.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (config::places_by_rule(simulation.spec.jobs.jobs[i])) continue;
    for (const std::uint32_t host : jobs[i].hosts) hash.add(fmt::format("{}\n", host));
  }
}

}  // namespace

std::string seeded_key(std::string_view setup, std::uint64_t seed) {
  Sha256 hash;
  hash.add(fmt::format("{} {}", setup, seed));
  return hash.hex();
}

RunKey run_key(const config::Simulation& simulation, std::string_view version) {
  config::SimSpec spec = simulation.spec;
  spec.seed = 0;
  Sha256 setup;
  setup.add(fmt::format("ebb {}\n{}", version, config::resolved_text(spec)));
  add_power(simulation, setup);
  if (!spec.topology.graph.empty()) add_graph(*simulation.graph, setup);
  add_programs(simulation, setup);
  const std::string hex = setup.hex();
  return {hex, seeded_key(hex, simulation.spec.seed)};
}

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
