// SPDX-License-Identifier: Apache-2.0
// How much of their time channels spend asleep, changing and at each rate.
import {stateColours} from "../palette";
import {columnOf, rowsOf} from "../table";
import {plainFigure} from "./figure";
import {drawStacked, partsOf} from "./stacked";

export const stateTime = plainFigure("state-time", (table, rows, selection, width) => {
  const parts = partsOf(rowsOf(table), "state");
  const full = columnOf(table, "share")?.unit === "%" ? 100 : 1;
  return drawStacked(table, rows, selection, width, {
    part: "state",
    value: "share",
    parts,
    colours: stateColours(parts),
    domain: [0, full],
  });
});
