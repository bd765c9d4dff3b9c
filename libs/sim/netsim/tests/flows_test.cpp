// SPDX-License-Identifier: Apache-2.0
//
// Flow fidelity. By itself a message takes as long as its packets would; several share
// channels as computed by hand. Times are rounded: where buffers fill, bits are.
#include "../src/flows/flow.hpp"
#include "job_parts.hpp"
#include "random_world.hpp"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <utility>

namespace ebb::netsim {
namespace {

constexpr DataSize kTenPackets = 10 * kPacket;  // 4 us at 40 Gb/s

std::vector<ChannelModel> plain_models(const topology::Graph& graph) {
  std::vector<ChannelModel> models;
  for (const topology::RateTable& rates : graph.rate_tables()) models.push_back(rates_only(rates));
  return models;
}

// When messages arrive, in the order in which they do.
Nanoseconds arrivals(const topology::Graph& graph, const std::vector<traffic::Message>& messages,
                     Fidelity fidelity = Fidelity::flow,
                     const Hardware& hardware = tiny_hardware()) {
  TinyWorld world(graph, plain_models(graph), hardware, messages, 1, fidelity);
  world.network.run_until_idle();
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
  std::vector<TimePoint> times;
  for (const MessageDelivered& one : world.seen.messages) times.push_back(one.at);
  std::sort(times.begin(), times.end());
  Nanoseconds rounded;
  for (const TimePoint time : times) {
    rounded.push_back(
        std::chrono::round<std::chrono::nanoseconds>(time.time_since_epoch()).count());
  }
  return rounded;
}

TEST(AMessageByItself, TakesAsLongAsItsPackets) {
  for (const auto& rates : std::vector<std::vector<topology::RateTable>>{
           {{k40G}}, {{k10G}, {k40G}}, {{k40G}, {k10G}, {k40G}}, {{k40G}, {k40G}, {k10G}}}) {
    const topology::Graph graph = line(2, rates);
    const std::vector<traffic::Message> one = {message(3us, kTenPackets)};
    const auto expected = arrivals(graph, one, Fidelity::packet);
    EXPECT_NEAR(static_cast<double>(arrivals(graph, one)[0]), static_cast<double>(expected[0]), 1);
  }
  // 4000 + 2 x 100 + 3 x 50
  EXPECT_EQ(arrivals(line(2, {{k40G}}), {message({}, kTenPackets)}), Nanoseconds{4350});
}

TEST(AMessageByItself, IsStoredInEverySwitch) {
  Hardware storing = tiny_hardware();
  storing.switching = Switching::store_and_forward;
  const topology::Graph graph = line(2, {{k40G}});
  const std::vector<traffic::Message> one = {message({}, kTenPackets)};
  // 4000 + 2 x (100 + 400) + 3 x 50
  EXPECT_EQ(arrivals(graph, one, Fidelity::flow, storing), Nanoseconds{5150});
  EXPECT_EQ(arrivals(graph, one, Fidelity::packet, storing), Nanoseconds{5150});
}

TEST(AMessageByItself, PaysForItsNetworkCards) {
  Hardware slow = tiny_hardware();
  slow.nic = {.doorbell = 300ns, .dma_setup = 100ns, .dma_rate = k40G};  // 500 ns for each packet
  const topology::Graph graph = line(2, {{k40G}});
  // 300 + 500 for the first packet, ten times 500 at the rate of the card, 350, 500 into memory.
  // Of packets the last is sent in 400.
  EXPECT_EQ(arrivals(graph, {message({}, kTenPackets)}, Fidelity::flow, slow), Nanoseconds{6650});
  EXPECT_EQ(arrivals(graph, {message({}, kTenPackets)}, Fidelity::packet, slow), Nanoseconds{6550});
}

TEST(MessagesOfOneHost, ToOneDestinationGoOneAfterTheOther) {
  EXPECT_EQ(arrivals(line(1, {{k40G}}), {message({}, kTenPackets), message({}, kTenPackets)}),
            (Nanoseconds{4200, 8200}));
}

// h0 and h1 share the link between the switches: half of it each until the shorter one has ended.
TEST(Messages, ShareAChannel) {
  const topology::Graph graph = two_by_two(k40G);
  // The first needs 8 us at 20 Gb/s, the second has 160 kbit left, 4 us at 40 Gb/s.
  EXPECT_EQ(arrivals(graph, {message({}, kTenPackets, 0, 2), message({}, 2 * kTenPackets, 1, 3)}),
            (Nanoseconds{8350, 12350}));
}

// The first message is in the buffer before the slow link when the second comes: it goes first.
TEST(Messages, AreSentInTheOrderInWhichTheyCome) {
  const std::vector<traffic::Message> messages = {message({}, kTenPackets, 0, 2),
                                                  message(12us, kTenPackets, 1, 2)};
  EXPECT_EQ(arrivals(two_by_two(k10G), messages), (Nanoseconds{16'350, 32'350}));
  EXPECT_EQ(arrivals(two_by_two(k10G), messages, Fidelity::packet), (Nanoseconds{16'350, 32'350}));
}

// The link to h2 is slow: what its message does not use goes to the other, as soon as the buffer
// before that link is full.
TEST(Messages, LeaveToOthersWhatTheyCannotUse) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  const auto times = arrivals(two_by_two(k10G),
                              {message({}, kTenPackets, 0, 2), message({}, 3 * kTenPackets, 1, 3)},
                              Fidelity::flow, hardware);
  ASSERT_EQ(times.size(), 2U);
  // The slow one takes 16 us, and is in its last buffer after 14.4 us. The other has 20 Gb/s while
  // that buffer fills, 16 kbit at 20 - 10 in 1.6 us, then 30 Gb/s, and 40 Gb/s for the last 64 kbit
  // from 14.4 us on.
  EXPECT_EQ(times, (Nanoseconds{16'350, 16'350}));
}

// Host h0 has sent everything when the buffers behind it hold what the slow link has not sent.
TEST(AHost, IsDoneWhenBuffersHoldTheRest) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 4 * kPacket;
  TinyWorld world(line(2, {{k40G}, {k10G}}), {rates_only({k40G}), rates_only({k10G})}, hardware,
                  {message({}, kTenPackets)}, 1, Fidelity::flow);
  // 64 kbit fill at 40 - 10 in 2.133 us, when 85.3 kbit have been sent. The other 74.7 kbit follow
  // at 10 Gb/s until 9.6 us.
  world.network.run_until(at(9500ns));
  EXPECT_LT(world.use(0).sent, kTenPackets);
  world.network.run_until(at(9601ns));
  EXPECT_EQ(world.use(0).sent, kTenPackets);
  EXPECT_LT(world.use(2).sent, kTenPackets);
}

