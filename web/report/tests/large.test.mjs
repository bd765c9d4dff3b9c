// SPDX-License-Identifier: Apache-2.0
// 500 runs, with time series: a page that is small enough to send and quick enough to use. Both as
// repetitions of few experiments and as many experiments.
import assert from "node:assert/strict";
import {statSync} from "node:fs";
import {basename} from "node:path";
import {after, before, test} from "node:test";
import {documentOf, openReport, startBrowser} from "./browser.mjs";
import {sweepReport, temporaryFolder} from "./results.mjs";

const kMostBytes = 15e6;
const kMostMilliseconds = 3000;

let folder, files, browser;

before(async () => {
  folder = temporaryFolder();
  files = ["large", "wide"].map((name) => sweepReport(folder.path, name));
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  folder?.remove();
});

test("500 runs are below 15 MB and usable within 3 s", async (context) => {
  for (const file of files) {
    const size = statSync(file).size;
    const {page, wrong} = await openReport(browser, file);
    const ready = Number(await page.locator("html").getAttribute("data-ready-ms"));
    context.diagnostic(`${basename(file)}: ${(size / 1e6).toFixed(2)} MB, everything drawn after ${ready} ms`);
    assert.equal((await documentOf(page)).runs.length, 500);
    assert.ok(size < kMostBytes, `${size} bytes`);
    assert.ok(ready < kMostMilliseconds, `${ready} ms`);
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test("a control of it answers within half a second", async (context) => {
  const {page} = await openReport(browser, files[0]);
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
