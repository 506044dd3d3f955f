import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import project from "../package.json" with { type: "json" };

const { start } = project.scripts;

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sends SIGTERM, waits for the end and answers what was written after the address. */
  stop(): Promise<string>;
}

/** Starts the service as `npm start` does, with the same settings of memory, and waits for the address that it prints. */
export function spawnServer(env: Record<string, string>, flags: readonly string[] = []): Promise<Running> {
  const [, name = "", value = ""] = /(MALLOC_\w+)=\D*(\d+)/.exec(start) ?? [];
  const v8 = start.split(" ").filter((word) => word.startsWith("--"));
  return spawnScript("./server.ts", { [name]: process.env[name] ?? value, ...env }, [...v8, ...flags]);
}

/** Starts a script of this folder as a process of its own and waits for the address that it prints. */
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

/** Runs `pointkeeper verify` and answers what it printed; throws where the ledger does not hold. */
export async function verifyLedger(env: Record<string, string>): Promise<string> {
  const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
  const child = spawn(process.execPath, [cli, "verify"], {
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
