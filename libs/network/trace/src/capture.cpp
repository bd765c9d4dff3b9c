// SPDX-License-Identifier: Apache-2.0
//
// Captures of packets (pcap, pcapng) as lists of flows. A flow is the packets of one direction of
// a connection, by addresses, protocol and ports, without a gap of more than the parameter `gap`
// between two of them. It starts with its first packet and has the bytes of their payload. A table
// says which host an address belongs to.
#include "address_table.hpp"
#include "flows.hpp"
#include "formats.hpp"
#include "packet_headers.hpp"

#include "ebb/trace/flow_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#ifdef EBB_HAVE_PCAP
#include <arpa/inet.h>
#include <cstdio>
#include <memory>
#include <pcap/pcap.h>
#endif

namespace ebb::trace {
namespace {

// The first four bytes of pcap, with microseconds and with nanoseconds, in both byte orders, and of
// pcapng.
bool recognizes_capture(const Input& input) {
  constexpr std::array<std::string_view, 5> kFirst = {"\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1",
                                                      "\xa1\xb2\x3c\x4d", "\x4d\x3c\xb2\xa1",
                                                      "\x0a\x0d\x0d\x0a"};
  return std::ranges::find(kFirst, input.file->text().substr(0, 4)) != kFirst.end();
}

Result<Trace> read_capture_file(const Input& input, const Parameters& parameters) {
  return read_capture(input.file->bytes(), input.path, input.addresses, parameters);
}

#ifdef EBB_HAVE_PCAP

using std::chrono::nanoseconds;

std::string text_of_address(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(address.size == 4 ? AF_INET : AF_INET6, address.bytes.data(), text.data(), text.size());
  return text.data();
}

// Packets that are left out, and of which kind the first was.
struct LeftOut {
  std::uint64_t packets = 0;
  std::string first;
};

// The packets of a capture, collected into flows.
class CapturedFlows {
 public:
  CapturedFlows(const AddressTable& addresses, nanoseconds gap)
      : addresses_(addresses), gap_(gap) {}

  void add(nanoseconds at, const std::optional<PacketHeaders>& headers) {
    first_ = std::min(first_, at);
    if (!headers) return count(no_headers_, [] { return std::string(); });
    const auto source = host(headers->source);
    const auto destination = host(headers->destination);
    if (!source || !destination) return;
    if (*source == *destination) {
      return count(within_host_, [&] { return text_of_address(headers->source); });
    }
    if (headers->payload == 0) return count(without_payload_, [] { return std::string(); });
    if (headers->is_later_fragment) count(fragments_, [] { return std::string(); });
    const auto [open, is_new] =
        open_.try_emplace(key_of(*headers), static_cast<std::uint32_t>(flows_.size()));
    if (!is_new && at - last_[open->second] <= gap_) {
      append(open->second, at, headers->payload);
      return;
    }
    open->second = static_cast<std::uint32_t>(flows_.size());
    flows_.push_back({.start = {at, {}}, .source = *source, .destination = *destination});
    last_.push_back(at);
    append(open->second, at, headers->payload);
  }

  // From the first packet on.
  FlowList take_list() {
    FlowList list{addresses_.ranks(), std::move(flows_), {}};
    for (Flow& flow : list.flows) flow.start.at -= first_;
    return list;
  }

  [[nodiscard]] std::vector<std::string> repairs(const std::string& table) const {
    std::vector<std::string> repairs;
    const auto note = [&](const LeftOut& one, const std::string& what) {
      if (one.packets > 0) repairs.push_back(fmt::format("{} {}", one.packets, what));
    };
    note(no_headers_, "packets that are not IP, or whose headers were not captured, are left out");
    note(unknown_, fmt::format("packets are left out because an address is not in {} (first: {})",
                               table, unknown_.first));
    note(within_host_,
         fmt::format("packets within a host are left out (first: from {})", within_host_.first));
    note(without_payload_, "packets without payload are left out");
    note(fragments_, "fragments after the first of a packet are flows of their own, without ports");
    return repairs;
  }

 private:
  template <class First>
  static void count(LeftOut& kind, First first) {
    if (kind.packets++ == 0) kind.first = first();
  }

  std::optional<std::uint32_t> host(const IpAddress& address) {
    const auto found = addresses_.rank(address);
    if (!found) count(unknown_, [&] { return text_of_address(address); });
    return found;
  }

  static std::string key_of(const PacketHeaders& headers) {
    std::string key;
    for (const IpAddress* address : {&headers.source, &headers.destination})
      key.append(address->bytes.begin(), address->bytes.begin() + address->size);
    for (const unsigned value : {unsigned{headers.protocol}, unsigned{headers.source_port},
                                 unsigned{headers.destination_port}}) {
      key += static_cast<char>(value & 0xffU);
      key += static_cast<char>(value >> 8U);
    }
    return key;
  }