// Two rates that differ by a bit in a second leave a buffer to fill for longer than any clock runs.
TEST(TheTimeOfAFlow, IsAMonthAtMost) {
  EXPECT_EQ(time_at(400, k40G.count()), 10ns);
  EXPECT_EQ(time_at(1, k40G.count()), Duration(25));
  EXPECT_EQ(time_at(std::int64_t{1} << 31U, 1), kLongestTime);
  EXPECT_EQ(time_at(std::int64_t{1} << 62U, 1), kLongestTime);
  EXPECT_EQ(time_at(std::int64_t{1} << 40U, std::int64_t{1} << 38U), 4s);
}

// Heads wake channels one after the other, as packets do.
TEST(ASleepingPath, IsWokenHopByHop) {
  for (const Fidelity fidelity : {Fidelity::packet, Fidelity::flow}) {
    TinyWorld world(line(2, {{k40G}}), {sleepy({k40G}, 2us)}, tiny_hardware(),
                    {message(10us, kPacket)}, 1, fidelity);
    for (const std::uint32_t channel : {0U, 2U, 4U})
      (void)world.order(channel, policy::SleepWhenIdle{.idle = 1us, .wake = bits(1)});
    world.network.start_meters();
    world.network.run_until(at(50us));
    ASSERT_EQ(world.seen.messages.size(), 1U);
    // 3 x 2000 to wake, 400 on the wire, 350 on the way.
    EXPECT_EQ(world.seen.messages[0].at, at(10us + 6750ns));
    const power::Ledger ledger = world.network.close_meters();
    EXPECT_EQ(to_string(ledger.check()), "");
    // 10 us asleep until the message, then from a microsecond after the end of the packet on: the
    // first microsecond of all is idle time, too.
    const Duration asleep = ledger.residency(power::MeterIndex{0}, power::StateIndex{0});
    EXPECT_EQ(asleep, 50us - 1us - 2us - 400ns - 1us);
  }
}

