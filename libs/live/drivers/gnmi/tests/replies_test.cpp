// SPDX-License-Identifier: Apache-2.0
#include "replies.hpp"

#include "memory_device.hpp"

#include "ebb/gnmi/openconfig.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::gnmi {
namespace {

using namespace std::chrono_literals;
using test::MemoryDevice;

// g++ 12 takes parts of a braced one for uninitialised.
LeafValue pair_of(const LeafOf& leaf, const Value& value) {
  LeafValue one{};
  one.leaf = leaf;
  one.value = value;
  return one;
}

wire::Update update(const LeafOf& leaf, const Value& value, wire::Encoding form = wire::PROTO) {
  wire::Update made;
  write(pair_of(leaf, value), form, made);
  return made;
}

wire::GetRequest ask_for(const Path& path) {
  wire::GetRequest request;
  request.set_encoding(wire::PROTO);
  write(path, *request.add_path());
  return request;
}

std::vector<LeafValue> leaves_in(const wire::GetResponse& response) {
  std::vector<LeafValue> all;
  for (const auto& one : response.notification()) {
    const auto some = read(one);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// From the numbers of fields in the specification, by hand: a Get of /a[b=c], type STATE, as PROTO.
TEST(Wire, IsThatOfTheSpecification) {
  const std::string bytes(
      "\x12\x0d"  // path (2), 13 bytes
      "\x1a\x0b"  // elem (3), 11 bytes
      "\x0a\x01"
      "a"         // name (1)
      "\x12\x06"  // key (2), an entry
      "\x0a\x01"
      "b"  // its key (1)
      "\x12\x01"
      "c"          // its value (2)
      "\x18\x02"   // type (3): STATE
      "\x28\x02",  // encoding (5): PROTO
      19);
  wire::GetRequest request = ask_for({{{"a", {{"b", "c"}}}}});
  request.set_type(wire::GetRequest::STATE);
  EXPECT_EQ(request.SerializeAsString(), bytes);
}

TEST(Wire, ValuesAreThoseOfTheSpecification) {
  wire::TypedValue value;
  value.set_bool_val(true);
  EXPECT_EQ(value.SerializeAsString(), "\x20\x01");
  value.set_uint_val(5);
  EXPECT_EQ(value.SerializeAsString(), "\x18\x05");
  value.set_string_val("x");
  EXPECT_EQ(value.SerializeAsString(), "\x0a\x01x");
  value.set_json_ietf_val("1");
  EXPECT_EQ(value.SerializeAsString(),
            "\x5a\x01"
            "1");
}

TEST(Leaf, IsFoundByItsPath) {
  for (const Leaf leaf : kLeaves) {
    const LeafOf one{leaf, "p1"};
    EXPECT_EQ(leaf_at(path_of(one)), one) << to_text(path_of(one));
  }
  Path path = path_of({Leaf::oper_status, "p1"});
  EXPECT_EQ(to_text(path), "/interfaces/interface[name=p1]/state/oper-status");
  path.elements[0].name = "openconfig-interfaces:interfaces";
  EXPECT_EQ(leaf_at(path)->leaf, Leaf::oper_status);
  path.elements[1].keys = {{"index", "1"}};
  EXPECT_FALSE(leaf_at(path));
  EXPECT_FALSE(leaf_at({}));
}

TEST(Path, CoversWhatIsBelow) {
  const Path leaf = path_of({Leaf::in_octets, "p1"});
  EXPECT_TRUE(covers({}, leaf));
  EXPECT_TRUE(covers({{{"interfaces", {}}, {"interface", {}}}}, leaf));
  EXPECT_TRUE(covers({{{"interfaces", {}}, {"interface", {{"name", "*"}}}, {"*", {}}}}, leaf));
  EXPECT_FALSE(covers({{{"interfaces", {}}, {"interface", {{"name", "p2"}}}}}, leaf));
  EXPECT_FALSE(covers({{{"interfaces", {{"name", "*"}}}}}, leaf));
  EXPECT_FALSE(covers(leaf, {}));
}

TEST(Speed, IsAnIdentityOfOpenConfig) {
  EXPECT_EQ(speed_name(megabits_per_second(2500)), "SPEED_2500MB");
  EXPECT_EQ(speed_name(gigabits_per_second(400)), "SPEED_400GB");
  EXPECT_EQ(read_speed("openconfig-if-ethernet:SPEED_25GB"), gigabits_per_second(25));
  EXPECT_EQ(speed_name(bits_per_second(1)), std::nullopt);
  for (const auto* text : {"", "SPEED_", "SPEED_10", "SPEED_-1GB", "SPEED_10GBx", "SPEED_0MB",
                           "SPEED_99999999999999999999GB", "SPEED_UNKNOWN"}) {
    EXPECT_FALSE(read_speed(text)) << text;
  }
}

TEST(Get, GivesWhatIsBelowAPathInEveryForm) {
  MemoryDevice device(2);
  device.send(2, 3, 300);
  wire::GetRequest request = ask_for(path_of({Leaf::out_octets, "*"}));
  for (const auto form : {wire::PROTO, wire::JSON, wire::JSON_IETF}) {
    request.set_encoding(form);
    const auto response = get(request, device);
    ASSERT_TRUE(response) << response.error().text;
    const auto leaves = leaves_in(*response);
    ASSERT_EQ(leaves.size(), 2U);
    EXPECT_EQ(leaves[1].leaf, (LeafOf{Leaf::out_octets, "p2"}));
    EXPECT_EQ(as_number(leaves[1].value), 300U);
  }
  constexpr std::size_t kComponents = 2;  // with one leaf each
  EXPECT_EQ(leaves_in(*get(ask_for({}), device)).size(), 2 * kLeaves.size() + kComponents);
  request = ask_for({});
  request.set_type(wire::GetRequest::CONFIG);
  EXPECT_EQ(leaves_in(*get(request, device)).size(), 8 + kComponents);
}

TEST(Get, RefusesWhatIsNotThereAndWhatIsMalformed) {
  MemoryDevice device(1);
  EXPECT_EQ(get(ask_for(path_of({Leaf::enabled, "p9"})), device).error().why,
            RequestErrorKind::unknown);
  EXPECT_EQ(get(ask_for({{{"", {}}}}), device).error().why, RequestErrorKind::malformed);
  EXPECT_EQ(get(ask_for({{{std::string(300, 'x'), {}}}}), device).error().why,
            RequestErrorKind::malformed);
  Path deep;
  deep.elements.resize(33, {"a", {}});
  EXPECT_EQ(get(ask_for(deep), device).error().why, RequestErrorKind::malformed);
  wire::GetRequest old = ask_for({});
  old.mutable_path(0)->add_element("interfaces");
  EXPECT_EQ(get(old, device).error().why, RequestErrorKind::malformed);
  wire::GetRequest other = ask_for({});
  other.mutable_path(0)->set_origin("cli");
  EXPECT_EQ(get(other, device).error().why, RequestErrorKind::malformed);
  wire::GetRequest many = ask_for({});
  for (int i = 0; i < 128; ++i) many.add_path();
  EXPECT_EQ(get(many, device).error().why, RequestErrorKind::malformed);
  wire::GetRequest ascii = ask_for({});
  ascii.set_encoding(wire::ASCII);
  EXPECT_EQ(get(ascii, device).error().why, RequestErrorKind::cannot);
}

TEST(Set, IsDoneInEveryForm) {
  MemoryDevice device(1);
  for (const auto form : {wire::PROTO, wire::JSON, wire::JSON_IETF}) {
    for (const std::uint64_t vlan : {7, 8}) {
      wire::SetRequest request;
      *request.add_update() = update({Leaf::access_vlan, "p1"}, vlan, form);
      *request.add_replace() = update({Leaf::enabled, "p1"}, vlan == 8, form);
      const auto response = set(request, device);
      ASSERT_TRUE(response) << response.error().text;
      EXPECT_EQ(response->response_size(), 2);
      EXPECT_EQ(device.interface(1).access_vlan, vlan);
      EXPECT_EQ(device.interface(1).enabled, vlan == 8);
    }
  }
}

TEST(Set, ChangesNothingWhenOneChangeIsWrong) {
  const LeafOf enabled{Leaf::enabled, "p1"};
  for (const auto& [wrong, why] :
       {std::pair(update({Leaf::enabled, "p9"}, false), RequestErrorKind::unknown),
        std::pair(update(enabled, std::string("no")), RequestErrorKind::malformed),
        std::pair(update({Leaf::oper_status, "p1"}, std::string("UP")),
                  RequestErrorKind::malformed),
        std::pair(update({Leaf::access_vlan, "p1"}, std::uint64_t{4095}),
                  RequestErrorKind::malformed),
        std::pair(update({Leaf::port_speed, "p1"}, std::string("fast")),
                  RequestErrorKind::malformed),
        std::pair(wire::Update{}, RequestErrorKind::unknown)}) {
    MemoryDevice device(1);
    wire::SetRequest request;
    *request.add_update() = update(enabled, false);
    *request.add_update() = wrong;
    const auto response = set(request, device);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().why, why) << response.error().text;
    EXPECT_TRUE(device.interface(1).enabled);
  }
  MemoryDevice device(1);
  wire::SetRequest deletes;
  write(path_of(enabled), *deletes.add_delete_());
  EXPECT_EQ(set(deletes, device).error().why, RequestErrorKind::cannot);
}

TEST(Subscriber, IsToldOfChangesAndWhatIsDue) {
  MemoryDevice device(2);
  const SteadyTime start{};
  const Path status = path_of({Leaf::oper_status, "*"});
  const Path octets = path_of({Leaf::out_octets, "p1"});
  Subscriber one({.parts = {{status, true, 0ns}, {octets, false, 1s}}}, start);
  const auto look = [&] { return leaves_of(*device.look(), {}); };
  EXPECT_EQ(one.all(look()).size(), 3U);
  EXPECT_TRUE(one.next(look(), start + 1ms).empty());
  device.cable(2, false);
  const auto changed = one.next(look(), start + 2ms);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0], pair_of({Leaf::oper_status, "p2"}, std::string("LOWER_LAYER_DOWN")));
  EXPECT_EQ(one.due(start + 1h), start + 1s);
  EXPECT_EQ(one.next(look(), start + 1s).size(), 1U) << "a sample, changed or not";
  EXPECT_EQ(one.due(start + 1h), start + 2s);
}

