// SPDX-License-Identifier: Apache-2.0
// The report of a real sweep in a real browser.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {after, before, test} from "node:test";
import {documentOf, marks, openReport, rings, startBrowser} from "./browser.mjs";
import {sweepReport, temporaryFolder} from "./results.mjs";

const kFigures = ["power-load", "latency-load", "state-time", "latency-cdf", "savings-latency", "energy-parts"];

let folder, file, browser, opened, report;

before(async () => {
  folder = temporaryFolder();
  file = sweepReport(folder.path, "policies");
  browser = await startBrowser();
  opened = await openReport(browser, file);
  report = await documentOf(opened.page);
});

after(async () => {
  await browser?.close();
  folder?.remove();
});

function column(table, name) {
  const at = table.columns.findIndex((each) => each.name === name);
  return table.rows.map((row) => row[at]);
}

test("every figure is there with its rows", () => {
  for (const id of kFigures) assert.ok(report.figures[id].rows.length > 0, `${id} has rows`);
});

test("power and latency have a mark for every row and a line for every series", async () => {
  const {page} = opened;
  const power = report.figures["power-load"];
  const series = new Set(column(power, "series")).size;
  assert.equal(await marks(page, "power-load", "dot", "*").count(), power.rows.length);
  assert.equal(await marks(page, "power-load", "line", "path").count(), series + 1, "and the ideal line");
  assert.equal(await marks(page, "latency-load", "dot", "*").count(), 2 * report.figures["latency-load"].rows.length);
});

test("bars have a part for every row, and fill the width", async () => {
  const {page} = opened;
  for (const id of ["state-time", "energy-parts"])
    assert.equal(await marks(page, id, "bar", "rect").count(), report.figures[id].rows.length, id);
  const widths = await marks(page, "state-time", "bar", "rect").evaluateAll((bars) => {
    const rows = new Map();
    for (const bar of bars) rows.set(bar.getAttribute("y"), (rows.get(bar.getAttribute("y")) ?? 0) + Number(bar.getAttribute("width")));
    return [...rows.values()];
  });
  for (const width of widths) assert.ok(Math.abs(width - widths[0]) < 2, "all bars are as long as all of the time");
});

test("the distribution and the trade-off are drawn for the load that is chosen", async () => {
  const {page} = opened;
  const series = new Set(report.experiments.map((experiment) => experiment.series)).size;
  const paths = () => marks(page, "latency-cdf", "line", "path").evaluateAll((lines) => lines.map((line) => line.getAttribute("d")));
  const first = await paths();
  assert.equal(first.length, series);
  await page.locator("#latency-cdf select").selectOption("60%");
  assert.notDeepEqual(await paths(), first);
  const savings = report.figures["savings-latency"];
  assert.equal(await marks(page, "savings-latency", "dot", "*").count(), savings.rows.length);
  await page.locator("#savings-latency select").selectOption("5%");
  assert.equal(await marks(page, "savings-latency", "dot", "*").count(), series);
});

test("hiding a series takes its marks away", async () => {
  const {page} = opened;
  const before = await marks(page, "power-load", "dot", "*").count();
  const box = page.locator("fieldset.series input").first();
  await box.uncheck();
  assert.ok((await marks(page, "power-load", "dot", "*").count()) < before);
  await box.check();
  assert.equal(await marks(page, "power-load", "dot", "*").count(), before);
});

test("the slider moves the colours of the topology, and the line of the heat map", async () => {
  const {page} = opened;
  const series = report.series[0];
  const drawing = report.drawings[0];
  const channels = page.locator("#topology path.channel");
  assert.equal(await channels.count(), 2 * drawing.links.length);
  const colours = () => channels.evaluateAll((paths) =>
    paths.map((path) => [path.dataset.channel, path.getAttribute("stroke")]).sort());
  const line = () => page.locator("#links g[aria-label=rule] line").getAttribute("x1");
  const [colour, x] = [await colours(), await line()];
  await page.locator("#moment").focus();
  await page.keyboard.press("Home");
  assert.equal(await page.locator("#moment").inputValue(), "0");
  assert.notDeepEqual(await colours(), colour);
  assert.notEqual(await line(), x);
  await page.keyboard.press("End");
  assert.equal(await page.locator("#moment").inputValue(), String(series.ends_ps.length - 1));
});

