// SPDX-License-Identifier: Apache-2.0
// 500 runs, with time series: a page that is small enough to send and quick enough to use.
import assert from "node:assert/strict";
import {statSync} from "node:fs";
import {after, before, test} from "node:test";
import {documentOf, openReport, startBrowser} from "./browser.mjs";
import {sweepReport, temporaryFolder} from "./results.mjs";

const kMostBytes = 15e6;
const kMostMilliseconds = 3000;

let folder, file, browser;

before(async () => {
  folder = temporaryFolder();
  file = sweepReport(folder.path, "large");
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  folder?.remove();
});

test("500 runs are below 15 MB and usable within 3 s", async (context) => {
  const size = statSync(file).size;
  const {page, wrong} = await openReport(browser, file);
  const ready = Number(await page.locator("html").getAttribute("data-ready-ms"));
  context.diagnostic(`${(size / 1e6).toFixed(2)} MB, everything drawn after ${ready} ms`);
  assert.equal((await documentOf(page)).runs.length, 500);
  assert.ok(size < kMostBytes, `${size} bytes`);
  assert.ok(ready < kMostMilliseconds, `${ready} ms`);
  assert.deepEqual(wrong, []);
});

test("a control of it answers within half a second", async (context) => {
  const {page} = await openReport(browser, file);
  const milliseconds = await page.evaluate(async () => {
    const box = document.querySelector("fieldset.series input");
    const start = performance.now();
    box.click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    return performance.now() - start;
  });
  context.diagnostic(`a series hidden after ${Math.round(milliseconds)} ms`);
  assert.ok(milliseconds < 500, `${milliseconds} ms`);
});
