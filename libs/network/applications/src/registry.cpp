// SPDX-License-Identifier: Apache-2.0
#include "applications.hpp"

#include "ebb/core/names.hpp"

#include <utility>

namespace ebb::applications {
namespace {

std::vector<Application> every_application() {
  std::vector<Application> all = collectives();
  // One line per application, so that adding one changes one line.
  // clang-format off
  for (Application& one : std::vector<Application>{
           halo2d::application(),
           halo3d::application(),
           sweep3d::application(),
           fft3d::application(),
           nas_bt::application(),
           nas_cg::application(),
           nas_ep::application(),
           nas_ft::application(),
           nas_is::application(),
           nas_lu::application(),
           nas_mg::application(),
           nas_sp::application(),
           hpl::application(),
       }) {
    all.push_back(std::move(one));
  }
  // clang-format on
  return all;
}

}  // namespace

std::span<const Application> applications() {
  static const std::vector<Application> kApplications = every_application();
  return kApplications;
}

Result<const Application*> find_application(std::string_view name) {
  return find_named("application", applications(), name, &Application::name);
}

Result<program::Program> make_application(std::string_view name, const ParameterTexts& parameters) {
  const auto application = find_application(name);
  if (!application) return fail(application.error());
  const auto resolved = Parameters::resolve((*application)->parameters, parameters);
  if (!resolved) return fail(resolved.error());
  return (*application)->make(*resolved);
}

}  // namespace ebb::applications