test("the topology can show states, with the colours of the legend", async () => {
  const {page} = opened;
  await page.locator("#topology select").nth(1).selectOption("state");
  const used = await page.locator("#topology path.channel").evaluateAll((paths) => [...new Set(paths.map((path) => path.getAttribute("stroke")))]);
  const legend = await page.locator("#topology svg.legend g[aria-label=dot]").evaluateAll((groups) => groups.map((group) => group.getAttribute("fill")));
  for (const colour of used) assert.ok(legend.includes(colour), `${colour} is in the legend`);
});

test("every picture and table can be saved", async () => {
  const {page} = opened;
  for (const section of await page.locator("section:has(figure)").all()) {
    const id = await section.getAttribute("id");
    for (const [button, suffix] of [["Save SVG", "svg"], ["Save CSV", "csv"]]) {
      await page.waitForTimeout(120); // Chromium refuses more than ten downloads in a second
      const waiting = page.waitForEvent("download");
      await section.getByRole("button", {name: button}).click();
      const download = await waiting;
      assert.equal(download.suggestedFilename(), `ebb-${id}.${suffix}`);
      const text = readFileSync(await download.path(), "utf8");
      if (suffix === "svg") await checkSvg(page, text, id);
      else assert.ok(text.trim().split("\r\n").length > 1, `${id}: the CSV has rows`);
    }
  }
});

async function checkSvg(page, text, id) {
  const [root, title] = await page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    return [parsed.documentElement.nodeName, parsed.querySelector("text")?.textContent];
  }, text);
  assert.equal(root, "svg", `${id} is an SVG`);
  assert.ok(title.length > 3, `${id} has its title`);
  assert.ok(!/var\(--(paper|ink|quiet|line|field|accent)/.test(text), `${id} does not depend on the page`);
}

test("the CSV of a figure has its numbers in full", async () => {
  const {page} = opened;
  const table = report.figures["power-load"];
  const waiting = page.waitForEvent("download");
  await page.locator("#power-load").getByRole("button", {name: "Save CSV"}).click();
  const lines = readFileSync(await (await waiting).path(), "utf8").trim().split("\r\n");
  assert.equal(lines.length, table.rows.length + 1);
  const at = table.columns.findIndex(({name}) => name === "power");
  assert.ok(lines[1].includes(String(table.rows[0][at])));
});

test("the table behind a plot and the details of a run open", async () => {
  const {page} = opened;
  await page.locator("#power-load details.behind summary").click();
  await page.locator("#power-load tbody tr").first().waitFor();
  assert.equal(await page.locator("#power-load tbody tr").count(), report.figures["power-load"].rows.length);
  const run = page.locator("details.run").first();
  await run.locator("summary").click();
  await run.locator("pre").waitFor();
  const text = await run.innerText();
  assert.ok(text.includes(report.runs[0].key), "the whole key");
  assert.ok(text.includes("schema_version"), "the configuration");
  assert.equal(await run.locator("tbody tr").count(), report.runs[0].metrics.length);
});

test("runs can be filtered", async () => {
  const {page} = opened;
  await page.locator("#runs input[type=search]").fill(report.runs[1].key.slice(0, 12));
  assert.equal(await page.locator("details.run:visible").count(), 1);
  await page.locator("#runs input[type=search]").fill("");
});

test("the keyboard reaches every control", async () => {
  const {page} = await openReport(browser, file);
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")];
    const seen = all.filter((element) => element.checkVisibility());
    seen.forEach((element, i) => (element.dataset.stop = String(i)));
    return seen.length;
  });
  const reached = new Set();
  for (let i = 0; i < wanted + 20; ++i) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => document.activeElement?.dataset.stop);
    if (stop !== undefined) reached.add(stop);
  }
  assert.equal(reached.size, wanted);
  await page.locator("#power-load summary").focus();
  await page.keyboard.press("Enter");
  await page.locator("#power-load tbody tr").first().waitFor();
  await page.close();
});

