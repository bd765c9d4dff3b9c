// SPDX-License-Identifier: Apache-2.0
//
// HPL, the High-Performance Linpack benchmark: a dense system of n equations by LU factorisation
// with row pivoting. The matrix is cut into blocks of nb x nb, dealt out in turn to a grid of p
// rows and q columns of ranks. For each panel of nb columns, with r rows and columns left after it:
//
//   factorisation  in the column of ranks that has the panel: for each of its columns the pivot row
//                  is found and exchanged by recursive doubling, 2 nb + 4 numbers
//   broadcast      along each row of ranks: its part of the panel, nb x nb numbers and the pivots
//   row swap       along each column of ranks: nb rows of its part of the columns that are left
//   update         2 nb r r operations, and nb nb r for the rows of the panel
//
// All operations add up to 2/3 n^3, and a rank has those of its blocks. With a look-ahead of 1 the
// ranks that have the next panel update, factorise and send it before they update the rest, and the
// others receive it while they update.
#include "applications.hpp"
#include "process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ebb::applications {
namespace {

constexpr std::uint32_t kPanelTag = 1;
constexpr std::uint32_t kPivotTag = 2;
constexpr std::uint32_t kRowsTag = 3;
constexpr std::uint8_t kBroadcastCpu = 1;  // HPL looks for the panel while it updates

// The matrix as one grid of ranks has it.
struct Matrix {
  std::int64_t n = 0;
  std::int64_t nb = 0;
  std::int64_t p = 0;
  std::int64_t q = 0;

  [[nodiscard]] std::int64_t panels() const { return (n + nb - 1) / nb; }
  // Of the last one less.
  [[nodiscard]] std::int64_t panel_width(std::int64_t panel) const {
    return std::min(nb, n - panel * nb);
  }
  // Rows or columns from a block on that are dealt out to rank `which` of `of`.
  [[nodiscard]] std::int64_t local(std::int64_t first, std::int64_t which, std::int64_t of) const {
    const std::int64_t blocks = panels();
    const std::int64_t next = first + ((which - first) % of + of) % of;
    if (next >= blocks) return 0;
    const std::int64_t count = (blocks - 1 - next) / of + 1;
    const bool has_last = (blocks - 1) % of == which;
    return count * nb - (has_last ? blocks * nb - n : 0);
  }
};

class HplRank {
 public:
  HplRank(Process& process, const Matrix& matrix, const Parameters& parameters)
      : process_(process), matrix_(matrix), parameters_(parameters) {
    const std::int64_t rank = process.rank();
    const bool by_row = parameters.choice("order") == "row";
    row_ = by_row ? rank / matrix.q : rank % matrix.p;
    column_ = by_row ? rank % matrix.q : rank / matrix.p;
    const auto number = [&](std::int64_t row, std::int64_t column) {
      return static_cast<std::uint32_t>(by_row ? row * matrix.q + column : column * matrix.p + row);
    };
    for (std::int64_t other = 0; other < matrix.q; ++other) in_row_.push_back(number(row_, other));
    for (std::int64_t other = 0; other < matrix.p; ++other)
      in_column_.push_back(number(other, column_));
  }

  void run(std::int64_t panels) {
    const bool looks_ahead = parameters_.integer("look_ahead") == 1;
    for (std::int64_t panel = 0; panel < panels; ++panel) {
      if (panel == 0 || !looks_ahead) {
        factorise(panel);
        broadcast(panel);
      }
      swap_rows(panel);
      if (looks_ahead && panel + 1 < panels) {
        update_and_look_ahead(panel);
      } else {
        update(panel, columns_after(panel));
      }
    }
  }

 private:
  [[nodiscard]] bool has(std::int64_t panel) const { return panel % matrix_.q == column_; }
  [[nodiscard]] std::int64_t rows_from(std::int64_t block) const {
    return matrix_.local(block, row_, matrix_.p);
  }
  [[nodiscard]] std::int64_t columns_after(std::int64_t panel) const {
    return matrix_.local(panel + 1, column_, matrix_.q);
  }
  void compute(double operations) {
    process_.compute(time_of(operations, parameters_.integer("flops")));
  }

  // m nb^2 - nb^3 / 3 operations for m rows, of which a rank has the share of its rows.
  void factorise(std::int64_t panel) {
    if (!has(panel)) return;
    const auto width = static_cast<double>(matrix_.panel_width(panel));
    const auto rows = static_cast<double>(matrix_.n - panel * matrix_.nb);
    const double operations = rows * width * width - width * width * width / 3;
    const double share = static_cast<double>(rows_from(panel)) / rows;
    const program::Collective pivot{.kind = program::Collective::Kind::all_reduce,
                                    .size = bytes(8 * (2 * matrix_.panel_width(panel) + 4)),
                                    .tag = kPivotTag,
                                    .algorithm = "recursive-doubling"};
    for (std::int64_t column = 0; column < matrix_.panel_width(panel); ++column) {
      compute(operations * share / width);
      process_.take_part(pivot, in_column_, static_cast<std::uint32_t>(row_));
    }
  }

