// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/random.hpp"

#include "ebb/core/check.hpp"

#include <bit>
#include <cmath>

namespace ebb {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t hash_name(std::string_view name) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

// SplitMix64: spreads correlated seeds over the state, as xoshiro's authors advise.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) : state_{} {
  std::uint64_t mixer = seed;
  mixer = split_mix(mixer) ^ hash_name(name);
  for (std::uint64_t& word : state_) word = split_mix(mixer);
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  EBB_CHECK(bound > 0, "an empty range has no random element");
  // Lemire's multiply-and-reject: the low half below `threshold` would be over-represented. It is
  // less than the bound, so it is needed only when the low half is that small.
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold)
      product = static_cast<Wide>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double RandomStream::unit() {
  constexpr double kScale = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>((next() >> 11) + 1) * kScale;
}

double RandomStream::exponential() { return -portable_log(unit()); }

double portable_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact: x = mantissa * 2^exponent
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh(t), t = (m-1)/(m+1), |t| < 0.172: 13 terms leave an error below 1e-18.
  const double t = (mantissa - 1) / (mantissa + 1);
  const double square = t * t;
  double series = 0;
  for (int n = 25; n >= 1; n -= 2) series = series * square + 1.0 / n;
  constexpr double kLn2 = 0.69314718055994530942;
  return exponent * kLn2 + 2 * t * series;
}

double portable_exp(double x) {
  // ln 2 in two parts: the first has 32 bits, so its multiples up to 2^20 are exact.
  constexpr double kLn2High = 0.693147180369123816490;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  const double scaled = x / (kLn2High + kLn2Low);
  const auto power = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double rest = (x - power * kLn2High) - power * kLn2Low;
  // |rest| < 0.35: 15 terms leave an error below 1e-18.
  double series = 1;
  for (int n = 15; n >= 1; --n) series = 1 + series * rest / n;
  return std::ldexp(series, power);
}

}  // namespace ebb