TEST(ASleepingPath, ThatNothingWakesIsSaid) {
  TinyWorld world(line(2, {{k40G}}), {sleepy({k40G}, 2us)}, tiny_hardware(),
                  {message(10us, kPacket)}, 1, Fidelity::flow);
  (void)world.order(2, policy::Sleep{});
  world.network.run_until(at(50us));
  EXPECT_TRUE(world.seen.messages.empty());
  EXPECT_EQ(world.network.blocked_chain(),
            std::vector<std::string>{"s0 -> s1 sleeps and nothing wakes it"});
}

TEST(ARateChange, StopsAMessageForItsTime) {
  for (const Fidelity fidelity : {Fidelity::packet, Fidelity::flow}) {
    TinyWorld world(line(1, {{k10G, k40G}}), {rates_only({k10G, k40G}, 1us)}, tiny_hardware(),
                    {message({}, kTenPackets)}, 1, fidelity);
    world.network.run_until(at(2us));
    (void)world.order(2, policy::SetRateLevel{policy::RateLevel{0}});
    world.network.run_until_idle();
    // Packets that were on the wire, 150 ns later than at the host, end as they began: five have
    // left, the other five take 8 us. Of the flow half has been sent at 2 us.
    const Duration expected =
        fidelity == Fidelity::flow ? 2us + 1us + 8us + 200ns : 2150ns + 1us + 8us + 50ns;
    EXPECT_EQ(world.seen.messages[0].at, at(expected));
  }
}

// Ranks go on by what is delivered. The parts of the critical path add up, the energy balances, and
// threads change nothing.
TEST(AJob, RunsOnFlows) {
  const program::Program program = scattered_messages(64);
  const auto report = [&](std::uint32_t threads, Fidelity fidelity) {
    return run_reported_job(program, threads, 10ms, mpi::serial_communicator(), fidelity);
  };
  const Report flows = report(1, Fidelity::flow);
  ASSERT_EQ(flows.jobs.size(), 1U);
  ASSERT_TRUE(flows.jobs[0].done);
  EXPECT_EQ(to_string(flows.ledger.check()), "");
  EXPECT_TRUE(same(flows.jobs[0], report(4, Fidelity::flow).jobs[0]));
  const Report packets = report(1, Fidelity::packet);
  const auto seconds = [](const Report& of) {
    return static_cast<double>(of.jobs[0].end.time_since_epoch().count());
  };
  EXPECT_NEAR(seconds(flows) / seconds(packets), 1, 0.15);
}

// What a rank waits for is the same to the nanosecond where messages do not meet.
TEST(AJob, OfTwoRanksTakesAsLongAsWithPackets) {
  program::ProgramBuilder builder(2);
  for (const std::uint32_t other : {1U, 0U}) {
    program::RankBuilder rank;
    const auto sent = rank.add(
        {.kind = program::Operation::Kind::send, .peer = other, .tag = 1, .size = kTenPackets});
    const auto got = rank.add(
        {.kind = program::Operation::Kind::receive, .peer = other, .tag = 1, .size = kTenPackets});
    const auto then = rank.add({.kind = program::Operation::Kind::compute, .time = 100ns});
    rank.wait_for_end(then, got);
    rank.wait_for_end(then, sent);
    builder.add(rank);
  }
  const program::Program program = std::move(builder).build("made");
  std::vector<std::vector<program::RankTimes>> times;
  for (const Fidelity fidelity : {Fidelity::packet, Fidelity::flow}) {
    const topology::Graph graph = line(2, {{k40G}});
    const FirstPath routing(graph);
    program::Jobs jobs(2, {{program, {0, 1}, {}}}, {});
    Watcher watcher;
    Network network({.graph = graph,
                     .routing = routing,
                     .models = plain_models(graph),
                     .hardware = tiny_hardware(),
                     .fidelity = fidelity},
                    jobs, watcher);
    network.run_until_idle();
    times.push_back(jobs.ranks(0));
  }
  EXPECT_EQ(times[0], times[1]);
  EXPECT_EQ(times[1][0].end, at(4350ns + 100ns));
}

