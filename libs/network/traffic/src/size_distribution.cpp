// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/size_distribution.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/names.hpp"

#include <algorithm>
#include <utility>

namespace ebb::traffic {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// Steps in which a millionth is drawn: sizes of the longest stretch, a gigabyte in a few per cent
// of the messages, still differ by less than a byte.
constexpr std::int64_t kSteps = std::int64_t{1} << 30U;

// Where stretches begin has been checked: points ascend.
std::int64_t between(const SizePoint& from, const SizePoint& to, std::int64_t drawn) {
  const Int128 done = drawn - from.of_a_million * kSteps;
  const Int128 whole = (to.of_a_million - from.of_a_million) * static_cast<Int128>(kSteps);
  const Int128 more = (done * (to.bytes - from.bytes) + whole / 2) / whole;
  return from.bytes + static_cast<std::int64_t>(more);
}

}  // namespace

SizeDistribution::SizeDistribution(std::string name, std::string source,
                                   std::vector<SizePoint> points)
    : name_(std::move(name)), source_(std::move(source)), points_(std::move(points)) {
  EBB_CHECK(!points_.empty() && points_.back().of_a_million == kMillion, "ends at a million");
  for (std::size_t i = 1; i < points_.size(); ++i) {
    EBB_CHECK(points_[i - 1].bytes < points_[i].bytes &&
                  points_[i - 1].of_a_million < points_[i].of_a_million,
              "points ascend");
  }
}

DataSize SizeDistribution::draw(RandomStream& stream) const {
  const auto drawn =
      static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(kMillion * kSteps)));
  const auto to =
      std::upper_bound(points_.begin(), points_.end(), drawn / kSteps,
                       [](std::int64_t at, const SizePoint& p) { return at < p.of_a_million; });
  const std::int64_t size = to == points_.begin() ? to->bytes : between(*(to - 1), *to, drawn);
  return bytes(std::max<std::int64_t>(size, 1));
}

DataSize SizeDistribution::mean() const {
  const SizePoint& first = points_.front();
  Int128 sum = 2 * static_cast<Int128>(first.bytes) * first.of_a_million;  // in half millionths
  for (std::size_t i = 1; i < points_.size(); ++i) {
    sum += static_cast<Int128>(points_[i - 1].bytes + points_[i].bytes) *
           (points_[i].of_a_million - points_[i - 1].of_a_million);
  }
  return bits(static_cast<std::int64_t>((8 * sum + kMillion) / (Int128{2} * kMillion)));
}

// Between a and b, equally likely, the mean of squares is (a^2 + ab + b^2) / 3.
MessageSizes SizeDistribution::extent() const {
  const auto square = [](std::int64_t a, std::int64_t b) { return static_cast<Int128>(a) * b; };
  const SizePoint& first = points_.front();
  Int128 squares = 3 * square(first.bytes, first.bytes) * first.of_a_million;  // three times
  Int128 sum = 2 * static_cast<Int128>(first.bytes) * first.of_a_million;      // twice
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const std::int64_t a = points_[i - 1].bytes;
    const std::int64_t b = points_[i].bytes;
    const std::int64_t share = points_[i].of_a_million - points_[i - 1].of_a_million;
    squares += (square(a, a) + square(a, b) + square(b, b)) * share;
    sum += static_cast<Int128>(a + b) * share;
  }
  return {bytes(points_.back().bytes), bits(static_cast<std::int64_t>(8 * squares / (3 * sum)))};
}

