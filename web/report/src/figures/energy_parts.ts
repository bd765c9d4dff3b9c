// SPDX-License-Identifier: Apache-2.0
// Where the energy goes.
import {lookOf} from "../palette";
import {rowsOf} from "../table";
import {plainFigure} from "./figure";
import {drawStacked, textsOf} from "./stacked";

export const energyParts = plainFigure("energy-parts", "Energy by component", (table, experiments, width) => {
  const parts = textsOf(rowsOf(table), "part");
  const colours = parts.map((_, i) => lookOf(i).colour);
  return drawStacked(table, experiments, width, {part: "part", value: "power", parts, colours});
});
