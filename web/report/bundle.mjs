// SPDX-License-Identifier: Apache-2.0
// Makes the page from src/: one HTML file without references to others, cut where the document
// goes, as a C++ source that the program links. Usage: node bundle.mjs OUT.cpp
import {readFileSync, writeFileSync} from "node:fs";
import {build} from "esbuild";

const kPlace = "<!-- document -->";
// Compilers need not accept longer literals than 65,536 characters.
const kPiece = 8000;

async function bundled(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2021",
    charset: "utf8",
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
}

async function page() {
  const script = await bundled("src/main.ts");
  const style = await bundled("src/style.css");
  if (/<\/script/i.test(script)) throw new Error("the bundle would end its own script block");
  // Functions, because a replacement text has its own meaning of "$&".
  return readFileSync("src/page.html", "utf8")
    .replace("/* style */", () => style)
    .replace("/* script */", () => script);
}

// Byte by byte; three octal digits end an escape whatever follows, and "\?" is no trigraph.
function literal(bytes) {
  let text = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) text += "\\" + byte.toString(8).padStart(3, "0");
    else text += /[\\"?]/.test(character) ? "\\" + character : character;
  }
  return `    "${text}",`;
}

function array(name, text) {
  const bytes = Buffer.from(text, "utf8");
  const pieces = [];
  for (let at = 0; at < bytes.length; at += kPiece) pieces.push(literal(bytes.subarray(at, at + kPiece)));
  return `constexpr std::string_view ${name}[] = {\n${pieces.join("\n")}\n};\n`;
}

function source(html) {
  const [before, after, ...more] = html.split(kPlace);
  if (after === undefined || more.length > 0) throw new Error(`page.html needs "${kPlace}" once`);
  return (
    "// Made by web/report/bundle.mjs.\n" +
    '#include "page.hpp"\n\nnamespace ebb::report {\nnamespace {\n\n' +
    array("kBefore", before) +
    "\n" +
    array("kAfter", after) +
    "\n}  // namespace\n\n" +
    "Page page() { return {kBefore, kAfter}; }\n\n}  // namespace ebb::report\n"
  );
}

const html = await page();
const [out, htmlOut] = process.argv.slice(2);
if (out) writeFileSync(out, source(html));
if (htmlOut) writeFileSync(htmlOut, html);
