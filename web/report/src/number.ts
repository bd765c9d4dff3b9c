// SPDX-License-Identifier: Apache-2.0
// Numbers for people: four significant digits, a minus that is one, no trailing zeros.

export function numberText(value: number): string {
  if (!Number.isFinite(value)) return "-";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return grouped(String(value));
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e15)) return value.toExponential(3);
  return grouped(String(Number(value.toPrecision(size >= 1e4 ? Math.ceil(Math.log10(size)) : 4))));
}

export function percentText(share: number): string {
  return `${numberText(Number((share * 100).toPrecision(3)))} %`;
}

// Thousands apart by commas, in the whole part only.
function grouped(text: string): string {
  const [whole, fraction] = text.split(".");
  const apart = whole!.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}

const kTimes: [number, string][] = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "us"],
  [1e3, "ns"],
];

export function timeText(picoseconds: number): string {
  const [size, unit] = kTimes.find(([limit]) => Math.abs(picoseconds) >= limit) ?? [1, "ps"];
  return `${numberText(picoseconds / size)} ${unit}`;
}

export function sizeText(bits: number): string {
  const bytes = bits / 8;
  if (bytes >= 2 ** 20) return `${numberText(bytes / 2 ** 20)} MiB`;
  if (bytes >= 1024) return `${numberText(bytes / 1024)} KiB`;
  return `${numberText(bytes)} B`;
}
