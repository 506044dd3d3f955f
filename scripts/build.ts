import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readBuildInputs } from "./build-inputs.ts";

// npm run build, which `npm ci` runs too: the dashboard, then the service's code.
const ROOT = join(import.meta.dirname, "..");
const BUILDS = [
  { script: join("scripts", "build-dashboard.ts"), target: join("dashboard", "dist") },
  { script: join("scripts", "build-service.ts"), target: "lib" },
];
/** For each build, a file that contains the digest of its inputs, and the file whose time is compared with the sources. */
const SIGNS = [join("dashboard", "dist", ".built-from"), join("lib", "cli.js")];
const TIMED = [join("dashboard", "dist", "index.html"), join("lib", "cli.js")];

/** Returns false in an installation without development packages. */
async function hasTools(): Promise<boolean> {
  try {
    await import("vite");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return false;
    throw error;
  }
}

/**
 * Builds in an installation without development packages (`npm ci --omit=dev`): the packages that it needs are installed in a temporary folder and
 * removed with it.
 */
function buildApart(paths: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-build-"));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(ROOT, path), join(folder, path));
    }
    const npm = process.env["npm_execpath"];
    const [file, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
    const options = { cwd: folder, stdio: "inherit" } as const;
    execFileSync(file, [...first, "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"], options);
    for (const { script, target } of BUILDS) execFileSync(process.execPath, [script, join(ROOT, target)], options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const FAILED = `The dashboard and the service's code could not be built of these sources (see above). What was built before is of
other ones: do not start it. Run the same command again when the npm registry can be reached and the folder for temporary files
(TMPDIR) has 800 MB, or run "npm ci && npm prune --omit=dev --no-save".`;

const { paths, digest } = readBuildInputs(ROOT);
const isBuilt = SIGNS.every(
  (path) => existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), "utf8").includes(digest),
);
if (await hasTools()) {
  for (const { script } of BUILDS) execFileSync(process.execPath, [script], { cwd: ROOT, stdio: "inherit" });
} else if (isBuilt) {
  const now = new Date();
  for (const path of TIMED) utimesSync(join(ROOT, path), now, now);
  console.log("the dashboard and the service's code are built of these sources");
} else {
  console.log("the packages that build the dashboard and the service's code are installed in a temporary folder");
  try {
    buildApart(paths);
  } catch {
    console.error(FAILED);
    process.exitCode = 1;
  }
}
