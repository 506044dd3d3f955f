import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";

// The service's code as some hundred files of JavaScript in place of over a thousand: a start takes half the processor time. It lies in
// `lib/service`, as deep as a folder of `src`, so that paths to migrations and the dashboard hold in both.
const ROOT = join(import.meta.dirname, "..");
const ENTRIES = {
  cli: join(ROOT, "src/cli.ts"),
  "events-thread": join(ROOT, "src/intake/events-thread.ts"),
};
/** Of what is imported from packages, only that which is very many small files is taken in. */
const TAKEN_IN = /^typebox(?:\/|$)/;
const TARGET = resolve(ROOT, process.argv[2] ?? join("lib", "service"));

function isOutside(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !TAKEN_IN.test(id);
}

/** The old one stays in its place until the new one is whole. */
mkdirSync(dirname(TARGET), { recursive: true });
const folder = mkdtempSync(`${TARGET}.new-`);
try {
  const bundle = await rolldown({ input: ENTRIES, platform: "node", external: isOutside, logLevel: "warn" });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  if (existsSync(TARGET)) renameSync(TARGET, `${folder}.old`);
  renameSync(folder, TARGET);
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}.old`, { recursive: true, force: true });
}
console.log(`the service's code is in ${TARGET}`);
