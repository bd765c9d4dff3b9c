// SPDX-License-Identifier: Apache-2.0
//
// MG: Poisson's equation on n x n x n points by multigrid V cycles. The ranks are a periodic grid
// in x, y and z, each side a power of two. Level k has 2^k points on each side of the box.
//
// A cycle goes down from the finest level to the coarsest, where it smooths, and up again. After
// each of its steps the borders of the level are exchanged axis by axis with both neighbours, and
// those of a later axis include what came by an earlier one:
//
//   down   restriction to the level below
//   up     interpolation from the level below, residual, smoothing
//
// and at the end the residual of the finest level. On coarse levels there are fewer points than
// ranks on a side: a rank without a point is idle, and its neighbours are further away. Where ranks
// become active again on the way up, those that were active give them borders first. Before and
// after the cycles the norm of the residual is two all-reduces of one number.
#include "grid.hpp"
#include "nas.hpp"

#include <array>
#include <bit>

namespace ebb::applications {
namespace {

struct MgSize {
  int levels = 0;  // the finest has 2^levels points on a side
  std::int64_t iterations = 0;
};
constexpr OfClass<MgSize> kMgSizes = {MgSize{8, 4}, MgSize{8, 20}, MgSize{9, 20}};
constexpr std::uint32_t kExpandTag = 10;  // other borders: 2 axis + direction

// A rank on one level.
struct MgLevel {
  std::array<std::int64_t, 3> width{};    // points and one more at each border
  std::array<std::uint32_t, 3> before{};  // neighbours by axis
  std::array<std::uint32_t, 3> after{};
  std::array<bool, 3> gives{};  // to neighbours that were idle on the level below
  std::array<bool, 3> takes{};
  bool idle = false;
};

// All levels of a rank, index 0 unused, as the benchmark works them out: along an axis rank i of p
// has the points from i n / p to (i + 1) n / p, rounded down.
class MgLevels {
 public:
  MgLevels(const Grid& grid, std::uint32_t rank, int finest)
      : grid_(grid), here_(grid.point(rank)), levels_(static_cast<std::size_t>(finest) + 1) {
    std::array<std::int64_t, 3> distance = {1, 1, 1};  // to the next rank that is not idle
    for (int level = finest; level > 0; --level) {
      for (std::size_t axis = 0; axis < 3; ++axis) place(level, finest, axis, distance[axis]);
    }
  }

  [[nodiscard]] const MgLevel& operator[](int level) const {
    return levels_[static_cast<std::size_t>(level)];
  }

 private:
  void place(int level, int finest, std::size_t axis, std::int64_t& distance) {
    MgLevel& made = levels_[static_cast<std::size_t>(level)];
    const std::int64_t own = points(level, axis, here_[axis]);
    const std::int64_t next = points(level, axis, here_[axis] + distance);
    if (level < finest) {
      MgLevel& above = levels_[static_cast<std::size_t>(level) + 1];
      above.gives[axis] = own == 1 && next == 0;
      above.takes[axis] = own == 0 && next == 1;
    }
    if (own == 0 || next == 0) distance *= 2;
    made.width[axis] = own + 2;
    made.idle = made.idle || own == 0;
    Point there = here_;
    there[axis] = here_[axis] + distance;
    made.after[axis] = grid_.periodic(there);
    there[axis] = here_[axis] - distance;
    made.before[axis] = grid_.periodic(there);
  }

  [[nodiscard]] std::int64_t points(int level, std::size_t axis, std::int64_t place) const {
    const std::int64_t all = std::int64_t{1} << static_cast<unsigned>(level);
    const std::int64_t side = grid_.side(static_cast<int>(axis));
    return (place + 1) * all / side - place * all / side;
  }