// Gigabytes on many paths: where a channel is divided, flows are left with some bits per second,
// and the end of what they send lies beyond the longest Duration.
TEST(AJob, OfLongMessagesOnManyPathsEnds) {
  const auto graph = topology::build("clos", {{"ports", "16"}, {"levels", "2"}, {"hosts", "64"}},
                                     {gigabits_per_second(400)})
                         .value();
  const DataSize size = bytes(4'409'606'656);
  program::ProgramBuilder builder(64);
  for (std::uint32_t me = 0; me < 64; ++me) {
    program::RankBuilder rank;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> before;
    for (int round = 0; round < 3; ++round) {
      const auto sent =
          rank.add({.kind = program::Operation::Kind::send, .peer = (me + 8) % 64, .size = size});
      const auto got = rank.add(
          {.kind = program::Operation::Kind::receive, .peer = (me + 56) % 64, .size = size});
      for (const std::uint32_t later : {sent, got}) {
        if (!before) continue;
        rank.wait_for_end(later, before->first);
        rank.wait_for_end(later, before->second);
      }
      before = {sent, got};
    }
    builder.add(rank);
  }
  const program::Program program = std::move(builder).build("made");
  program::Jobs jobs(64, {{program, first_hosts(64), {}}}, {});
  const auto routing = routing::make_routing("up-down", graph).value();
  Watcher watcher;
  Network network({.graph = graph,
                   .routing = *routing,
                   .models = plain_models(graph),
                   .hardware = {},
                   .fidelity = Fidelity::flow},
                  jobs, watcher);
  network.run_until_idle();
  EXPECT_EQ(to_string(jobs.stalled()), "");
  EXPECT_GT(jobs.latest_end(0), at(3 * serialization_time(size, gigabits_per_second(400))));
}

std::map<std::uint32_t, DataSize> sent_by_host(const std::vector<traffic::Message>& messages) {
  std::map<std::uint32_t, DataSize> sent;
  for (const traffic::Message& one : messages) sent[one.source] += one.size;
  return sent;
}

struct Record {
  Deliveries seen;
  power::Ledger ledger = power::Ledger({}, {}, {});

  bool operator==(const Record&) const = default;
};

Record random_run(std::uint64_t seed) {
  RandomWorld world(seed, Fidelity::flow);
  Network& network = world.network();
  network.start_meters();
  for (int i = 0; i < 15; ++i) {
    network.run_until(network.now() + world.dice().upto(3us));
    const policy::Sample sample = network.sample();
    RC_ASSERT(to_string(check(sample)) == "");
    for (auto left = world.dice().between(0, 8); left > 0; --left)
      (void)network.apply(world.any_action());
  }
  world.wake_all();
  network.run_until_idle();
  RC_LOG() << world.name() << '\n' << to_string(network.check_conservation());
  RC_ASSERT(network.check_conservation().empty());
  RC_ASSERT(world.seen().messages.size() == world.messages.size());
  for (const auto& [host, size] : sent_by_host(world.messages)) {
    const topology::Graph& graph = world.graph();
    const DataSize sent = network.use(graph.outputs(graph.host_node(host)).front()).sent;
    constexpr std::int64_t kRounding = 512;  // bits, by which a channel may be ahead of its flows
    RC_ASSERT(sent >= size && sent - size < bits(kRounding));
  }
  Record record{world.seen(), network.close_meters()};
  RC_ASSERT(to_string(record.ledger.check()) == "");
  return record;
}

// On every scheme and family, whatever a policy does.
RC_GTEST_PROP(EveryFlow, IsDeliveredOnceAndBalances, ()) {
  for (int i = 0; i < 30; ++i) {
    const auto seed =
        *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
    RC_ASSERT(random_run(seed) == random_run(seed));
  }
}

}  // namespace
}  // namespace ebb::netsim
