// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/cabling_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <random>

namespace ebb::controller {
namespace {

// Never forwarded by bridges that do not know it.
constexpr std::array<std::uint8_t, 12> kAddresses = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e,
                                                     0x02, 0xeb, 0xb0, 0x00, 0x00, 0x01};
constexpr std::array<std::uint8_t, 8> kMagic = {'e', 'b', 'b', '-', 'w', 'i', 'r', 'e'};
constexpr std::size_t kType = 12;
constexpr std::size_t kMagicAt = 14;
constexpr std::size_t kDeviceAt = 22;
constexpr std::size_t kPortAt = 26;
constexpr std::size_t kNumberAt = 30;
constexpr std::size_t kCodeAt = 38;
constexpr std::size_t kCodeBytes = 16;
constexpr std::size_t kEnd = kCodeAt + kCodeBytes;

void put(ProbeFrame& frame, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    frame[at + i] = static_cast<std::uint8_t>(value >> (8 * (bytes - 1 - i)));
}

std::uint64_t number(std::span<const std::uint8_t> frame, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = (value << 8U) | frame[at + i];
  return value;
}

}  // namespace

ProbeKey random_probe_key() {
  std::random_device random;
  ProbeKey key{};
  std::generate(key.begin(), key.end(), [&] { return static_cast<std::uint8_t>(random()); });
  return key;
}

// Keyed once: a controller of many links makes and checks tens of thousands of codes a second.
struct ProbeSeal::Code {
  std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> method{EVP_MAC_fetch(nullptr, "HMAC", nullptr),
                                                           &EVP_MAC_free};
  std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context{EVP_MAC_CTX_new(method.get()),
                                                                    &EVP_MAC_CTX_free};

  // Of all that comes before the code, from the type of the frame on.
  std::array<std::uint8_t, kCodeBytes> of(std::span<const std::uint8_t> frame) const {
    std::array<std::uint8_t, 32> whole{};
    std::size_t size = 0;
    EVP_MAC_init(context.get(), nullptr, 0, nullptr);
    EVP_MAC_update(context.get(), frame.data() + kType, kCodeAt - kType);
    EVP_MAC_final(context.get(), whole.data(), &size, whole.size());
    std::array<std::uint8_t, kCodeBytes> code{};
    std::copy_n(whole.begin(), kCodeBytes, code.begin());
    return code;
  }
};

ProbeSeal::ProbeSeal(const ProbeKey& key) : code_(std::make_unique<Code>()) {
  std::string digest = "SHA256";
  const std::array parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  EVP_MAC_init(code_->context.get(), key.data(), key.size(), parameters.data());
}

ProbeSeal::~ProbeSeal() = default;

ProbeFrame ProbeSeal::seal(const Probe& probe) const {
  ProbeFrame frame{};
  std::copy(kAddresses.begin(), kAddresses.end(), frame.begin());
  put(frame, kType, kDiscoveryEtherType, 2);
  std::copy(kMagic.begin(), kMagic.end(), frame.begin() + kMagicAt);
  put(frame, kDeviceAt, probe.from.device, 4);
  put(frame, kPortAt, probe.from.port, 4);
  put(frame, kNumberAt, probe.number, 8);
  const auto code = code_->of(frame);
  std::copy(code.begin(), code.end(), frame.begin() + kCodeAt);
  return frame;
}

Result<Probe> ProbeSeal::open(std::span<const std::uint8_t> frame) const {
  if (frame.size() < kEnd) return fail("the frame is too short");
  if (!std::equal(kMagic.begin(), kMagic.end(), frame.begin() + kMagicAt))
    return fail("the frame is no probe");
  const auto code = code_->of(frame);
  if (CRYPTO_memcmp(code.data(), frame.data() + kCodeAt, code.size()) != 0)
    return fail("the probe is not of this controller");
  return Probe{{static_cast<std::uint32_t>(number(frame, kDeviceAt, 4)),
                static_cast<forwarding::PortNumber>(number(frame, kPortAt, 4))},
               number(frame, kNumberAt, 8)};
}

CablingCheck::CablingCheck(const topology::Graph& graph) : graph_(graph) {
  for (std::uint32_t device = 0; device < graph_.switch_count(); ++device) {
    const auto ports = graph_.outputs(graph_.switch_node(device)).size();
    for (forwarding::PortNumber port = 1; port <= ports; ++port) {
      if (expected({device, port})) silent_.insert(silent_.end(), {device, port});
    }
  }
}

bool CablingCheck::heard(const Place& at, const Place& from) {
  const auto [there, is_new] = heard_.try_emplace(at, from);
  if (!is_new && there->second == from) return false;
  there->second = from;
  silent_.erase(at);
  if (expected(at) == from) {
    wrong_.erase(at);
  } else {
    wrong_.insert(at);
  }
  return true;
}

void CablingCheck::forget(const Place& at) {
  if (heard_.erase(at) == 0) return;
  wrong_.erase(at);
  if (expected(at)) silent_.insert(at);
}

void CablingCheck::lost(const Place& from) {
  std::vector<Place> gone;
  const auto other = expected(from);
  if (const auto there = other ? heard_.find(*other) : heard_.end();
      there != heard_.end() && there->second == from)
    gone.push_back(*other);
  for (const Place& at : wrong_) {
    if (heard_.at(at) == from) gone.push_back(at);
  }
  for (const Place& at : gone) forget(at);
}

// What its ports heard, and who heard it: where they should, or among what is wrong.
void CablingCheck::forget(std::uint32_t device) {
  std::vector<Place> gone;
  for (auto at = heard_.lower_bound({device, 0}); at != heard_.end() && at->first.device == device;
       ++at) {
    gone.push_back(at->first);
  }
  const auto ports = graph_.outputs(graph_.switch_node(device)).size();
  for (forwarding::PortNumber port = 1; port <= ports; ++port) {
    const auto other = expected({device, port});
    const auto there = other ? heard_.find(*other) : heard_.end();
    if (there != heard_.end() && there->second.device == device) gone.push_back(*other);
  }
  for (const Place& at : wrong_) {
    if (heard_.at(at).device == device) gone.push_back(at);
  }
  for (const Place& at : gone) forget(at);
}

std::optional<Place> CablingCheck::expected(const Place& at) const {
  const auto output = forwarding::output_at(graph_, at.device, at.port);
  if (!output || graph_.is_host(graph_.target(*output))) return std::nullopt;
  return Place{index(graph_.target(*output)),
               forwarding::port_of(graph_, topology::reverse(*output))};
}

std::string CablingCheck::name(const Place& place) const {
  const std::string device = place.device < graph_.switch_count()
                                 ? graph_.name(graph_.switch_node(place.device))
                                 : "an unknown switch";
  return fmt::format("{} port {}", device, place.port);
}

std::vector<std::string> CablingCheck::wrong() const {
  std::vector<std::string> lines;
  for (const Place& at : wrong_) {
    const Place& from = heard_.at(at);
    const auto should = expected(at);
    const std::string wanted = should ? name(*should) : "no other switch";
    lines.push_back(
        fmt::format("{} should lead to {}, but leads to {}", name(at), wanted, name(from)));
  }
  return lines;
}

}  // namespace ebb::controller
