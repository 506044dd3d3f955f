import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { say, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures how long `npm start` takes until `/ready` responds: on a new data folder, on the same one after SIGTERM, and after `kill -9` (program.md
 * 8: within 3 seconds on an existing folder). `node bench/start.ts [--runs 5] [--port 3999]`
 */
const { values } = parseArgs({
  options: { runs: { type: "string", default: "5" }, port: { type: "string", default: "3999" } },
});
const LIMIT_MS = 60_000;
const POLL_MS = 10;

await withBenchFolder(async (dataDir) => {
  const env = { ...process.env, POINTKEEPER_DATA_DIR: dataDir, PORT: values.port, LOG_LEVEL: "warn" };
  say(`new folder: ${text([await startOnce(env, "SIGTERM")])}`);
  const after = async (signal: "SIGTERM" | "SIGKILL") => {
    const tookMs: number[] = [];
    for (let run = 0; run < Number(values.runs); run++) tookMs.push(await startOnce(env, signal));
    return tookMs;
  };
  say(`existing folder: ${text(await after("SIGTERM"))}`);
  await startOnce(env, "SIGKILL");
  say(`after kill -9: ${text(await after("SIGKILL"))}`);
  await startOnce(env, "SIGTERM");
});

/** Starts the service, waits until it is ready and ends it with the signal; returns the milliseconds from start to ready. */
async function startOnce(env: NodeJS.ProcessEnv, signal: "SIGTERM" | "SIGKILL"): Promise<number> {
  const startedMs = performance.now();
  const child = spawn("npm", ["start"], { env, stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  while (!(await isReady())) {
    if (performance.now() - startedMs > LIMIT_MS) throw new Error("the service does not get ready");
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const tookMs = performance.now() - startedMs;
  if (child.pid !== undefined) process.kill(-child.pid, signal); // npm and the service that it started
  await ended;
  while (await isReady()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return tookMs;
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${values.port}/ready`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

function text(tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((a, b) => a - b).map((ms) => `${(ms / 1_000).toFixed(2)} s`);
  if (sorted.length === 1) return sorted.join("");
  return `${sorted[0]} least, ${sorted[Math.floor(sorted.length / 2)]} median, ${sorted.at(-1)} most of ${sorted.length}`;
}
