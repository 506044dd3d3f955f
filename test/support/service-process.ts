import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyNewStore } from "./new-store.ts";
import { scratchRoot } from "./scratch-root.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Of a busy machine: a start on a database that was killed recovers it first. */
const START_MS = 150_000;
/** As on a small machine: of a large page cache each of a run's thousands of connections would map more. */
export const PAGE_CACHE_MB = 128;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  stdout(): string;
  /** The process's end. */
  readonly ended: Promise<Finished>;
  /** Sends SIGTERM and waits. */
  stop(): Promise<Finished>;
}

/** Creates a private folder, removed by `remove`; in memory if possible and no other place is given. */
export async function makeFolder(root = scratchRoot()): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(root, "pointkeeper-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
}

/**
 * A data folder on which the service was started and stopped once: a start on a copy of it need not create a database. If the database is elsewhere
 * (of root, on a machine without user namespaces), nothing is copied, and a start creates its own.
 */
export async function makeUsedData(
  env: Record<string, string>,
): Promise<{ copyTo(dataDir: string): Promise<void>; remove(): Promise<void> }> {
  const { path, remove } = await makeFolder();
  const used = join(path, "data");
  const service = await spawnService({ ...env, POINTKEEPER_DATA_DIR: used });
  await service.stop();
  async function copyTo(dataDir: string): Promise<void> {
    if (existsSync(join(used, "pg"))) await cp(used, dataDir, { recursive: true });
  }
  return { copyTo, remove };
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
  stdout(): string;
}

/**
 * Runs `pointkeeper ...` with only these settings: the build of `npm ci`, or the sources if one of them is newer. For another version: in its folder,
 * with its Node.
 */
export function spawnPointkeeper(args: readonly string[], env: Record<string, string>, root = ROOT): Spawned {
  return spawnProcess([join(root, "bin", "pointkeeper"), ...args], env, root);
}

/** Runs a script of the project, by its path, in the same way. */
export function spawnScript(script: string, args: readonly string[], env: Record<string, string>): Spawned {
  return spawnProcess([process.execPath, join(ROOT, script), ...args], env, ROOT);
}

function spawnProcess(
  [file, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
  cwd: string,
): Spawned {
  const child = spawn(file, args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...(cwd === ROOT ? { POINTKEEPER_PG_CACHE_MB: `${PAGE_CACHE_MB}` } : {}), // an earlier version does not know it
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise<Finished>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
  return { child, ended, stdout: () => stdout };
}

/** Runs `pointkeeper ...` to its end. */
export function runCli(args: readonly string[], env: Record<string, string>, root = ROOT): Promise<Finished> {
  return spawnPointkeeper(args, env, root).ended;
}

/**
 * Starts the service like `npm start`, on a free port, and waits until it responds. A data folder that is not there yet gets a copy of the run's
 * migrated database (`new-store.ts`); make the folder before, for a test in which the start makes the database.
 */
export async function spawnService(
  env: Record<string, string>,
  args: readonly string[] = [],
  root = ROOT,
): Promise<ServiceProcess> {
  const startedAt = performance.now();
  const settings = { PORT: "0", POINTKEEPER_DRAIN_SECONDS: "0", ...env };
  const dataDir = env["POINTKEEPER_DATA_DIR"];
  if (root === ROOT && dataDir !== undefined && env["DATABASE_URL"] === undefined) await copyNewStore(dataDir);
  const { child, ended, stdout } = spawnPointkeeper(["start", ...args], settings, root);
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  let url: string | undefined;
  while (url === undefined) {
    if (isOver || performance.now() - startedAt > START_MS) {
      child.kill("SIGKILL");
      const { stderr } = await ended;
      throw new Error(`the service did not start: ${stderr}${stdout()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    url = /running at (\S+)/.exec(stdout())?.[1];
  }
  return {
    url,
    child,
    stdout,
    ended,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
