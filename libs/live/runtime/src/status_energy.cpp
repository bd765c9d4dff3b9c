// SPDX-License-Identifier: Apache-2.0
//
// The status in the IETF's power-and-energy model. Names of links stand behind that of the fabric,
// which has no '/'.
#include "ebb/runtime/status.hpp"

#include <cmath>
#include <cstdint>

namespace ebb::runtime {
namespace {

using Json = nlohmann::ordered_json;

Power in_power(const Json& watts) { return microwatts(std::llround(watts.get<double>() * 1e6)); }

Energy in_energy(const Json& joules) {
  return attojoules(static_cast<Int128>(joules.get<double>() * 1e18));
}

}  // namespace

Result<std::vector<monitor::EnergyObject>> energy_objects(const Json& status) {
  const Json& modelled = status["modelled"];
  const auto accuracy = power::accuracy_named(modelled.value("accuracy", ""));
  if (!accuracy || !modelled.contains("used_j"))
    return fail("the controller is of a version that does not tell what its watts rest on");
  if (*accuracy == power::Accuracy::unknown) {
    return fail(
        "the fabric file names no part, so watts are not known: parts: {switch: ..., setup: ...}");
  }
  const auto name = status["fabric"].get<std::string>();
  const Json& links = status["links"];
  std::vector<monitor::EnergyObject> objects = {{.id = name,
                                                 .power = in_power(modelled["now_w"]),
                                                 .consumed = in_energy(modelled["used_j"]),
                                                 .accuracy = *accuracy}};
  objects.reserve(1 + links.size());
  for (const Json& link : links) {
    objects.push_back({.id = name + "/" + link["link"].get<std::string>(),
                       .power = in_power(link["now_w"]),
                       .accuracy = *accuracy});
  }
  return objects;
}

}  // namespace ebb::runtime
