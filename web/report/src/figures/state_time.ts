// SPDX-License-Identifier: Apache-2.0
// How much of their time channels spend asleep, changing and at each rate.
import {stateColours} from "../palette";
import {rowsOf} from "../table";
import {plainFigure} from "./figure";
import {drawStacked, textsOf} from "./stacked";

export const stateTime = plainFigure("state-time", "Time at each speed", (table, experiments, width) => {
  const parts = textsOf(rowsOf(table), "state");
  return drawStacked(table, experiments, width, {part: "state", value: "share", parts, colours: stateColours(parts), most: 100});
});
