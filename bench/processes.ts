import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../package.json" with { type: "json" };

const { start } = project.scripts;
/** The unit of `/proc/<pid>/stat`. */
const TICK_US = 10_000;

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sends SIGTERM, waits for the end and returns what was written after the address. */
  stop(): Promise<string>;
}

/** Starts the service like `npm start`, with the same memory settings, and waits for the address that it prints. */
export function spawnServer(env: Record<string, string>, flags: readonly string[] = []): Promise<Running> {
  const [, name = "", value = ""] = /(MALLOC_\w+)=\D*(\d+)/.exec(start) ?? [];
  const v8 = start.split(" ").filter((word) => word.startsWith("--"));
  return spawnScript("./server.ts", { [name]: process.env[name] ?? value, ...env }, [...v8, ...flags]);
}

/** Starts a script of this folder as a separate process and waits for the address that it prints. */
export async function spawnScript(
  script: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Running> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...flags, path], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /running at (\S+)\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  async function stop(): Promise<string> {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    return said.split("\n").slice(1).join("\n").trim();
  }
  return { url, child, stop };
}

export interface CpuTime {
  readonly serviceUs: number;
  readonly databaseUs: number;
}

/** Returns the processor time so far of a service and of the embedded database of its data folder, in us; zeros if there is no `/proc`. */
export async function cpuOf(servicePid: number, dataDir: string): Promise<CpuTime> {
  const postmaster = await readFile(join(dataDir, "pg", "postmaster.pid"), "utf8");
  const [serviceUs, databaseUs] = await Promise.all([
    cpuUs(servicePid),
    cpuUs(Number(postmaster.split("\n")[0]), true),
  ]);
  return { serviceUs, databaseUs };
}

/** Returns the processor time of a process so far, in us. */
export function cpuOfProcess(pid: number): Promise<number> {
  return cpuUs(pid);
}

/** For a process and, if requested, its ended and running children. */
async function cpuUs(pid: number, withChildren = false): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const ticks = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, withChildren ? 15 : 13);
  const own = ticks.reduce((sum, text) => sum + Number(text), 0) * TICK_US;
  if (!withChildren) return own;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")).trim().split(" ");
  const theirs = await Promise.all(children.filter((text) => text !== "").map((text) => cpuUs(Number(text))));
  return theirs.reduce((sum, us) => sum + us, own);
}

/** Runs `pointkeeper verify` and returns its output; throws if the ledger is not valid. */
export async function verifyLedger(env: Record<string, string>, ...args: readonly string[]): Promise<string> {
  const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
  const child = spawn(process.execPath, [cli, "verify", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`verify ended with ${String(code)}:\n${said}`);
  return said.trim();
}
