// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/not_counted.hpp"

#include "ebb/power/model.hpp"

#include <algorithm>
#include <string_view>

namespace ebb::plan {
namespace {

using power::Library;
using power::Module;

std::optional<Proposal> nic_for(DataRate rate, const Library& library) {
  const auto fitting =
      library.parts_where<power::Nic>([&](const power::Nic& nic) { return nic.rate == rate; });
  if (fitting.empty()) return std::nullopt;
  const auto& power = std::get<power::Nic>(fitting.front()->body).power;
  return Proposal{fitting.front()->name, power.value, library.source(power.source)};
}

std::optional<Proposal> module_for(std::string_view medium, DataRate rate, const Library& library) {
  const auto step_of = [&](const Module& module) {
    return std::find_if(module.steps.begin(), module.steps.end(),
                        [&](const auto& each) { return each.rate == rate; });
  };
  const auto fitting = library.parts_where<Module>([&](const Module& module) {
    return module.medium == medium && step_of(module) != module.steps.end();
  });
  if (fitting.empty()) return std::nullopt;
  const auto& power = step_of(std::get<Module>(fitting.front()->body))->power;
  return Proposal{fitting.front()->name, power.value, library.source(power.source)};
}

// Whether the switch's own numbers have the modules in its ports.
bool counts_modules(std::string_view medium, const Inputs& inputs, const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  const auto* box = part ? std::get_if<power::Box>(&(*part)->body) : nullptr;
  if (box == nullptr) return false;
  const auto setup = power::setup_at(*box, medium, inputs.rate);
  return setup && setup->plugged.value != Power{};
}

struct Ends {
  std::string_view medium;
  std::string_view component;
  bool named = false;
  std::int64_t links = 0;
  std::int64_t switch_ports = 0;
};

void add_ends(const Ends& ends, const Inputs& inputs, const Library& library,
              std::vector<NotCounted>& all) {
  if (ends.named) return;
  const bool own = counts_modules(ends.medium, inputs, library);
  const std::int64_t missing = 2 * ends.links - (own ? ends.switch_ports : 0);
  if (missing == 0) return;
  all.push_back({std::string(ends.component), std::string(ends.medium), missing,
                 module_for(ends.medium, inputs.rate, library)});
}

}  // namespace

std::vector<NotCounted> not_counted(const PartsCount& count, const Inputs& inputs,
                                    const Library& library) {
  std::vector<NotCounted> all;
  const PartChoice& parts = inputs.parts;
  if (!parts.nic && count.hosts > 0) {
    all.push_back(
        {"network cards", "nic", count.hosts, nic_for(inputs.rate * count.interfaces, library)});
  }
  add_ends({"optical", "modules at ends of optical cables", parts.optical.has_value(),
            count.optical_links, count.optical_ports},
           inputs, library, all);
  add_ends({"electrical", "ends of electrical cables", parts.electrical.has_value(),
            count.electrical_links, count.electrical_ports},
           inputs, library, all);
  if (!parts.circuit_switch && count.circuit_switches > 0)
    all.push_back({"optical circuit switches", "circuit-switch", count.circuit_switches, {}});
  return all;
}

}  // namespace ebb::plan
