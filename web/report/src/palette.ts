// SPDX-License-Identifier: Apache-2.0
// Colours that people with any colour vision tell apart (Okabe and Ito), that stand out from white
// and from dark grey, and that never stand alone: each series has a mark and a dash of its own too.

const kColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const kMarks = ["circle", "square", "triangle", "diamond", "star", "wye", "times"] as const;
const kDashes = ["none", "6 3", "2 2", "8 3 2 3"];

export type MarkName = (typeof kMarks)[number] | "none";

export interface Look {
  colour: string;
  mark: MarkName;
  dash: string;
}

export function lookOf(position: number): Look {
  return {
    colour: kColours[position % kColours.length]!,
    mark: kMarks[position % kMarks.length]!,
    dash: kDashes[Math.floor(position / kColours.length) % kDashes.length]!,
  };
}

export const kIdealColour = "#888888";

// Power states: grey for no data rate, then from dark to bright as rates ascend, so that lightness
// alone tells them apart in print.
const kSleepColour = "#d9d9d9";
const kChangeColour = "#d55e00";
type Stops = [number, number, number][];
// Five stops each of Cividis and Viridis, made for colour-blind readers: shares and rates differ.
const kViridis: Stops = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];
const kCividis: Stops = [
  [0, 34, 78],
  [65, 77, 107],
  [124, 123, 120],
  [188, 175, 111],
  [254, 232, 56],
];

// `share` from 0 to 1.
export function rampColour(share: number, stops = kCividis): string {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const [a, b] = [stops[low]!, stops[low + 1]!];
  const mixed = a.map((value, i) => Math.round(value + (b[i]! - value) * (at - low)));
  return "#" + mixed.map((value) => value.toString(16).padStart(2, "0")).join("");
}

export function stateColours(states: string[]): string[] {
  const rates = states.filter((state) => !isWord(state)).length;
  let rate = 0;
  return states.map((state) => {
    if (state === "changing") return kChangeColour;
    if (isWord(state)) return kSleepColour;
    return rampColour(rates === 1 ? 1 : rate++ / (rates - 1), kViridis);
  });
}

// Black or white, whichever reads better on a colour "#rrggbb".
export function inkOn(colour: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.3 * r! + 0.59 * g! + 0.11 * b! > 140 ? "#000000" : "#ffffff";
}

// "asleep" and "off" are words; a rate starts with a digit.
function isWord(state: string): boolean {
  return !/^[0-9]/.test(state);
}
