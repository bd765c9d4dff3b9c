// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/run_key.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <openssl/evp.h>

namespace ebb::results {
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

// What the names of parts stand for: another file may define them otherwise.
void add_power(const config::Simulation& simulation, Sha256& hash) {
  hash.add(fmt::format("core {}\n", simulation.switch_core.count()));
  for (const netsim::ChannelModel& model : simulation.models) {
    hash.add(fmt::format("model {} {}", model.rate_change.count(), model.lane_change.count()));
    if (model.sleep)
      hash.add(fmt::format(" {} {}", model.sleep->power.count(), model.sleep->wake.count()));
    hash.add("\n");
    for (const netsim::ChannelModel::Step& step : model.steps)
      hash.add(fmt::format("{} {} {}\n", step.rate.count(), step.lanes, step.power.count()));
  }
}

// What a graph file holds. Generated graphs follow from configuration and version.
void add_graph(const topology::Graph& graph, Sha256& hash) {
  for (const topology::Link& link : graph.links()) {
    hash.add(fmt::format("link {} {} {} {} {}\n", index(link.a), index(link.b), link.length_mm,
                         static_cast<int>(link.medium), link.ladder));
  }
  for (const std::string& name : graph.names()) hash.add(fmt::format("{}\n", name));
  for (const auto& [key, value] : graph.origin().parameters)
    hash.add(fmt::format("{} {}\n", key, value));
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
  const std::string hex = setup.hex();
  return {hex, seeded_key(hex, simulation.spec.seed)};
}

}  // namespace ebb::results
