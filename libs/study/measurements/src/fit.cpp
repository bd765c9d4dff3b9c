// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/fit.hpp"

#include "least_squares.hpp"

#include "ebb/measurements/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ebb::measurements {
namespace {

using power::Box;
using power::PortSetup;

// Fits of what a port draws scatter around zero; a negative base or energy is not physical.
bool has_bound(const Parameter& parameter) {
  return parameter.term == Term::base || parameter.term == Term::per_bit ||
         parameter.term == Term::per_packet;
}

std::vector<Parameter> named(const std::vector<std::size_t>& columns, const Series& series) {
  std::vector<Parameter> parameters;
  parameters.reserve(columns.size());
  for (const std::size_t column : columns) parameters.push_back(series.parameters[column]);
  return parameters;
}

// The estimates of one setup as a port of a part file.
class SetupMaker {
 public:
  SetupMaker(const Fit& fit, const FittedBox& box) : fit_(fit), box_(box) {}

  void add(const std::string& name) {
    PortSetup setup;
    setup.name = name;
    const std::size_t space = name.find(' ');
    const auto rate = parse_speed(std::string_view(name).substr(0, space));
    if (!rate) lacks(fmt::format("the setup '{}' does not begin with its rate, as 100G LR", name));
    setup.rate = rate.value_or(DataRate{});
    const std::string module = space == std::string::npos ? "" : name.substr(space + 1);
    const auto given = box_.media.find(module);
    setup.medium = given == box_.media.end() ? medium_of(module) : given->second;
    if (setup.medium.empty()) {
      lacks(
          fmt::format("the name of the module '{}' does not tell its medium; give it with "
                      "--medium",
                      module));
    }
    setup.port.value = power_of({Term::port, name}, watts(-1));
    setup.plugged.value = power_of({Term::plugged, name}, watts(-1));
    setup.up.value = power_of({Term::up, name}, watts(-1));
    if (const auto energy = energy_of({Term::per_bit, name}))
      setup.energy_per_bit = power::Sourced<Energy>{*energy, 0};
    if (const auto energy = energy_of({Term::per_packet, name}))
      setup.energy_per_packet = power::Sourced<Energy>{*energy, 0};
    setups_.push_back(std::move(setup));
  }

  Power power_of(const Parameter& parameter, Power least) {
    const Estimate* estimate = find(parameter);
    if (estimate == nullptr) {
      lacks(fmt::format("{} is not identifiable", to_text(parameter)));
      return {};
    }
    const Power power = microwatts(std::llround(estimate->value * 1e6));
    if (power < least) {
      lacks(fmt::format("{} is {:.4g} W, less than a part file allows", to_text(parameter),
                        estimate->value));
    }
    return power;
  }

  [[nodiscard]] std::vector<PortSetup> take_setups() { return std::move(setups_); }
  [[nodiscard]] Errors& errors() { return errors_; }

 private:
  void lacks(std::string what) { errors_.push_back({std::move(what), {}}); }

  [[nodiscard]] const Estimate* find(const Parameter& parameter) const {
    const auto found =
        std::find_if(fit_.estimates.begin(), fit_.estimates.end(),
                     [&](const Estimate& one) { return one.parameter == parameter; });
    return found == fit_.estimates.end() ? nullptr : &*found;
  }

  // Energies are not needed; one that is at its bound of zero was not seen, and is left out.
  [[nodiscard]] std::optional<Energy> energy_of(const Parameter& parameter) {
    const Estimate* estimate = find(parameter);
    if (estimate == nullptr || estimate->at_bound) return std::nullopt;
    const double most = parameter.term == Term::per_bit ? 1e-9 : 1e-5;  // of part files, in J
    if (estimate->value > most) {
      lacks(fmt::format("{} is {:.4g} J, more than a part file allows", to_text(parameter),
                        estimate->value));
      return std::nullopt;
    }
    return attojoules(static_cast<Int128>(std::llround(estimate->value * 1e18)));
  }

  const Fit& fit_;
  const FittedBox& box_;
  std::vector<PortSetup> setups_;
  Errors errors_;
};

void add_setup(std::vector<std::string>& setups, const Parameter& parameter) {
  const bool is_known = std::find(setups.begin(), setups.end(), parameter.setup) != setups.end();
  if (parameter.term != Term::base && !is_known) setups.push_back(parameter.setup);
}

std::vector<std::string> setups_of(const Fit& fit) {
  std::vector<std::string> setups;
  for (const Estimate& one : fit.estimates) add_setup(setups, one.parameter);
  for (const Unidentified& group : fit.unidentified) {
    for (const Parameter& parameter : group.parameters) add_setup(setups, parameter);
  }
  return setups;
}

}  // namespace

Result<Fit> fit_box(const Series& series) {
  const auto rows = static_cast<Eigen::Index>(series.intervals());
  const auto columns = static_cast<Eigen::Index>(series.parameters.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd regressors =
      Eigen::Map<const RowMajor>(series.regressors.data(), rows, columns);
  const Eigen::VectorXd watts = Eigen::Map<const Eigen::VectorXd>(series.watts.data(), rows);
  std::vector<bool> bounded;
  for (const Parameter& parameter : series.parameters) bounded.push_back(has_bound(parameter));
  const auto squares = least_squares(regressors, watts, bounded);
  if (!squares) {
    return fail(fmt::format("{} intervals are too few for {} parameters", rows, columns));
  }
  Fit fit{.intervals = series.intervals()};
  fit.residuals = residuals_of(*squares, watts);
  for (std::size_t i = 0; i < series.parameters.size(); ++i) {
    const LeastSquares::Column& column = squares->columns[i];
    if (!column.identified) continue;
    fit.estimates.push_back(
        {series.parameters[i], column.value, column.low, column.high, column.at_bound});
  }
  for (const auto& group : squares->groups) fit.unidentified.push_back({named(group, series)});
  for (const std::size_t column : squares->zero)
    fit.unidentified.push_back({named({column}, series), true});
  return fit;
}

Result<power::Library> library_of(const Fit& fit, const FittedBox& box) {
  SetupMaker maker(fit, box);
  Box body{.ports = box.ports};
  body.base.value = maker.power_of({Term::base, ""}, Power{});
  for (const std::string& setup : setups_of(fit)) maker.add(setup);
  body.setups = maker.take_setups();
  if (body.setups.empty()) maker.errors().push_back({"no port was seen", {}});
  if (!maker.errors().empty()) return fail(std::move(maker.errors()));
  power::Library library;
  library.add_source(box.source);
  library.add_part({.name = box.name,
                    .summary = fmt::format("{} ports, fitted to measured power", box.ports),
                    .body = std::move(body)});
  return library;
}

}  // namespace ebb::measurements
