// SPDX-License-Identifier: Apache-2.0
// Colours that people with any colour vision tell apart (Okabe and Ito), that stand out from white
// and from dark grey, and that never stand alone: each series has a mark and a dash of its own too.

const kColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const kMarks = ["circle", "square", "triangle", "diamond", "star", "wye", "times"] as const;
const kDashes = ["none", "6 3", "2 2", "8 3 2 3"];

export type MarkName = (typeof kMarks)[number];

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

// Power states from little to much power: grey for no data rate, then dark to bright (the lightness
// alone tells them apart in print).
const kSleepColour = "#9a9a9a";
const kChangeColour = "#d55e00";
// Five stops of the Cividis map, made for colour-blind readers.
const kRamp: [number, number, number][] = [
  [0, 34, 78],
  [65, 77, 107],
  [124, 123, 120],
  [188, 175, 111],
  [254, 232, 56],
];

// `share` from 0 to 1.
export function rampColour(share: number): string {
  const at = Math.min(Math.max(share, 0), 1) * (kRamp.length - 1);
  const low = Math.min(Math.floor(at), kRamp.length - 2);
  const [a, b] = [kRamp[low]!, kRamp[low + 1]!];
  const mixed = a.map((value, i) => Math.round(value + (b[i]! - value) * (at - low)));
  return "#" + mixed.map((value) => value.toString(16).padStart(2, "0")).join("");
}

export function stateColours(states: string[]): string[] {
  const rates = states.filter((state) => !isWord(state)).length;
  let rate = 0;
  return states.map((state) => {
    if (state === "changing") return kChangeColour;
    if (isWord(state)) return kSleepColour;
    return rates === 1 ? rampColour(0.75) : rampColour((rate++ / (rates - 1)) * 0.9 + 0.05);
  });
}

// "asleep" and "off" are words; a rate starts with a digit.
function isWord(state: string): boolean {
  return !/^[0-9]/.test(state);
}