// The published points, all in bytes here. docs/models/workloads.md has means and medians.
namespace {

constexpr std::int64_t kKilo = 1'000;
constexpr std::int64_t kMega = 1'000'000;
constexpr std::int64_t kGiga = 1'000'000'000;

std::vector<SizePoint> per_cent(std::vector<SizePoint> points) {
  for (SizePoint& point : points) point.of_a_million *= 10'000;
  return points;
}
std::vector<SizePoint> per_ten_thousand(std::vector<SizePoint> points) {
  for (SizePoint& point : points) point.of_a_million *= 100;
  return points;
}
// Published in packets of 1500 bytes.
std::vector<SizePoint> in_packets(std::vector<SizePoint> points) {
  for (SizePoint& point : points) point.bytes *= 1'500;
  return points;
}

SizeDistribution websearch() {
  return {"websearch", "web search cluster; Alizadeh et al., Data Center TCP (SIGCOMM 2010)",
          per_cent({{0, 0},
                    {10 * kKilo, 15},
                    {20 * kKilo, 20},
                    {30 * kKilo, 30},
                    {50 * kKilo, 40},
                    {80 * kKilo, 53},
                    {200 * kKilo, 60},
                    {1 * kMega, 70},
                    {2 * kMega, 80},
                    {5 * kMega, 90},
                    {10 * kMega, 97},
                    {30 * kMega, 100}})};
}

SizeDistribution data_mining() {
  return {"data-mining", "data mining cluster; Greenberg et al., VL2 (SIGCOMM 2009)",
          per_cent({{0, 0},
                    {180, 10},
                    {216, 20},
                    {560, 30},
                    {900, 40},
                    {1'100, 50},
                    {1'870, 60},
                    {3'160, 70},
                    {10 * kKilo, 80},
                    {400 * kKilo, 90},
                    {3'160 * kKilo, 95},
                    {100 * kMega, 98},
                    {1 * kGiga, 100}})};
}

SizeDistribution hadoop() {
  return {"hadoop",
          "Hadoop cluster; Roy et al., Inside the Social Network's (Datacenter) Network (SIGCOMM "
          "2015), as in the traffic generator of HPCC",
          per_ten_thousand({{0, 0},
                            {100, 100},
                            {200, 200},
                            {300, 500},
                            {350, 1'500},
                            {400, 2'000},
                            {500, 3'000},
                            {600, 4'000},
                            {700, 5'000},
                            {1'000, 6'000},
                            {2'000, 6'700},
                            {7'000, 7'000},
                            {30 * kKilo, 7'200},
                            {50 * kKilo, 8'200},
                            {80 * kKilo, 8'700},
                            {120 * kKilo, 9'000},
                            {300 * kKilo, 9'500},
                            {1 * kMega, 9'750},
                            {2 * kMega, 9'900},
                            {10 * kMega, 10'000}})};
}

SizeDistribution cache() {
  return {
      "cache",
      "cache followers; Roy et al. (SIGCOMM 2015), as in the HKUST TrafficGenerator, in packets "
      "of 1500 bytes",
      in_packets(per_cent({{1, 36},
                           {2, 40},
                           {7, 46},
                           {13, 50},
                           {67, 60},
                           {133, 70},
                           {667, 78},
                           {1'333, 80},
                           {2'000, 90},
                           {2'667, 99},
                           {33'333, 100}}))};
}

SizeDistribution web_server() {
  return {
      "web-server",
      "web servers, within a cluster; Roy et al. (SIGCOMM 2015), as in the Homa simulation",
      per_ten_thousand({{84, 610},        {153, 1'260},     {301, 2'150},       {639, 2'407},
                        {1'000, 2'926},   {1'357, 3'352},   {2'000, 4'093},     {3'000, 4'796},
                        {4'000, 5'259},   {6'000, 5'889},   {10'000, 6'519},    {20'000, 7'148},
                        {30'000, 7'463},  {50'000, 7'815},  {80'000, 8'074},    {100'000, 8'148},
                        {144'310, 8'241}, {200'000, 8'574}, {260'573, 8'944},   {353'730, 9'556},
                        {442'606, 9'833}, {565'213, 9'907}, {1'000'000, 10'000}})};
}

SizeDistribution storage() {
  return {"storage", "block storage; AliStorage2019 of Li et al., HPCC (SIGCOMM 2019)",
          per_ten_thousand({{0, 0},
                            {4 * kKilo, 2'293},
                            {8 * kKilo, 6'921},
                            {16 * kKilo, 8'061},
                            {32 * kKilo, 9'047},
                            {64 * kKilo, 9'353},
                            {128 * kKilo, 9'677},
                            {256 * kKilo, 9'753},
                            {2 * kMega, 10'000}})};
}

SizeDistribution search_rpc() {
  return {
      "search-rpc",
      "search RPCs of a provider, as in the simulation of Montazeri et al., Homa (SIGCOMM 2018)",
      {{1, 0},
       {2, 75'603},
       {3, 132'306},
       {4, 151'207},
       {32, 189'008},
       {64, 326'436},
       {128, 341'703},
       {256, 463'840},
       {512, 910'401},
       {1'024, 958'110},
       {2'048, 981'011},
       {4'096, 995'324},
       {8'192, 998'425},
       {16'384, 998'902},
       {32'768, 999'140},
       {65'536, 999'349},
       {131'072, 999'871},
       {262'144, 999'975},
       {524'288, 999'983},
       {1'071'908, 999'993},
       {1'644'453, 999'997},
       {3'529'904, 1'000'000}}};
}

}  // namespace

std::span<const SizeDistribution> size_distributions() {
  static const std::vector<SizeDistribution> kAll = {
      websearch(), data_mining(), hadoop(), cache(), web_server(), storage(), search_rpc(),
  };
  return kAll;
}

Result<const SizeDistribution*> find_size_distribution(std::string_view name) {
  return find_named("size distribution", size_distributions(), name, &SizeDistribution::name);
}

}  // namespace ebb::traffic
