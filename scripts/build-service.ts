import {
  chmodSync,
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

// Builds the service's code into some hundred files of JavaScript instead of over a thousand, which halves the processor time of a start. Each build
// has a folder `lib/service-<digest of its inputs>`, at the same depth as a folder of `src`, so that paths to migrations and the dashboard are valid
// in both; `lib/cli.js` starts the newest. The previous build is kept, because a running service still loads files from it.
const ROOT = join(import.meta.dirname, "..");
/** A folder of `mkdtemp` is its owner's alone, and the service often runs as another user than the one who built it: in a container, under systemd. */
const FOLDER_MODE = 0o777 & ~process.umask();
const ENTRIES = {
  cli: join(ROOT, "src/cli.ts"),
  "events-thread": join(ROOT, "src/intake/events-thread.ts"),
  "facts-hasher-thread": join(ROOT, "src/checkpoints/facts-hasher-thread.ts"),
};
/** Packages are not bundled, except those that consist of very many small files. */
const TAKEN_IN = /^typebox(?:\/|$)/;
const LIB = resolve(ROOT, process.argv[2] ?? "lib");
const ENTRY = join(LIB, "cli.js");
/** Where the build was before each build had a separate folder. */
const FIRST = "service";
const BUILDS = /^service(?:-[0-9a-f]+)?$/;

function isOutside(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !TAKEN_IN.test(id);
}

/** Returns the build that `lib/cli.js` starts. */
function startedBuild(): string {
  if (!existsSync(ENTRY)) return FIRST;
  return /"\.\/([^/"]+)\//.exec(readFileSync(ENTRY, "utf8"))?.[1] ?? FIRST;
}

/** Builds into a temporary folder and renames it, so that a folder is always complete. */
async function build(target: string): Promise<void> {
  const folder = mkdtempSync(`${target}.new-`);
  try {
    const bundle = await rolldown({ input: ENTRIES, platform: "node", external: isOutside, logLevel: "warn" });
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
    await bundle.close();
    chmodSync(folder, FOLDER_MODE);
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(name: string): void {
  writeFileSync(`${ENTRY}.new`, `import "./${name}/cli.js";\n`);
  renameSync(`${ENTRY}.new`, ENTRY);
}

/** A package contains only the newest build. */
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
