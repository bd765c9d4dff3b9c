// SPDX-License-Identifier: Apache-2.0
//
// CG: the smallest eigenvalue of a sparse matrix of na rows by conjugate gradients. The ranks are a
// grid of rows and columns, both powers of two, with as many columns as rows or twice as many.
//
// An iteration is a solution of 25 steps and a residual. Each of these 26 multiplies the matrix by
// a vector: the partial sums of na / rows numbers are exchanged log2(columns) times within the row
// of ranks, and then with the rank at the transposed place. The 52 scalar products of an iteration
// are sums of one number, its norms of two, exchanged in the same way.
#include "grid.hpp"
#include "nas.hpp"

#include <bit>
#include <vector>

namespace ebb::applications {
namespace {

constexpr int kSteps = 25;
constexpr OfClass<std::int64_t> kCgRows = {14'000, 75'000, 150'000};  // of the matrix
constexpr OfClass<std::int64_t> kCgNonzeros = {11, 13, 15};           // of a generating row
constexpr OfClass<std::int64_t> kCgIterations = {15, 75, 75};
constexpr std::uint32_t kVectorTag = 1;
constexpr std::uint32_t kScalarTag = 2;
constexpr std::uint32_t kTransposeTag = 3;

// Where a rank stands in the grid, and with whom it exchanges.
struct CgRank {
  std::uint32_t rows = 1;  // of ranks
  std::uint32_t columns = 1;
  std::uint32_t rank = 0;

  CgRank(std::uint32_t ranks, std::uint32_t me) : rank(me) {
    const int log = std::countr_zero(ranks);
    rows = 1U << static_cast<unsigned>(log / 2);
    columns = ranks / rows;
  }

  // In the row, half of the columns away, a quarter ...
  [[nodiscard]] std::vector<std::uint32_t> partners() const {
    const std::uint32_t column = rank % columns;
    std::vector<std::uint32_t> all;
    for (std::uint32_t distance = columns / 2; distance > 0; distance /= 2)
      all.push_back(rank - column + (column ^ distance));
    return all;
  }
  [[nodiscard]] std::uint32_t transposed() const {
    if (rows == columns) return rank % rows * rows + rank / rows;
    return 2 * (rank / 2 % rows * rows + rank / 2 / rows) + rank % 2;
  }
  // Rows of the matrix whose sums it exchanges: with twice as many columns as rows the two ranks of
  // a pair have half of them each.
  [[nodiscard]] std::int64_t sums(std::int64_t na) const {
    const std::uint32_t row = rank / columns;
    const std::int64_t own = na / rows + (row < na % rows ? 1 : 0);
    if (rows == columns) return own;
    return rank % 2 == 0 ? (own + 1) / 2 : own / 2;
  }
};

class Cg {
 public:
  Cg(Process& process, std::int64_t na, Duration product)
      : process_(process), place_(process.ranks(), process.rank()), na_(na), product_(product) {}

  void iterate() {
    sum(1);
    for (int step = 0; step < kSteps; ++step) {
      multiply();
      sum(1);
      sum(1);
    }
    multiply();
    sum(1);
    sum(2);  // the norms of the outer iteration
  }

 private:
  void swap(std::uint32_t peer, DataSize received, DataSize sent, std::uint32_t tag) {
    process_.exchange({{peer, received, tag}}, {{peer, sent, tag}});
  }

  void sum(std::int64_t numbers) {
    for (const std::uint32_t peer : place_.partners())
      swap(peer, doubles(numbers), doubles(numbers), kScalarTag);
  }

  // A partner in the same row has as many sums, but for the pair that has half of them each.
  void multiply() {
    process_.compute(product_);
    for (const std::uint32_t peer : place_.partners())
      swap(peer, doubles(sums_of(peer)), doubles(sums_of(place_.rank)), kVectorTag);
    const std::uint32_t peer = place_.transposed();
    if (process_.ranks() > 1)
      swap(peer, doubles(sums_of(peer)), doubles(sums_of(place_.rank)), kTransposeTag);
  }

  [[nodiscard]] std::int64_t sums_of(std::uint32_t rank) const {
    return CgRank(process_.ranks(), rank).sums(na_);
  }

  Process& process_;
  CgRank place_;
  std::int64_t na_;
  Duration product_;
};

// Those of an iteration, as the benchmark counts them.
double cg_operations(std::int64_t na, std::int64_t nonzeros) {
  const auto entries = static_cast<double>(nonzeros * (nonzeros + 1));
  return 2 * static_cast<double>(na) * (3 + entries + kSteps * (5 + entries) + 3);
}

Result<program::Program> make_nas_cg(const Parameters& parameters) {
  Errors errors = validate_ranks(parameters.integer("ranks"), "a power of two of ranks", 1 << 19,
                                 is_power_of_two);
  if (!errors.empty()) return fail(std::move(errors));
  const std::int64_t na = of_class(kCgRows, parameters);
  const double operations = cg_operations(na, of_class(kCgNonzeros, parameters));
  const Duration product = nas_time(parameters, operations / (kSteps + 1));
  const std::int64_t iterations = nas_iterations(parameters, of_class(kCgIterations, parameters));
  const auto run = [&](Process& process) {
    Cg cg(process, na, product);
    for (std::int64_t turn = 0; turn < iterations; ++turn) cg.iterate();
  };
  return make_ranks(nas_ranks(parameters), "nas-cg", run);
}

}  // namespace

Application nas_cg::application() {
  return {.name = "nas-cg",
          .summary = "NAS CG, conjugate gradients: sums in rows of ranks and transpositions",
          .parameters = nas_parameters(),
          .make = make_nas_cg};
}

}  // namespace ebb::applications
