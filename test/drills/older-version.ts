import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** Another version of the service, installed in a folder of its own. */
export interface OlderVersion {
  readonly root: string;
  readonly commit: string;
  readonly version: string;
  /** The number of its last migration. */
  readonly schema: number;
}

/** Takes the files of a tag or commit out of git into `folder`, and installs what it runs on, as `npm ci --omit=dev` does. */
export function installVersion(ref: string, folder: string): OlderVersion {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  const commit = git("rev-parse", "--short", "--verify", "--end-of-options", `${ref}^{commit}`);
  const root = join(folder, `version-${commit}`);
  mkdirSync(root);
  execFileSync("git", ["archive", "--format=tar", `--output=${join(folder, "version.tar")}`, commit], { cwd: ROOT });
  execFileSync("tar", ["-xf", join(folder, "version.tar"), "-C", root]);
  // without scripts: the dashboard is not asked for, and the database is none of its own
  const install = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", install, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { root, commit, version, schema: lastMigration(root) };
}

/** The number of the last migration of this version, or of the one in a folder. */
export function lastMigration(root = ROOT): number {
  return Number(readdirSync(join(root, "migrations")).sort().at(-1)?.slice(0, 4));
}
