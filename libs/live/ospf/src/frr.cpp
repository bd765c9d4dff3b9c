// SPDX-License-Identifier: Apache-2.0
#include "ebb/ospf/link_state.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <bit>
#include <map>
#include <stdexcept>
#include <utility>

namespace ebb::ospf {
namespace {

using Json = nlohmann::json;

constexpr const char* kPointToPoint = "another Router (point-to-point)";
constexpr const char* kStub = "Stub Network";

struct Subnet {
  std::uint32_t address = 0;
  std::uint32_t mask = 0;

  [[nodiscard]] bool has(std::uint32_t host) const { return (host & mask) == address; }
  auto operator<=>(const Subnet&) const = default;
};

// As exceptions of the library for JSON, which name no file either.
struct NotUnderstood : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint32_t number_of(const std::string& address) {
  in_addr parsed{};
  if (inet_pton(AF_INET, address.c_str(), &parsed) != 1)
    throw NotUnderstood(fmt::format("'{}' is no IPv4 address", address.substr(0, 40)));
  return ntohl(parsed.s_addr);
}

Cost output_cost(const Json& link, Cost least) {
  const Json& cost = link.at("tos0Metric");
  if (!cost.is_number_unsigned() || cost < least || cost > kMostCost)
    throw NotUnderstood(fmt::format("a cost is {} to {}, not {}", least, kMostCost, cost.dump()));
  return cost.get<Cost>();
}

std::string to_text(const Subnet& subnet) {
  const in_addr address{htonl(subnet.address)};
  std::array<char, INET_ADDRSTRLEN> text{};
  inet_ntop(AF_INET, &address, text.data(), text.size());
  return fmt::format("{}/{}", text.data(), std::popcount(subnet.mask));
}

// An interface that leads to another router, as its router advertises it.
struct HalfLink {
  Interface at;
  Router to = 0;
  Subnet subnet;
};

class Reader {
 public:
  Result<LinkState> read(const Json& database) {
    const Json& areas = database.at("routerLinkStates").at("areas");
    if (areas.size() != 1) return fail(fmt::format("{} areas; one is understood", areas.size()));
    const Json& routers = areas.front();
    for (const Json& router : routers)
      made_.routers.push_back(router.at("linkStateId").get<std::string>());
    for (Router router = 0; router < routers.size(); ++router)
      read_router(router, routers[router].value("routerLinks", Json::object()));
    join();
    share();
    if (!errors_.empty()) return fail(std::move(errors_));
    return std::move(made_);
  }

 private:
  void read_router(Router router, const Json& links) {
    std::vector<std::pair<Subnet, Cost>> stubs;
    for (const Json& link : links) {
      if (link.at("linkType") == kStub) stubs.push_back(read_stub(link));
    }
    for (const Json& link : links) {
      const auto type = link.at("linkType").get<std::string>();
      if (type == kPointToPoint) {
        read_link(router, link, stubs);
      } else if (type != kStub) {
        errors_.push_back({fmt::format("{} has a link of type '{}', which is not understood",
                                       made_.routers[router], type),
                           {}});
      }
    }
    for (const auto& [subnet, cost] : stubs) stubs_[subnet].push_back({router, cost});
  }

  static std::pair<Subnet, Cost> read_stub(const Json& link) {
    return {{number_of(link.at("networkAddress")), number_of(link.at("networkMask"))},
            output_cost(link, 0)};
  }

  void read_link(Router router, const Json& link,
                 const std::vector<std::pair<Subnet, Cost>>& stubs) {
    const auto neighbor = link.at("neighborRouterId").get<std::string>();
    const auto to = std::find(made_.routers.begin(), made_.routers.end(), neighbor);
    if (to == made_.routers.end()) {
      errors_.push_back(
          {fmt::format("{} has a link to {}, which says nothing", made_.routers[router], neighbor),
           {}});
      return;
    }
    HalfLink half{
        .at = {router, output_cost(link, 1), link.at("routerInterfaceAddress").get<std::string>()},
        .to = static_cast<Router>(to - made_.routers.begin())};
    const std::uint32_t address = number_of(half.at.address);
    const auto own = std::find_if(stubs.begin(), stubs.end(),
                                  [&](const auto& stub) { return stub.first.has(address); });
    if (own != stubs.end()) half.subnet = own->first;  // else it has no address of its own
    halves_.push_back(std::move(half));
  }

  // Links without addresses are told apart by their routers alone.
  void join() {
    std::vector<bool> joined(halves_.size(), false);
    for (std::size_t i = 0; i < halves_.size(); ++i) {
      if (joined[i]) continue;
      std::size_t other = i + 1;
      while (other < halves_.size() && (joined[other] || !is_other_end(halves_[i], halves_[other])))
        ++other;
      if (other == halves_.size()) {
        errors_.push_back(
            {fmt::format("{} has a link to {} that has no other end",
                         made_.routers[halves_[i].at.router], made_.routers[halves_[i].to]),
             {}});
        continue;
      }
      joined[other] = true;
      made_.links.push_back({halves_[i].at, halves_[other].at});
    }
  }

  static bool is_other_end(const HalfLink& one, const HalfLink& other) {
    return one.to == other.at.router && other.to == one.at.router && one.subnet == other.subnet;
  }

  // Subnets of links carry nothing for hosts.
  void share() {
    for (const HalfLink& half : halves_) stubs_.erase(half.subnet);
    for (const auto& [subnet, at] : stubs_) {
      if (at.size() > 1) made_.prefixes.push_back({to_text(subnet), at});
    }
  }

  LinkState made_;
  std::vector<HalfLink> halves_;
  std::map<Subnet, std::vector<Attachment>> stubs_;
  Errors errors_;
};

}  // namespace

Result<LinkState> read_frr_database(std::string_view json) {
  try {
    return Reader().read(Json::parse(json));
  } catch (const Json::exception& problem) {
    return fail(fmt::format("is no database of FRR: {}", problem.what()));
  } catch (const NotUnderstood& problem) {
    return fail(problem.what());
  }
}

}  // namespace ebb::ospf
