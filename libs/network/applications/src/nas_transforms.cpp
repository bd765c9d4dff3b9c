// SPDX-License-Identifier: Apache-2.0
//
// The benchmarks whose ranks speak with all others, and the one that hardly speaks:
//
//   FT  a Fourier transform in three dimensions; each rank has some planes, and an all-to-all
//       transposes the box once before the iterations and once in each. The checksum of an
//       iteration is a reduce of 16 bytes.
//   IS  a sort of integers by buckets. In each iteration an all-reduce of 1,024 bucket sizes and
//       five numbers, an all-to-all of one number, and an all-to-all of the keys, of which each
//       pair of ranks has the same share: keys are drawn so that buckets are about even.
//   EP  pairs of random numbers; three all-reduces at the end.
#include "grid.hpp"
#include "nas.hpp"

#include <cmath>

namespace ebb::applications {
namespace {

using Kind = program::Collective::Kind;

struct FtSize {
  std::int64_t points = 0;
  std::int64_t planes = 0;  // at most one rank for each
  std::int64_t iterations = 0;
};
constexpr OfClass<FtSize> kFtSizes = {FtSize{256L * 256 * 128, 128, 6},
                                      FtSize{512L * 256 * 256, 256, 20},
                                      FtSize{512L * 512 * 512, 512, 20}};

// As the benchmark counts them: those before the iterations, and those of one.
double ft_operations_before(double points) {
  return points * (14.8157 + 7.19641 * std::log(points));
}
double ft_operations(double points) { return points * (5.23518 + 7.21113 * std::log(points)); }

Result<program::Program> make_nas_ft(const Parameters& parameters) {
  const FtSize& size = of_class(kFtSizes, parameters);
  const std::int64_t ranks = parameters.integer("ranks");
  Errors errors = validate_ranks(ranks, "a power of two of ranks, at most one for each plane",
                                 size.planes, is_power_of_two);
  if (!errors.empty()) return fail(std::move(errors));
  const auto points = static_cast<double>(size.points);
  const program::Collective transposition{.kind = Kind::all_to_all,
                                          .size = bytes(16 * (size.points / (ranks * ranks)))};
  const auto run = [&](Process& process) {
    process.compute(nas_time(parameters, ft_operations_before(points)));
    process.take_part(transposition);
    for (std::int64_t turn = 0; turn < nas_iterations(parameters, size.iterations); ++turn) {
      process.compute(nas_time(parameters, ft_operations(points)));
      process.take_part(transposition);
      process.take_part({.kind = Kind::reduce, .size = bytes(16)});
    }
  };
  return make_ranks(nas_ranks(parameters), "nas-ft", run);
}

constexpr OfClass<std::int64_t> kIsKeys = {1 << 23, 1 << 25, 1 << 27};
constexpr std::int64_t kIsIterations = 10;
constexpr std::int64_t kIsBuckets = 1024;
constexpr std::int64_t kIsMostRanks = 1024;
constexpr std::int64_t kInteger = 4;  // bytes

Result<program::Program> make_nas_is(const Parameters& parameters) {
  const std::int64_t ranks = parameters.integer("ranks");
  Errors errors =
      validate_ranks(ranks, "a power of two of ranks, at most 1024", kIsMostRanks, is_power_of_two);
  if (!errors.empty()) return fail(std::move(errors));
  const std::int64_t keys = of_class(kIsKeys, parameters);
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < nas_iterations(parameters, kIsIterations); ++turn) {
      process.compute(nas_time(parameters, static_cast<double>(keys)));
      process.take_part({.kind = Kind::all_reduce, .size = bytes(kInteger * (kIsBuckets + 5))});
      process.take_part({.kind = Kind::all_to_all, .size = bytes(kInteger)});
      process.take_part(
          {.kind = Kind::all_to_all, .size = bytes(kInteger * (keys / (ranks * ranks)))});
    }
  };
  return make_ranks(nas_ranks(parameters), "nas-is", run);
}

constexpr OfClass<int> kEpLogPairs = {28, 30, 32};

Result<program::Program> make_nas_ep(const Parameters& parameters) {
  const double numbers = std::ldexp(1.0, of_class(kEpLogPairs, parameters) + 1);
  const auto run = [&](Process& process) {
    process.compute(nas_time(parameters, numbers));
    process.take_part({.kind = Kind::all_reduce, .size = doubles(1)});
    process.take_part({.kind = Kind::all_reduce, .size = doubles(1)});
    process.take_part({.kind = Kind::all_reduce, .size = doubles(10)});
  };
  return make_ranks(nas_ranks(parameters), "nas-ep", run);
}

}  // namespace

Application nas_ft::application() {
  return {.name = "nas-ft",
          .summary = "NAS FT, a Fourier transform: an all-to-all in each iteration",
          .parameters = nas_parameters(),
          .make = make_nas_ft};
}

Application nas_is::application() {
  return {.name = "nas-is",
          .summary = "NAS IS, a sort of integers: an all-reduce and two all-to-alls",
          .parameters = nas_parameters(),
          .make = make_nas_is};
}

Application nas_ep::application() {
  std::vector<Parameter> parameters = nas_parameters();
  std::erase_if(parameters, [](const Parameter& one) { return one.name == "iterations"; });
  return {.name = "nas-ep",
          .summary = "NAS EP, random numbers: three small all-reduces at the end",
          .parameters = std::move(parameters),
          .make = make_nas_ep};
}

}  // namespace ebb::applications
