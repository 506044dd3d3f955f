import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build as viteBuild } from "vite";
import { readBuildInputs } from "./build-inputs.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = resolve(ROOT, process.argv[2] ?? join("dashboard", "dist"));
const PACKED = /\.(?:js|css|svg|json)$/;
const PACKED_MIN_BYTES = 512;

/** Compresses every file once, so that no request has to. */
function pack(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const bytes = readFileSync(path);
    if (!PACKED.test(name) || bytes.length < PACKED_MIN_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}

/** Returns the gzip size of everything that index.html loads before anything is shown. */
function firstLoadBytes(): number {
  const html = readFileSync(join(DIST, "index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? "");
  return [html, ...named.map((name) => readFileSync(join(DIST, name)))]
    .map((part) => gzipSync(part).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** A package that names its licence but has no licence file gets the licence's standard text, with the author's name. */
function completeLicenses(folder: string): void {
  const path = join(folder, "licenses.md");
  const sections = readFileSync(path, "utf8").split(/^(?=## )/m);
  const completed = sections.map((section) => {
    const [head = "", ...text] = section.trim().split("\n");
    const [, name, licence] = /^## (\S+) - .*?(?: \((.*)\))?$/.exec(head) ?? [];
    if (name === undefined || text.join("").trim() !== "") return section;
    if (licence !== "MIT") throw new Error(`${name} has no text of its licence (${licence})`);
    const { author = "" } = JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));
    return `${head}\n\nMIT License\n\nCopyright (c) ${author.name ?? author}\n\n${MIT}\n`;
  });
  writeFileSync(path, completed.join(""));
}

/** Lists the files of a build that a package omits: the one with the build's inputs, and those kept from the previous build. */
const LEFT_OUT = ".npmignore";
const BUILT_FROM = ".built-from";

/** Keeps the files of the previous build for one more build, because an open page still loads them. Returns their names. */
function keepAssets(folder: string): string[] {
  if (!existsSync(join(DIST, "assets"))) return [];
  const leftOut = existsSync(join(DIST, LEFT_OUT)) ? readFileSync(join(DIST, LEFT_OUT), "utf8").split("\n") : [];
  const all = readdirSync(join(DIST, "assets"));
  const own = all.filter((name) => !leftOut.includes(`/assets/${name}`));
  const made = new Set(readdirSync(join(folder, "assets")));
  const isSame = own.every((name) => made.has(name)); // the same build again: the previous build does not change
  const kept = (isSame ? all : own).filter((name) => !made.has(name));
  for (const name of kept) copyFileSync(join(DIST, "assets", name), join(folder, "assets", name));
  return kept;
}

/** The old build stays in place until the new one is complete: it may be in use, and the build may fail. */
async function build(): Promise<void> {
  const { digest } = readBuildInputs(ROOT);
  const folder = mkdtempSync(`${DIST}.new-`);
  try {
    const options = { outDir: folder, emptyOutDir: true };
    await viteBuild({ configFile: join(ROOT, "vite.config.ts"), logLevel: "error", build: options });
    completeLicenses(folder);
    const widget = { outDir: join(folder, "widget"), emptyOutDir: false };
    await viteBuild({ configFile: join(ROOT, "scripts", "widget.config.ts"), logLevel: "error", build: widget });
    pack(folder);
    const kept = keepAssets(folder);
    writeFileSync(join(folder, BUILT_FROM), `${digest}\n`);
    writeFileSync(join(folder, LEFT_OUT), [`/${BUILT_FROM}`, ...kept.map((name) => `/assets/${name}`), ""].join("\n"));
    chmodSync(folder, 0o777 & ~process.umask()); // of mkdtemp it is its owner's alone, and the service may run as another user
    if (existsSync(DIST)) renameSync(DIST, `${folder}.old`);
    renameSync(folder, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(`${folder}.old`, { recursive: true, force: true });
  }
}

await build();
console.log(`dashboard built; before a page's own code ${(firstLoadBytes() / 1000).toFixed(1)} kB in gzip`);
