// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

namespace ebb::routing {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

std::vector<Texts> grids() {
  return {{{"hosts", "2"}, {"dims", "4"}},
          {{"hosts", "1"}, {"dims", "1"}},
          {{"hosts", "1"}, {"dims", "2x2"}},
          {{"hosts", "1"}, {"dims", "5x4"}, {"parallel", "1x2"}},
          {{"hosts", "1"}, {"dims", "3x1x4"}},
          {{"hosts", "2"}, {"dims", "2x3x3"}, {"parallel", "2x1x3"}},
          {{"hosts", "1"}, {"dims", "6x5"}}};
}

std::vector<Texts> dragonflies() {
  return {{{"p", "1"}, {"a", "2"}, {"h", "1"}},
          {{"p", "2"}, {"a", "4"}, {"h", "2"}},
          {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "5"}},  // parallel links between groups
          {{"p", "1"}, {"a", "3"}, {"h", "3"}, {"g", "4"}},  // an exact number of cycles
          {{"p", "1"}, {"a", "4"}, {"h", "3"}, {"g", "6"}},  // an incomplete last cycle
          {{"p", "1"}, {"a", "2"}, {"h", "4"}, {"g", "6"}},  // both ends of a distance on a switch
          {{"p", "1"}, {"a", "1"}, {"h", "4"}},              // groups of one switch
          {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "2"}},  // two groups
          {{"p", "1"}, {"a", "3"}, {"h", "2"}, {"g", "4"}, {"fill", "0"}}};
}

std::vector<Texts> closes() {
  return {{{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}},
          {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}},
          {{"ports", "6"}, {"levels", "3"}, {"hosts", "27"}},  // half of the pods
          {{"ports", "6"}, {"levels", "3"}, {"hosts", "11"}},  // a partial pod and leaf
          {{"ports", "4"}, {"levels", "4"}, {"hosts", "32"}},
          {{"ports", "4"}, {"levels", "4"}, {"hosts", "23"}},
          {{"ports", "8"}, {"levels", "2"}, {"hosts", "30"}, {"down", "6"}},  // oversubscribed
          {{"ports", "4"}, {"levels", "2"}, {"hosts", "2"}}};                 // one leaf
}

std::vector<Texts> chassis() {
  return {{{"hosts", "32"}, {"chip_ports", "8"}}, {{"hosts", "3"}, {"chip_ports", "8"}},
          {{"hosts", "8"}, {"chip_ports", "8"}},  {{"hosts", "40"}, {"chip_ports", "8"}},
          {{"hosts", "65"}, {"chip_ports", "8"}},  // one host in the last chassis
          {{"hosts", "99"}, {"chip_ports", "8"}}, {{"hosts", "8"}, {"chip_ports", "4"}},
          {{"hosts", "7"}, {"chip_ports", "4"}},  {{"hosts", "60"}, {"chip_ports", "12"}}};
}

std::vector<Texts> irregulars() {
  return {{{"switches", "2"}, {"degree", "1"}, {"hosts", "1"}},
          {{"switches", "12"}, {"degree", "3"}, {"hosts", "1"}},
          {{"switches", "20"}, {"degree", "4"}, {"hosts", "2"}, {"seed", "7"}},
          {{"switches", "16"}, {"degree", "2"}, {"hosts", "1"}, {"seed", "3"}}};
}

std::vector<Texts> shapes(const std::string& family) {
  if (family == "dragonfly") return dragonflies();
  if (family == "clos") return closes();
  if (family == "clos_chassis") return chassis();
  if (family == "irregular") return irregulars();
  if (family == "complete") return {{{"switches", "5"}, {"hosts", "2"}, {"parallel", "2"}}};
  if (family == "tree") return {{{"switches", "5"}, {"hosts", "2"}, {"parallel", "2"}}};
  return grids();
}

}  // namespace

std::vector<Case> small_cases() {
  std::vector<Case> cases;
  for (const Scheme& scheme : schemes()) {
    for (const topology::Family& family : topology::families()) {
      if (!scheme.supports(family.name)) continue;
      for (Texts& parameters : shapes(family.name))
        cases.push_back({scheme.name, family.name, std::move(parameters)});
    }
  }
  return cases;
}

}  // namespace ebb::routing