const brightness = (page, selector, property) =>
  page.evaluate(([where, what]) => {
    const parts = getComputedStyle(document.querySelector(where))[what].match(/[\d.]+/g).map(Number);
    return (parts[0] + parts[1] + parts[2]) / 3;
  }, [selector, property]);

test("dark mode is dark with light text, in the plots too", async () => {
  const {page, wrong} = await openReport(browser, file, {colorScheme: "dark"});
  assert.ok((await brightness(page, "body", "backgroundColor")) < 60);
  assert.ok((await brightness(page, "body", "color")) > 200);
  assert.ok((await brightness(page, "#power-load svg g[aria-label='y-axis tick label']", "fill")) > 200);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("print is dark on white, without controls, and has every figure", async () => {
  const {page} = await openReport(browser, file, {colorScheme: "dark"});
  await page.emulateMedia({media: "print"});
  assert.ok((await brightness(page, "body", "backgroundColor")) > 250);
  assert.ok((await brightness(page, "#power-load svg g[aria-label='y-axis tick label']", "fill")) < 60);
  assert.equal(await page.locator("nav").isVisible(), false);
  assert.equal(await page.locator("button:visible").count(), 0);
  for (const id of kFigures) assert.ok(await page.locator(`#${id} svg.picture`).isVisible(), id);
  assert.ok((await page.pdf()).length > 50_000);
  await page.close();
});

test("labels do not cover each other", async () => {
  const {page} = await openReport(browser, file);
  const covered = await page.evaluate(() => {
    const found = [];
    for (const group of document.querySelectorAll("svg.legend, g[aria-label$='tick label']")) {
      const boxes = [...group.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
      boxes.forEach(([name, a], i) => {
        for (const [other, b] of boxes.slice(i + 1))
          if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) found.push(`${name} / ${other}`);
      });
    }
    return found;
  });
  assert.deepEqual(covered, []);
  await page.close();
});

// What a reader sees of a text, and where pictures end.
function clipped(page) {
  return page.evaluate(() => {
    const found = [];
    const right = document.documentElement.clientWidth;
    for (const picture of document.querySelectorAll("svg.picture")) {
      const frame = picture.getBoundingClientRect();
      const id = picture.closest("section").id;
      if (frame.right > right + 1) found.push(`${id} is wider than the page`);
      for (const text of picture.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        const out = box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
        if (box.width > 0 && out) found.push(`${id}: ${text.textContent}`);
      }
    }
    if (document.documentElement.scrollWidth > right) found.push("the page scrolls sideways");
    return found;
  });
}

for (const [device, width, height] of [["a desk", 1280, 900], ["a phone", 390, 844]])
  test(`no label is clipped on ${device}`, async () => {
    const {page, wrong} = await openReport(browser, file, {viewport: {width, height}});
    assert.deepEqual(await clipped(page), []);
    assert.deepEqual(wrong, []);
    if (process.env.EBB_KEEP_DRAWINGS) await page.screenshot({path: `${process.env.EBB_KEEP_DRAWINGS}/report-${width}.png`, fullPage: true});
    await page.close();
  });

test("the page says which network and traffic it shows", async () => {
  const text = await opened.page.locator("header").innerText();
  for (const {text: said} of [...report.subject.networks, ...report.subject.traffic]) assert.ok(text.includes(said), said);
});

test("points that cannot be taken as they stand are marked", async () => {
  for (const [id, curves] of [["power-load", 1], ["latency-load", 2]]) {
    const doubtful = column(report.figures[id], "status").filter((status) => status !== "").length;
    assert.equal(await rings(opened.page, id).count(), curves * doubtful, id);
  }
});

test("nothing went wrong and nothing was fetched", () => assert.deepEqual(opened.wrong, []));
