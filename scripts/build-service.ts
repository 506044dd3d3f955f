import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { readBuildInputs } from "./build-inputs.ts";

// The service's code as some hundred files of JavaScript in place of over a thousand: a start takes half the processor time. Each build lies in a
// folder of its own, `lib/service-<digest of what it is built of>`, as deep as a folder of `src`, so that paths to migrations and the
// dashboard hold in both; `lib/cli.js` starts the newest. The build before it stays: a service that runs from it loads more of it later.
const ROOT = join(import.meta.dirname, "..");
const ENTRIES = {
  cli: join(ROOT, "src/cli.ts"),
  "events-thread": join(ROOT, "src/intake/events-thread.ts"),
  "facts-hasher-thread": join(ROOT, "src/checkpoints/facts-hasher-thread.ts"),
};
/** Of what is imported from packages, only that which is very many small files is taken in. */
const TAKEN_IN = /^typebox(?:\/|$)/;
const LIB = resolve(ROOT, process.argv[2] ?? "lib");
const ENTRY = join(LIB, "cli.js");
/** Before each build had a folder of its own, all of it lay in `lib/service`. */
const FIRST = "service";
const BUILDS = /^service(?:-[0-9a-f]+)?$/;

function isOutside(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !TAKEN_IN.test(id);
}

/** The build that is started now. */
function startedBuild(): string {
  if (!existsSync(ENTRY)) return FIRST;
  return /"\.\/([^/"]+)\//.exec(readFileSync(ENTRY, "utf8"))?.[1] ?? FIRST;
}

/** A folder is whole or not there. */
async function build(target: string): Promise<void> {
  const folder = mkdtempSync(`${target}.new-`);
  try {
    const bundle = await rolldown({ input: ENTRIES, platform: "node", external: isOutside, logLevel: "warn" });
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
    await bundle.close();
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(name: string): void {
  writeFileSync(`${ENTRY}.new`, `import "./${name}/cli.js";\n`);
  renameSync(`${ENTRY}.new`, ENTRY);
}

/** A package has the newest build alone. */
function leaveOutOfPackage(names: readonly string[]): void {
  writeFileSync(join(LIB, ".npmignore"), ["*.new*", ...names.map((name) => `/${name}/`), ""].join("\n"));
}

mkdirSync(LIB, { recursive: true });
const name = `service-${readBuildInputs(ROOT).digest}`;
const before = startedBuild();
if (!existsSync(join(LIB, name))) await build(join(LIB, name));
start(name);
const others = readdirSync(LIB).filter((other) => BUILDS.test(other) && other !== name);
const over = before === name ? [] : others.filter((other) => other !== before);
for (const other of over) rmSync(join(LIB, other), { recursive: true, force: true });
leaveOutOfPackage(others);
console.log(`the service's code is in ${join(LIB, name)}`);
