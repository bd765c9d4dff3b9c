// SPDX-License-Identifier: Apache-2.0
//
// One figure of each kind, with texts that a careless writer of scripts would stumble over.
#pragma once

#include "ebb/plots/figure.hpp"

namespace ebb::plots {

inline Figure sample_lines() {
  Figure figure{.name = "lines",
                .title = "Relative power over offered load, 64 hosts",
                .kind = Kind::lines,
                .x = {"offered load", "%"},
                .y = {"power of the channels", "%"}};
  figure.series = {
      {"epoch, channels=paired",
       {{5, 31, Interval{29, 33}}, {10, 38, Interval{35, 41}}, {40, 61, Interval{60, 62}}}},
      {"epoch, channels=independent",
       {{5, 21, Interval{19, 23}}, {10, 28, Interval{25, 31}}, {40, 51, Interval{50, 52}}}},
      {"always-on", {{5, 100}, {10, 100}, {40, 100}}}};
  figure.references = {{"ideal", {{0, 0}, {40, 40}}}};
  return figure;
}

inline Figure sample_log() {
  Figure figure{.name = "log",
                .title = "Mean latency over reactivation time",
                .kind = Kind::points,
                .x = {"reactivation time", "us", true},
                .y = {"added latency", "us", true}};
  figure.series = {{"Uniform", {{0.1, 3}, {1, 45}, {10, 800}, {100, 5000}}}};
  figure.levels = {{"published: about 1 ms at 10 us", 1000}};
  return figure;
}

inline Figure sample_bars() {
  Figure figure{.name = "bars",
                .title = "Table 1: power of the network",
                .kind = Kind::bars,
                .y = {"power", "kW"},
                .categories = {"folded Clos of 324-port chassis", "8-ary 5-flat"}};
  figure.series = {{"ebb", {{0, 1146.88}, {1, 737.28}}}};
  figure.references = {{"published", {{0, 1146.88, Interval{1100, 1200}}, {1, 737.28}}}};
  return figure;
}

inline Figure sample_stack() {
  Figure figure{.name = "stack",
                .title = "Time of channels at each rate",
                .kind = Kind::stacked_bars,
                .y = {"share of time", "%"},
                .categories = {"paired", "independent"}};
  figure.series = {{"2.5Gb/s", {{0, 20}, {1, 40}}},
                   {"5Gb/s", {{0, 30}, {1, 20}}},
                   {"10Gb/s", {{0, 15}, {1, 20}}},
                   {"20Gb/s", {{0, 15}, {1, 5}}},
                   {"40Gb/s", {{0, 20}, {1, 15}}}};
  return figure;
}

}  // namespace ebb::plots
