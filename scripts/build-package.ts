import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

// npm runs this before it packs: a package's code is JavaScript, since Node strips types of no file below node_modules. `lib` lies
// beside `src`, so that paths to migrations and the dashboard hold in both. Types become blanks: lines and columns stay the same.
const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "src");
const TARGET = process.argv[2] ?? join(ROOT, "lib");

/** The code with `.js` in place of `.ts` wherever it imports a file of its own. */
function rewriteImports(path: string, code: string): string {
  const { module, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest)),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  const ends = named.flatMap((request) => (request === null ? [] : [request.end - 1])); // before the closing quote
  let rewritten = code;
  for (const end of new Set(ends))
    if (/^\.ts["']/.test(code.slice(end - 3, end + 1)))
      rewritten = `${rewritten.slice(0, end - 3)}.js${rewritten.slice(end)}`;
  return rewritten;
}

rmSync(TARGET, { recursive: true, force: true });
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
for (const file of files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))) {
  const code = stripTypeScriptTypes(readFileSync(join(SOURCE, file), "utf8"), { mode: "strip" });
  const target = join(TARGET, file.replace(/ts$/, "js"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, rewriteImports(file.replace(/ts$/, "js"), code));
}
console.log(`the service's code is in ${TARGET}`);