  Grid grid_;
  Point here_;
  std::vector<MgLevel> levels_;
};

// Numbers in a border of an axis. Borders of axes that were exchanged before are part of it.
std::int64_t border(const MgLevel& level, std::size_t axis) {
  const auto& n = level.width;
  if (axis == 0) return (n[1] - 2) * (n[2] - 2);
  if (axis == 1) return n[0] * (n[2] - 2);
  return n[0] * n[1];
}

void exchange_level(Process& process, const MgLevel& level) {
  if (level.idle) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const DataSize size = doubles(border(level, axis));
    const auto tag = static_cast<std::uint32_t>(2 * axis);
    process.exchange({{level.after[axis], size, tag}, {level.before[axis], size, tag + 1}},
                     {{level.after[axis], size, tag + 1}, {level.before[axis], size, tag}});
  }
}

// One border to the rank before, and two to the one after.
void expand_level(Process& process, const MgLevel& level) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t one = level.width[(axis + 1) % 3] * level.width[(axis + 2) % 3];
    const std::uint32_t tag = kExpandTag + static_cast<std::uint32_t>(2 * axis);
    if (level.takes[axis]) {
      process.exchange(
          {{level.after[axis], doubles(one), tag}, {level.before[axis], doubles(2 * one), tag + 1}},
          {});
    }
    if (level.gives[axis]) {
      process.send({level.after[axis], doubles(2 * one), tag + 1});
      process.send({level.before[axis], doubles(one), tag});
    }
  }
}

class MgCycle {
 public:
  MgCycle(Process& process, const Grid& grid, int finest, Duration iteration)
      : process_(process),
        levels_(grid, process.rank(), finest),
        finest_(finest),
        iteration_(iteration) {}

  void run() {
    for (int level = finest_ - 1; level > 0; --level) step(level);  // restrictions
    step(1);
    for (int level = 2; level <= finest_; ++level) {
      expand_level(process_, levels_[level]);
      step(level);  // residual
      step(level);  // smoothing
    }
    step(finest_);  // residual
  }

  void norm() {
    for (int what = 0; what < 2; ++what)
      process_.take_part({.kind = program::Collective::Kind::all_reduce, .size = doubles(1)});
  }

 private:
  // A computation on a level, and its exchange. The operations of an iteration are shared by all of
  // its steps, three on the finest level and on each below, two on the coarsest, by their points.
  void step(int level) {
    const MgLevel& here = levels_[level];
    if (here.idle) return;
    double all = 0;
    for (int each = 1; each <= finest_; ++each) all += (each == 1 ? 2 : 3) * points(each);
    const double nanoseconds = static_cast<double>(iteration_.count()) / 1000 * points(level) / all;
    process_.compute(time_of(nanoseconds, 1'000'000'000));
    exchange_level(process_, here);
  }
  [[nodiscard]] static double points(int level) {
    return static_cast<double>(std::int64_t{1} << static_cast<unsigned>(3 * level));
  }

  Process& process_;
  MgLevels levels_;
  int finest_;
  Duration iteration_;
};

// The sides in x, y and z: as even as powers of two can be, the last the longest.
Grid mg_grid(std::uint32_t ranks) {
  const int log = std::countr_zero(ranks);
  const int x = log / 3;
  const int y = (log - x) / 2;
  const auto side = [](int bits) { return std::int64_t{1} << static_cast<unsigned>(bits); };
  return Grid({side(x), side(y), side(log - x - y)});
}

// 58 operations for each point of the finest level, as the benchmark counts them.
Result<program::Program> make_nas_mg(const Parameters& parameters) {
  const MgSize& size = of_class(kMgSizes, parameters);
  Errors errors = validate_ranks(parameters.integer("ranks"), "a power of two of ranks", 1 << 18,
                                 is_power_of_two);
  if (!errors.empty()) return fail(std::move(errors));
  const auto side = static_cast<double>(1 << size.levels);
  const Duration iteration = nas_time(parameters, 58 * side * side * side);
  const auto run = [&](Process& process) {
    MgCycle cycle(process, mg_grid(process.ranks()), size.levels, iteration);
    cycle.norm();
    for (std::int64_t turn = 0; turn < nas_iterations(parameters, size.iterations); ++turn)
      cycle.run();
    cycle.norm();
  };
  return make_ranks(nas_ranks(parameters), "nas-mg", run);
}

}  // namespace

Application nas_mg::application() {
  return {.name = "nas-mg",
          .summary = "NAS MG, multigrid: borders of levels, which are smaller and further apart",
          .parameters = nas_parameters(),
          .make = make_nas_mg};
}

}  // namespace ebb::applications
