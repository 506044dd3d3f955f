import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { withLock } from "./with-lock.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const SOURCES = ["scripts/widget.config.ts", "vite.config.ts", "scripts/build-dashboard.ts", "package-lock.json"];
const BUILT = "dashboard/dist";

/** Builds the dashboard when one of its sources is newer than what is built; processes that want it at once wait for one. */
export async function buildDashboard(): Promise<void> {
  await withLock("dashboard", async () => {
    const builtMs = await modifiedMs(join(ROOT, BUILT, "index.html"));
    if (builtMs > (await newestMs(SOURCES))) return;
    const { NODE_ENV: _testing, VITEST: _inside, ...env } = process.env;
    await promisify(execFile)(process.execPath, ["scripts/build-dashboard.ts"], { cwd: ROOT, env });
  });
}

/** Files alone count: a build changes the time of the folder that it is put into, so that it would seem older than its sources. */
async function newestMs(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(paths.map((path) => modifiedMs(join(ROOT, path))));
  const folders = ["dashboard", "packages/widget/src"].map((folder) =>
    readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }),
  );
  const sources = (await Promise.all(folders))
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(ROOT, BUILT)));
  const inner = await Promise.all(sources.map(modifiedMs));
  return Math.max(...times, ...inner);
}

async function modifiedMs(path: string): Promise<number> {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