  // The ranks of a row pass it on one after the other, or scatter and gather it.
  void broadcast(std::int64_t panel) {
    const std::int64_t width = matrix_.panel_width(panel);
    const DataSize size = bytes(8 * (rows_from(panel + 1) * width + width * width + width + 1));
    const std::int64_t root = panel % matrix_.q;
    if (parameters_.choice("broadcast") == "long") {
      process_.take_part({.kind = program::Collective::Kind::broadcast,
                          .root = static_cast<std::uint32_t>(root),
                          .size = size,
                          .tag = kPanelTag,
                          .algorithm = "scatter-ring"},
                         in_row_, static_cast<std::uint32_t>(column_));
      return;
    }
    const std::int64_t distance = (column_ - root + matrix_.q) % matrix_.q;
    const auto in_row = [&](std::int64_t column) {
      return in_row_[static_cast<std::size_t>((column + matrix_.q) % matrix_.q)];
    };
    if (distance > 0) process_.receive({in_row(column_ - 1), size, kPanelTag});
    if (distance + 1 < matrix_.q) process_.send({in_row(column_ + 1), size, kPanelTag});
  }

  // "Spread and roll": the rows are scattered from the ranks that had them and gathered by all.
  void swap_rows(std::int64_t panel) {
    const std::int64_t columns = columns_after(panel);
    if (columns == 0) return;
    process_.take_part(
        {.kind = program::Collective::Kind::broadcast,
         .root = static_cast<std::uint32_t>(panel % matrix_.p),
         .size = bytes(8 * matrix_.panel_width(panel) * columns),
         .tag = kRowsTag,
         .algorithm = parameters_.choice("swap") == "long" ? "scatter-ring" : "binomial-tree"},
        in_column_, static_cast<std::uint32_t>(row_));
  }

  void update(std::int64_t panel, std::int64_t columns) {
    const auto width = static_cast<double>(matrix_.panel_width(panel));
    const auto rows = static_cast<double>(rows_from(panel + 1));
    const auto count = static_cast<double>(columns);
    compute(2 * width * rows * count + width * width * count / static_cast<double>(matrix_.p));
  }

  // The next panel arrives while the rest is updated; the panel after it waits for both.
  void update_and_look_ahead(std::int64_t panel) {
    const std::int64_t next = panel + 1;
    const std::int64_t first = has(next) ? matrix_.panel_width(next) : 0;
    if (has(next)) {
      update(panel, first);
      factorise(next);
    }
    const Process::Ends before = process_.ends();
    process_.use_cpu(kBroadcastCpu);
    broadcast(next);
    process_.use_cpu(0);
    Process::Ends arrived = process_.ends();
    process_.continue_after(before);
    update(panel, columns_after(panel) - first);
    for (const std::uint32_t end : process_.ends())
      if (std::ranges::find(arrived, end) == arrived.end()) arrived.push_back(end);
    process_.continue_after(std::move(arrived));
  }

  Process& process_;
  const Matrix& matrix_;
  const Parameters& parameters_;
  std::int64_t row_ = 0;
  std::int64_t column_ = 0;
  std::vector<std::uint32_t> in_row_;
  std::vector<std::uint32_t> in_column_;
};

Result<program::Program> make_hpl(const Parameters& parameters) {
  const std::vector<std::int64_t>& grid = parameters.list("grid");
  Errors errors;
  if (grid.size() != 2)
    errors.push_back({"'grid' must be rows and columns of ranks, such as 4x4", {.path = "grid"}});
  if (parameters.integer("nb") > parameters.integer("n"))
    errors.push_back({"'nb' must be at most 'n'", {.path = "nb"}});
  if (!errors.empty()) return fail(std::move(errors));
  const Matrix matrix{parameters.integer("n"), parameters.integer("nb"), grid[0], grid[1]};
  const std::int64_t most = parameters.integer("iterations");
  const std::int64_t panels = most == 0 ? matrix.panels() : std::min(most, matrix.panels());
  const auto run = [&](Process& process) { HplRank(process, matrix, parameters).run(panels); };
  return make_ranks(static_cast<std::uint32_t>(grid[0] * grid[1]), "hpl", run);
}

}  // namespace

Application hpl::application() {
  return {.name = "hpl",
          .summary = "HPL, dense linear equations: panels along rows of ranks, rows along columns",
          .parameters = {{"n", Range<std::int64_t>{1, 100'000'000}, "8192", "equations"},
                         {"nb", Range<std::int64_t>{1, 100'000}, "128", "columns of a panel"},
                         {"grid", WholeList{1, 1'000}, "4x4", "rows and columns of ranks, p x q"},
                         {"order", Choice{{"row", "column"}}, "row",
                          "whether ranks are numbered along rows or along columns"},
                         {"broadcast", Choice{{"1ring", "long"}}, "1ring",
                          "of a panel: from rank to rank, or scattered and gathered"},
                         {"swap", Choice{{"long", "tree"}}, "long",
                          "of rows: spread and rolled, or by a binomial tree"},
                         {"look_ahead", Range<std::int64_t>{0, 1}, "1",
                          "1: the next panel is sent while the rest is updated"},
                         flops_parameter("10000000000"),
                         {"iterations", Range<std::int64_t>{0, 100'000'000}, "0",
                          "how many panels are made at most; 0: all"}},
          .make = make_hpl};
}

}  // namespace ebb::applications