TEST(Wanted, RefusesPollsAndNothing) {
  wire::SubscriptionList list;
  list.set_encoding(wire::PROTO);
  EXPECT_EQ(wanted(list).error().why, RequestErrorKind::malformed);
  list.add_subscription()->set_sample_interval(UINT64_MAX);
  EXPECT_TRUE(wanted(list));
  list.set_mode(wire::SubscriptionList::POLL);
  EXPECT_EQ(wanted(list).error().why, RequestErrorKind::cannot);
}

// Seeds and results of fuzz_gnmi: the first byte says what the others are.
TEST(Corpus, Gnmi) {
  int seeds = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/gnmi")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    MemoryDevice device(2);
    wire::GetRequest asked;
    wire::SetRequest changes;
    wire::SubscribeRequest subscription;
    wire::Notification told;
    const std::string rest = bytes.substr(1);
    if (bytes[0] % 4 == 0 && asked.ParseFromString(rest)) static_cast<void>(get(asked, device));
    if (bytes[0] % 4 == 1 && changes.ParseFromString(rest)) static_cast<void>(set(changes, device));
    if (bytes[0] % 4 == 2 && subscription.ParseFromString(rest))
      static_cast<void>(wanted(subscription.subscribe()));
    if (bytes[0] % 4 == 3 && told.ParseFromString(rest)) static_cast<void>(read(told));
    ++seeds;
  }
  EXPECT_GE(seeds, 10);
}

}  // namespace
}  // namespace ebb::gnmi
