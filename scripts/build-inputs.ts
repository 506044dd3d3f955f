import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

const INPUTS = [
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
/** A folder that is built or installed. */
const MADE = /^(?:node_modules|dist|dist\..+)$/;

export interface BuildInputs {
  /** All files that a build reads, relative to the project. */
  readonly paths: readonly string[];
  /** A digest of their names and contents; a build stores the digest of its inputs. */
  readonly digest: string;
}

/** Reads the inputs of the builds of the dashboard and the service. */
export function readBuildInputs(root: string): BuildInputs {
  const paths = INPUTS.filter((path) => existsSync(join(root, path))).flatMap((path) => filesOf(root, path));
  const hash = createHash("sha256");
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path.replaceAll(sep, "/")} ${bytes.length}\n`).update(bytes);
  }
  return { paths, digest: hash.digest("hex").slice(0, 16) };
}

function filesOf(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.split(sep).some((part) => MADE.test(part)))
    .sort();
}
