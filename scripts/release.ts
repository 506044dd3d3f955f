import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

// npm run release -- 0.2.0 [--dry-run]: sets the version in every file that has it, dates the changelog, commits, tags, and makes the package, its
// bill of materials and their checksums in release/. It does not push or publish; at the end it prints how to do both.
const ROOT = join(import.meta.dirname, "..");
const USAGE = "npm run release -- <version> [--dry-run]";

interface Edit {
  readonly path: string;
  readonly from: RegExp;
  readonly to: string;
}

/** The places of the version. Each pattern must be found exactly once. */
export function editsOf(version: string, today: string): Edit[] {
  return [
    { path: "package.json", from: /(?<=^ {2}"version": ")[^"]+/gm, to: version },
    { path: "package-lock.json", from: /(?<=^ {2}"version": ")[^"]+/gm, to: version },
    { path: "package-lock.json", from: /(?<=^ {6}"name": "pointkeeper",\n {6}"version": ")[^"]+/gm, to: version },
    { path: "CHANGELOG.md", from: /^## Unreleased$/gm, to: `## Unreleased\n\n## ${version} - ${today}` },
    { path: "deploy/helm/pointkeeper/Chart.yaml", from: /(?<=^version: ).+$/gm, to: version },
    { path: "deploy/helm/pointkeeper/Chart.yaml", from: /(?<=^appVersion: ).+$/gm, to: version },
    { path: "deploy/compose.yaml", from: /(?<=image: pointkeeper:).+$/gm, to: version },
  ];
}

/** Returns the text with the edit. Throws if its place is not found exactly once. */
export function applyEdit(text: string, { path, from, to }: Edit): string {
  const found = text.match(from)?.length ?? 0;
  if (found !== 1) throw new Error(`${path}: expected one place for ${from}, found ${found}`);
  return text.replace(from, to);
}

/** Whether `next` is a semver version without a suffix, above `present`. */
export function isAbove(next: string, present: string): boolean {
  const parts = (version: string) => version.split(".").map(Number);
  if (!/^\d+\.\d+\.\d+$/.test(next)) return false;
  const [a, b] = [parts(next), parts(present)];
  const first = a.findIndex((part, index) => part !== b[index]);
  return first !== -1 && (a[first] ?? 0) > (b[first] ?? 0);
}

/** Returns the text below "Unreleased", without its heading. */
export function unreleased(changelog: string): string {
  return (
    changelog
      .split(/^## /m)
      .find((section) => section.startsWith("Unreleased"))
      ?.slice("Unreleased".length)
      .trim() ?? ""
  );
}

function run(file: string, ...args: string[]): string {
  return execFileSync(file, args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
}

function checkedVersion(version: string | undefined): string {
  const { version: present }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  if (version === undefined || !isAbove(version, present))
    throw new Error(`expected a version above ${present}: ${USAGE}`);
  if (run("git", "status", "--porcelain").trim() !== "")
    throw new Error("the working tree has changes: commit them first");
  if (run("git", "tag", "--list", `v${version}`).trim() !== "") throw new Error(`the tag v${version} is there already`);
  if (unreleased(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")) === "")
    throw new Error('CHANGELOG.md has nothing below "Unreleased"');
  return version;
}

function writeVersion(version: string): void {
  for (const edit of editsOf(version, new Date().toISOString().slice(0, 10))) {
    const path = join(ROOT, edit.path);
    writeFileSync(path, applyEdit(readFileSync(path, "utf8"), edit));
  }
}

/** Makes the package, its bill of materials (CycloneDX) and their SHA-256 sums in `release/`. */
function makeFiles(version: string): string {
  const folder = join(ROOT, "release");
  mkdirSync(folder, { recursive: true });
  run("npm", "pack", "--pack-destination", folder, "--loglevel", "error");
  const bom = `pointkeeper-${version}.cdx.json`;
  writeFileSync(
    join(folder, bom),
    run("npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--sbom-type", "application"),
  );
  const sums = [`pointkeeper-${version}.tgz`, bom].map((name) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(folder, `pointkeeper-${version}.sha256`), sums.join(""));
  return folder;
}

function release(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { "dry-run": { type: "boolean" } } });
  const version = checkedVersion(positionals[0]);
  if (values["dry-run"] === true) {
    for (const edit of editsOf(version, "")) applyEdit(readFileSync(join(ROOT, edit.path), "utf8"), edit);
    console.log(`${version} can be released`);
    return;
  }
  writeVersion(version);
  run("git", "commit", "--quiet", "--all", "--message", `release: ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `Pointkeeper ${version}`);
  const folder = makeFiles(version);
  console.log(`${version} is tagged, its files are in ${folder}.`);
  console.log(
    `To publish: git push origin HEAD v${version}; npm publish ${join(folder, `pointkeeper-${version}.tgz`)}`,
  );
}

if (import.meta.main) release();
