// SPDX-License-Identifier: Apache-2.0
// The site of the documents in a browser, opened from its folder: site.mjs SITE
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const {chromium} = createRequire(`${process.env.EBB_NODE_PACKAGES}/`)("playwright-core");
const kSite = pathToFileURL(process.argv[2]).href;
const kPictures = process.env.EBB_SITE_PICTURES;
const kSizes = {desktop: {width: 1280, height: 800}, phone: {width: 390, height: 844}};
const kPages = {
  start: "index.html",
  model: "docs/models/power.html",
  reference: "reference/ebb-sim.html",
  keys: "reference/sim-keys.html",
  reproduction: "docs/reproduction/index.html",
  library: "api/policy.html",
};

const browser = await chromium.launch({executablePath: process.env.EBB_CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"]});

// A page that collects what it must not do: errors, and requests for anything outside of the folder.
async function newPage(options) {
  const page = await browser.newPage(options);
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(kSite) && !/^(data|blob):/.test(request.url())) wrong.push(`request: ${request.url()}`);
  });
  return {page, wrong};
}

async function searchFinds(words, options) {
  const {page, wrong} = await newPage(options);
  await page.goto(`${kSite}/index.html`);
  if (options.viewport === kSizes.phone) await page.click('label[for="__search"].md-header__button');
  await page.type('[data-md-component="search-query"]', words);
  const first = page.locator(".md-search-result__link").first();
  await first.waitFor({timeout: 20_000});
  for (const word of words.split(" ")) {
    const marked = page.locator(".md-search-result mark", {hasText: new RegExp(`\\b${word}`, "i")});
    assert.ok((await marked.count()) > 0, `'${word}' is marked in a result`);
  }
  if (kPictures) await page.screenshot({path: `${kPictures}/search-${options.viewport.width}.png`});
  await first.click();
  await page.waitForFunction((start) => location.pathname !== start, new URL(`${kSite}/index.html`).pathname);
  assert.ok(page.url().startsWith(kSite), "the result leads into the folder");
  assert.deepEqual(wrong, []);
  await page.close();
}

// A page has the colours of the scheme, its pictures and fonts are there, and it is not wider than its window. Gives the colour of its ground.
async function looksRight(page, name, size, scheme) {
  const what = `${name}, ${size}, ${scheme}`;
  await page.goto(`${kSite}/${kPages[name]}`);
  assert.equal(await page.getAttribute("body", "data-md-color-scheme"), scheme === "dark" ? "slate" : "default", what);
  const seen = await page.evaluate(async () => {
    const images = [...document.querySelectorAll(".md-content img")];
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
    await document.fonts.ready;
    return {
      width: document.documentElement.scrollWidth,
      ground: getComputedStyle(document.body).backgroundColor,
      broken: images.filter((image) => image.naturalWidth === 0).map((image) => image.src),
      images: images.length,
      equations: document.querySelectorAll(".equation .katex").length,
      fonts: [...document.fonts].filter((font) => font.status === "loaded").length,
    };
  });
  assert.ok(seen.width <= kSizes[size].width, `${what}: ${seen.width} pixels wide`);
  assert.deepEqual(seen.broken, [], what);
  if (name === "model") assert.ok(seen.equations >= 4 && seen.fonts > 0, `${what}: ${JSON.stringify(seen)}`);
  if (name === "reproduction") assert.ok(seen.images > 20, `${what}: ${seen.images} figures`);
  if (kPictures) await page.screenshot({path: `${kPictures}/${name}-${size}-${scheme}.png`});
  return seen.ground;
}

// All pages in one size and scheme; gives the colours of their grounds.
async function allLookRight(size, scheme) {
  const {page, wrong} = await newPage({viewport: kSizes[size], colorScheme: scheme});
  const grounds = [];
  for (const name of Object.keys(kPages)) grounds.push(await looksRight(page, name, size, scheme));
  assert.deepEqual(wrong, [], `${size}, ${scheme}`);
  await page.close();
  return new Set(grounds);
}

async function switchesScheme() {
  const {page, wrong} = await newPage({viewport: kSizes.desktop, colorScheme: "light"});
  await page.goto(`${kSite}/index.html`);
  await page.click('label.md-header__button[title="Dark"]');
  assert.equal(await page.getAttribute("body", "data-md-color-scheme"), "slate");
  assert.deepEqual(wrong, []);
  await page.close();
}

for (const viewport of Object.values(kSizes)) await searchFinds("wake time", {viewport});
await switchesScheme();
for (const size of Object.keys(kSizes)) {
  const [light, dark] = [await allLookRight(size, "light"), await allLookRight(size, "dark")];
  assert.equal(light.size + dark.size, 2, "all pages of a scheme have one ground");
  assert.ok(!dark.has([...light][0]), "light and dark differ");
}
await browser.close();
console.log(`search finds 'wake time' from a folder; ${Object.keys(kPages).length} pages look right, light and dark, on desktop and phone`);
