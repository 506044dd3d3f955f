import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// npm run build, which `npm ci` runs too: the dashboard, then the service's code.
const ROOT = join(import.meta.dirname, "..");
const SCRIPTS = [join("scripts", "build-dashboard.ts"), join("scripts", "build-service.ts")];
const BUILT = [join("dashboard", "dist"), join("lib", "service")];

/** What a build reads, of which the dashboard's own code is a part. */
const INPUT = [
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

/** False in an install without development packages. */
async function hasTools(): Promise<boolean> {
  try {
    await import("vite");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return false;
    throw error;
  }
}

/** `npm ci --omit=dev` ends with all of it too: the packages that build it are installed in a temporary folder, and go with it. */
function buildApart(): void {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-build-"));
  try {
    for (const name of INPUT.filter((path) => existsSync(join(ROOT, path))))
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const npm = process.env["npm_execpath"];
    const [file, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
    const options = { cwd: folder, stdio: "inherit" } as const;
    execFileSync(file, [...first, "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"], options);
    for (const script of SCRIPTS) execFileSync(process.execPath, [script], options);
    for (const name of BUILT) cpSync(join(folder, name), join(ROOT, name), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (await hasTools()) {
  for (const script of SCRIPTS) execFileSync(process.execPath, [script], { cwd: ROOT, stdio: "inherit" });
} else if (BUILT.every((name) => existsSync(join(ROOT, name)))) {
  console.log("vite is not installed: what was built before stays");
} else {
  console.log("the packages that build the dashboard and the service's code are installed in a temporary folder");
  buildApart();
}
