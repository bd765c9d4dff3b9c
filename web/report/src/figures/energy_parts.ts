// SPDX-License-Identifier: Apache-2.0
// Where the energy goes.
import {lookOf} from "../palette";
import {rowsOf} from "../table";
import {plainFigure} from "./figure";
import {drawStacked, partsOf} from "./stacked";

export const energyParts = plainFigure("energy-parts", (table, rows, selection, width) => {
  const parts = partsOf(rowsOf(table), "part");
  return drawStacked(table, rows, selection, width, {
    part: "part",
    value: "energy",
    parts,
    colours: parts.map((_, i) => lookOf(i).colour),
  });
});