  void append(std::uint32_t which, nanoseconds at, std::uint32_t payload) {
    Flow& flow = flows_[which];
    flow.start.at = std::min(flow.start.at, at);
    flow.size += bytes(payload);
    last_[which] = std::max(last_[which], at);
  }

  const AddressTable& addresses_;
  nanoseconds gap_;
  nanoseconds first_ = nanoseconds::max();
  std::vector<Flow> flows_;
  std::vector<nanoseconds> last_;                        // packet, by flow
  std::unordered_map<std::string, std::uint32_t> open_;  // flows, by addresses, protocol and ports
  LeftOut no_headers_;
  LeftOut unknown_;
  LeftOut within_host_;
  LeftOut without_payload_;
  LeftOut fragments_;
};

struct CloseCapture {
  void operator()(pcap_t* capture) const { pcap_close(capture); }
};
using Capture = std::unique_ptr<pcap_t, CloseCapture>;

Result<Capture> open_capture(std::span<const std::byte> bytes, const std::string& name) {
  std::FILE* file = fmemopen(const_cast<std::byte*>(bytes.data()), bytes.size(), "rb");
  if (file == nullptr) return fail(std::strerror(errno), {name});
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  Capture capture(
      pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, error.data()));
  if (capture) return capture;
  std::fclose(file);
  return fail(error.data(), {name});
}

Result<LinkLayer> link_layer(pcap_t* capture, const std::string& name) {
  const int type = pcap_datalink(capture);
  switch (type) {
    case DLT_EN10MB:
      return LinkLayer::ethernet;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return LinkLayer::none;
    case DLT_LINUX_SLL:
      return LinkLayer::linux_cooked;
    case DLT_LINUX_SLL2:
      return LinkLayer::linux_cooked_2;
    default:
      break;
  }
  const char* const known = pcap_datalink_val_to_name(type);
  return fail(fmt::format("packets of the link type {} are not read: EN10MB, RAW, IPV4, IPV6, "
                          "LINUX_SLL and LINUX_SLL2 are",
                          known != nullptr ? known : std::to_string(type)),
              {name});
}

#endif

}  // namespace

#ifdef EBB_HAVE_PCAP

Result<Trace> read_capture(std::span<const std::byte> file, const std::string& name,
                           const std::string& addresses_path, const Parameters& parameters) {
  if (addresses_path.empty()) {
    return fail("the addresses of a capture become ranks by a table: --addresses FILE", {name});
  }
  const auto addresses = AddressTable::read(addresses_path);
  if (!addresses) return fail(addresses.error());
  const auto capture = open_capture(file, name);
  if (!capture) return fail(capture.error());
  const auto link = link_layer(capture->get(), name);
  if (!link) return fail(link.error());
  CapturedFlows flows(*addresses, std::chrono::floor<nanoseconds>(parameters.duration("gap")));
  constexpr std::int64_t kMostSeconds = 9'000'000'000;  // nanoseconds fit into 64 bits
  pcap_pkthdr* header = nullptr;
  const unsigned char* packet = nullptr;
  int next = 0;
  std::uint64_t impossible = 0;
  while ((next = pcap_next_ex(capture->get(), &header, &packet)) == 1) {
    const std::int64_t seconds = header->ts.tv_sec;
    const std::int64_t rest = header->ts.tv_usec;  // nanoseconds, as was asked for
    if (seconds < 0 || seconds > kMostSeconds || rest < 0 || rest >= 1'000'000'000) {
      ++impossible;
      continue;
    }
    flows.add(std::chrono::seconds(seconds) + nanoseconds(rest),
              parse_headers({packet, header->caplen}, header->len, *link));
  }
  auto repairs = flows.repairs(addresses_path);
  if (impossible > 0)
    repairs.push_back(fmt::format("{} packets with impossible times are left out", impossible));
  if (next == PCAP_ERROR) {
    repairs.push_back(
        fmt::format("the capture ends inside of a packet ({})", pcap_geterr(capture->get())));
  }
  return trace_of_flows(flows.take_list(), parameters, name, std::move(repairs));
}

#else

Result<Trace> read_capture(std::span<const std::byte>, const std::string& name, const std::string&,
                           const Parameters&) {
  return fail("this ebb was built without libpcap, which reads captures", {name});
}

#endif

Format capture_format() {
  using namespace std::chrono_literals;
  return {"capture",
          "captures of packets, pcap or pcapng, as flows; needs --addresses",
          {begin_parameter(),
           {"gap", Range<Duration>{1ns, 24h}, "1ms",
            "a flow ends when no packet of it comes for so long"}},
          recognizes_capture,
          read_capture_file};
}

}  // namespace ebb::trace
