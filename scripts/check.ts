import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { EXCEPTIONS } from "./architecture/exceptions.ts";
import { readProject } from "./architecture/read-project.ts";
import { type Overlooked, overlooked } from "./architecture/reasons.ts";
import { showViolation } from "./architecture/source.ts";
import { loweredVocabulary } from "./architecture/vocabulary.ts";

/** One check: a name and the errors that it finds; an empty text means that there are none. */
interface Check {
  readonly name: string;
  run(): Promise<string>;
}

interface Result {
  readonly name: string;
  readonly fault: string;
  readonly tookMs: number;
}

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = join(import.meta.dirname, "..");
/** What the tests compiled of the sources (vitest.config.ts). */
const NODE_COMPILE_CACHE = join(ROOT, "node_modules", ".cache", "node");
const KINDS: readonly Overlooked["kind"][] = ["any", "cast", "non-null", "ignore"];

function runNode(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Output> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...more };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => err.push(piece));
    child.on("error", (error) => resolve({ code: 1, stdout: "", stderr: error.message }));
    child.on("close", (code) =>
      resolve({ code: code ?? 1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** A tool of node_modules that exits with 0 if it finds no errors. */
function tool(name: string, file: string, ...args: string[]): Check {
  const run = async () => {
    const { code, stdout, stderr } = await runNode([join(ROOT, "node_modules", file), ...args]);
    return code === 0 ? "" : `${stdout}${stderr}`.trim() || `exit code ${code}`;
  };
  return { name, run };
}

/** On one thread: each of several would check what all of them use again, and the other cores have other checks. */
function tsc(name: string, project: string): Check {
  return tool(name, "typescript/bin/tsc", "--noEmit", "--singleThreaded", "-p", project);
}

async function docsSite(): Promise<string> {
  const { code, stdout, stderr } = await runNode([join("scripts", "build-docs.ts")]);
  return code === 0 ? "" : `${stdout}${stderr}`.trim() || `exit code ${code}`;
}

async function openApiDrift(): Promise<string> {
  const { code, stdout, stderr } = await runNode([join("src", "cli.ts"), "openapi"], { NODE_COMPILE_CACHE });
  if (code !== 0) return stderr.trim() || `exit code ${code}`;
  let kept = "";
  try {
    kept = readFileSync(join(ROOT, "openapi.json"), "utf8");
  } catch {
    return "openapi.json is missing: npm run openapi writes it";
  }
  if (kept.trim() === stdout.trim()) return "";
  const [before, after] = [kept.split("\n"), stdout.split("\n")];
  const line = after.findIndex((text, index) => text !== before[index]);
  return `openapi.json is stale from line ${line + 1}: npm run openapi writes it anew\n- ${before[line]}\n+ ${after[line]}`;
}

const { sources } = readProject();
const found = sources.flatMap(overlooked);

async function reasons(): Promise<string> {
  return found
    .filter((o) => !o.hasReason)
    .map(showViolation)
    .join("\n");
}

const CHECKS: readonly Check[] = [
  tool("Biome", "@biomejs/biome/bin/biome", "ci", "--max-diagnostics=50", "--colors=off", "."),
  tsc("tsc", "."),
  tsc("tsc dashboard", "dashboard"),
  tsc("tsc widget", join("packages", "widget")),
  tool("knip", "knip/bin/knip.js", "--no-progress"),
  tool("architecture", "vitest/vitest.mjs", "run", "--config", "scripts/architecture.config.ts"),
  { name: "OpenAPI drift", run: openApiDrift },
  { name: "docs site", run: docsSite },
  { name: "reasons", run: reasons },
];

async function timed({ name, run }: Check): Promise<Result> {
  const startedMs = performance.now();
  const fault = await run();
  return { name, fault, tookMs: Math.round(performance.now() - startedMs) };
}

/** Runs the checks in parallel, as many as there are cores; returns results in the order of the list. */
async function runAll(checks: readonly Check[]): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...checks.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, check] = next;
      results[index] = await timed(check);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

const results = await runAll(CHECKS);
for (const { name, fault } of results) if (fault !== "") console.log(`\n--- ${name}\n${fault}`);

console.log("\ncheck           result    took");
for (const { name, fault, tookMs } of results) {
  console.log(`${name.padEnd(16)}${(fault === "" ? "ok" : "FAILED").padEnd(10)}${(tookMs / 1000).toFixed(1)} s`);
}
const counts = KINDS.map((kind) => `${kind} ${found.filter((o) => o.kind === kind).length}`);
const unexplained = found.filter((o) => !o.hasReason).length;
console.log(
  `\n${counts.join(", ")}, exceptions to the architecture rules ${EXCEPTIONS.length}; without a reason ${unexplained}`,
);

const lowered = loweredVocabulary(sources);
if (lowered.length > 0) console.log(`limits of the vocabulary that can be lowered:\n  ${lowered.join("\n  ")}`);

const failed = results.filter((result) => result.fault !== "").length;
mkdirSync(join(ROOT, "test-results"), { recursive: true });
writeFileSync(
  join(ROOT, "test-results", "check.json"),
  `${JSON.stringify({ passed: results.length - failed, failed })}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
