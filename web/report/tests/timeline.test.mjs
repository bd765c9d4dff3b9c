// SPDX-License-Identifier: Apache-2.0
// The timeline of a real run in the report, in a real browser.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {documentOf, openReport, startBrowser} from "./browser.mjs";
import {kEbb, kExamples, temporaryFolder} from "./results.mjs";

let folder, file, timeline, browser, opened, shown;

before(async () => {
  folder = temporaryFolder();
  timeline = join(folder.path, "run.json");
  file = join(folder.path, "run.html");
  execFileSync(kEbb, ["sim", join(kExamples, "sim-sleep.yaml"), "--set", "topology.hosts=16",
    "--set", "schedule={warm_up: 50us, measure: 300us}", "--timeline", timeline], {stdio: "pipe"});
  execFileSync(kEbb, ["report", "--timeline", timeline, "-o", file], {stdio: "pipe"});
  browser = await startBrowser();
  opened = await openReport(browser, file);
  shown = (await documentOf(opened.page)).timeline;
});

after(async () => {
  await browser?.close();
  folder?.remove();
});

const span = (page) => page.locator("#timeline output").innerText();
const canvas = (page) => page.locator("#timeline canvas");

// How many dots of the canvas have which colour, names left out.
function colours(page) {
  return canvas(page).evaluate((element) => {
    const {width, height} = element;
    const left = Math.round(200 * devicePixelRatio);
    const copy = new OffscreenCanvas(width, height).getContext("2d", {willReadFrequently: true});
    copy.drawImage(element, 0, 0);
    const data = copy.getImageData(left, 0, width - left, height).data;
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
      const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`;
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return counts;
  });
}

// Where the first track is whose name contains a text: below the axis and the name of its group.
async function rowOf(page, name) {
  await page.locator("#timeline input[type=search]").fill(name);
  const box = await canvas(page).boundingBox();
  return {x: box.x + box.width / 2, y: box.y + 22 + 22 + 9};
}

test("it has every event of the file", () => {
  const lines = readFileSync(timeline, "utf8").split("\n").filter((line) => /^\{"ph":"[XC]"/.test(line));
  const count = shown.groups.flatMap(({tracks}) => tracks)
    .reduce((sum, track) => sum + track.slices.length / 3 + track.values.length / 2, 0);
  assert.equal(count, lines.length);
  assert.equal(shown.events_shown, lines.length);
  assert.equal(shown.shown_until_ns, null);
});

test("states of links and watts are drawn in colours", async () => {
  const search = opened.page.locator("#timeline input[type=search]");
  const watts = await colours(opened.page);
  await search.fill("s0 to");
  const counts = await colours(opened.page);
  await search.fill("");
  assert.notDeepEqual(counts, watts, "only tracks that are looked for are shown");
  const large = Object.entries(counts).filter(([, count]) => count > 500);
  assert.ok(large.length >= 3, `${large.length} colours: ${large.map(([colour]) => colour).join(" ")}`);
  assert.ok(counts["217,217,217"] > 500, "channels that sleep are grey");
});

test("wheel and keys zoom and pan, once the canvas was clicked", async () => {
  const {page} = opened;
  const all = await span(page);
  const {x, y} = await rowOf(page, "");
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  assert.equal(await span(page), all, "whoever scrolls past is not held up");
  await canvas(page).focus();
  await page.mouse.wheel(0, -300);
  const closer = await span(page);
  assert.notEqual(closer, all);
  await page.keyboard.press("d");
  assert.notEqual(await span(page), closer);
  await page.keyboard.press("0");
  assert.equal(await span(page), all);
  await page.keyboard.press("w");
  await page.mouse.down();
  await page.mouse.move(x - 100, y, {steps: 3});
  await page.mouse.up();
  assert.notEqual(await span(page), all);
  await page.getByRole("button", {name: "All"}).click();
  assert.equal(await span(page), all);
});

test("the place under the mouse is told", async () => {
  const {page} = opened;
  const track = shown.groups.find(({name}) => name === "channels").tracks[0];
  const {x, y} = await rowOf(page, track.name);
  await page.mouse.move(x, y);
  const text = await page.locator("#timeline .tip").innerText();
  assert.ok(text.startsWith(`${track.name}: `), text);
  assert.ok(shown.names.some((name) => text.includes(name)));
  await page.locator("#timeline input[type=search]").fill("");
});

test("a message has an arrow to its destination", async () => {
  const {page} = opened;
  const before = await colours(page);
  const tracks = shown.groups.find(({name}) => name === "messages of hosts").tracks;
  const found = tracks.find((track) => track.flows.length > 0);
  const [begin, duration] = found.slices.slice(3 * found.flows[0]);
  await page.locator("#timeline input[type=search]").fill(found.name.split(" ")[0]);
  const position = await page.evaluate(() => document.querySelector("#timeline canvas").clientWidth);
  const x = 190 + ((begin + duration / 2) / shown.end_ns) * (position - 190);
  const box = await canvas(page).boundingBox();
  let told = "";
  for (let y = 30; y < box.height && !/\n(to|from) /.test(told); y += 9) {
    await page.mouse.move(box.x + x, box.y + y);
    const tip = page.locator("#timeline .tip");
    told = (await tip.isVisible()) ? await tip.innerText() : "";
  }
  assert.match(told, /\n(to|from) h/);
  assert.notDeepEqual(await colours(page), before);
  await page.locator("#timeline input[type=search]").fill("");
});

test("a click on the name of a group closes it", async () => {
  const {page} = opened;
  const before = await colours(page);
  const box = await canvas(page).boundingBox();
  await page.mouse.click(box.x + 40, box.y + 22 + 11);
  assert.notDeepEqual(await colours(page), before);
  await page.mouse.click(box.x + 40, box.y + 22 + 11);
});

test("dark mode is dark", async () => {
  const {page, wrong} = await openReport(browser, file, {colorScheme: "dark"});
  const counts = await colours(page);
  assert.ok(counts["22,25,29"] > 1000, "the paper");
  assert.equal(counts["255,255,255"] ?? 0, 0);
  assert.deepEqual(wrong, []);
  if (process.env.EBB_KEEP_DRAWINGS) await page.screenshot({path: `${process.env.EBB_KEEP_DRAWINGS}/timeline-dark.png`});
  await page.close();
});

test("what does not fit is left out, and the page says so", async () => {
  const [head, ...lines] = readFileSync(timeline, "utf8").split("\n");
  const events = lines.filter((line) => line.startsWith("{")).map((line) => line.replace(/,$/, ""));
  const slice = events.find((line) => line.startsWith('{"ph":"X"'));
  for (let i = 0; i < 100_000; ++i) events.push(slice.replace(/"ts":[\d.]+,"dur":[\d.]+/, `"ts":${i / 200},"dur":0.001`));
  const large = join(folder.path, "large.json");
  writeFileSync(large, `${head}\n${events.join(",\n")}\n]}\n`);
  const page = join(folder.path, "large.html");
  execFileSync(kEbb, ["report", "--timeline", large, "-o", page], {stdio: "pipe"});
  const second = await openReport(browser, page);
  const document = (await documentOf(second.page)).timeline;
  assert.equal(document.events, events.filter((line) => !line.startsWith('{"ph":"M"')).length);
  assert.ok(document.events_shown <= 100_000 && document.events_shown > 90_000);
  assert.match(await second.page.locator("#timeline .note").first().innerText(), /what begins within the first/);
  assert.deepEqual(second.wrong, []);
  await second.page.close();
});

test("a run of a program shows what its ranks do", async () => {
  const program = join(folder.path, "program.json");
  const page = join(folder.path, "program.html");
  execFileSync(kEbb, ["sim", join(kExamples, "sim-program.yaml"), "--set", "topology.hosts=16", "--timeline", program], {stdio: "pipe"});
  execFileSync(kEbb, ["report", "--timeline", program, "-o", page], {stdio: "pipe"});
  const second = await openReport(browser, page);
  const document = (await documentOf(second.page)).timeline;
  const ranks = document.groups.find(({name}) => name === "ranks").tracks;
  assert.equal(ranks.length, 8);
  const {x, y} = await rowOf(second.page, "rank 3 on");
  await second.page.mouse.move(x, y);
  assert.match(await second.page.locator("#timeline .tip").innerText(), /^rank 3 on h\d+: (waits|computes)/);
  assert.deepEqual(second.wrong, []);
  await second.page.close();
});

test("nothing went wrong and nothing was fetched", async () => {
  if (process.env.EBB_KEEP_DRAWINGS) await opened.page.screenshot({path: `${process.env.EBB_KEEP_DRAWINGS}/timeline.png`});
  assert.deepEqual(opened.wrong, []);
});
