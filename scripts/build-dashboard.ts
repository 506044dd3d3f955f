import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dashboard", "dist");
const PACKED = /\.(?:js|css|svg|json)$/;
const PACKED_MIN_BYTES = 512;

/** What a build reads, of which the dashboard's own code is a part. */
const BUILD_INPUT = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  "tsconfig.json",
  "vite.config.ts",
  "dashboard",
  "packages/widget",
  "src",
  "scripts",
];

/** Null in an install without development packages. */
async function loadVite(): Promise<typeof import("vite") | null> {
  try {
    return await import("vite");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** Packs every file once, so that no request pays for it. */
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

/** What index.html names is fetched before anything is shown: its size in gzip. */
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

/** A package that names its licence and has no file of it gets the licence's own text, in its author's name. */
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

/** The old one stays in its place until the new one is whole: it may be served, and the build may fail. */
async function build(vite: typeof import("vite")): Promise<void> {
  const folder = mkdtempSync(`${DIST}.new-`);
  try {
    const options = { outDir: folder, emptyOutDir: true };
    await vite.build({ configFile: join(ROOT, "vite.config.ts"), logLevel: "error", build: options });
    completeLicenses(folder);
    const widget = { outDir: join(folder, "widget"), emptyOutDir: false };
    await vite.build({ configFile: join(ROOT, "scripts", "widget.config.ts"), logLevel: "error", build: widget });
    pack(folder);
    if (existsSync(DIST)) renameSync(DIST, `${folder}.old`);
    renameSync(folder, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(`${folder}.old`, { recursive: true, force: true });
  }
}

/** `npm ci --omit=dev` ends with a dashboard too: the packages that build it are installed in a temporary folder, and go with it. */
function buildApart(): void {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-dashboard-"));
  try {
    for (const name of BUILD_INPUT.filter((path) => existsSync(join(ROOT, path))))
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const npm = process.env["npm_execpath"];
    const [file, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
    const options = { cwd: folder, stdio: "inherit" } as const;
    execFileSync(file, [...first, "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"], options);
    execFileSync(process.execPath, [join("scripts", "build-dashboard.ts")], options);
    cpSync(join(folder, "dashboard", "dist"), DIST, { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const vite = await loadVite();
if (vite !== null) {
  await build(vite);
  console.log(`dashboard built; before a page's own code ${(firstLoadBytes() / 1000).toFixed(1)} kB in gzip`);
} else if (existsSync(join(DIST, "index.html"))) {
  console.log("dashboard: vite is not installed, the built one stays");
} else {
  console.log("dashboard: the packages that build it are installed in a temporary folder");
  buildApart();
}
