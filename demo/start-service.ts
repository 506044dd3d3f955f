import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DemoError } from "./demo-error.ts";
import { type PointkeeperProcess, runPointkeeper } from "./run-pointkeeper.ts";

export const CREDENTIAL = { key: "pk_demo", secret: "demo-secret-not-for-real-stores-0123456789" };
export const SHOP_DOMAIN = "demo-tea-shop.myshopify.com";
export const PLATFORM_SECRET = "demo-secret-of-the-platform";

const START_MS = 60_000;
const STOP_MS = 30_000;

export interface DemoService {
  readonly url: string;
  /** Runs a command of the service on the same data folder, to its end. */
  command(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Sends SIGTERM; returns the exit code. Does nothing if it has already stopped. */
  stop(): Promise<number | null>;
}

/**
 * Starts the service as a separate process on a new data folder and a free port; returns when it responds. At the end it is stopped, after the
 * running commands have ended. Throws DemoError.
 */
export async function startService(
  folder: string,
  onEnd: (stop: () => Promise<unknown>) => void,
): Promise<DemoService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = settings(join(folder, "data"), port, url);
  const log = logFile(folder);
  const running = runPointkeeper(["start"], env, log);
  const commands = new Set<Promise<unknown>>();
  onEnd(() => stop(running));
  onEnd(() => Promise.allSettled(commands));
  await untilReady(running, url);
  return {
    url,
    async command(args) {
      const begun = runPointkeeper(args, env, log);
      commands.add(begun.ended);
      return { code: await begun.ended, output: begun.output() };
    },
    stop: () => stop(running),
  };
}

/** The file for all output of the service and its commands. */
export function logFile(folder: string): string {
  return join(folder, "service.log");
}

/** The command line that starts the service again on a kept folder. */
export function startLine(folder: string): string {
  return `POINTKEEPER_DATA_DIR=${join(folder, "data")} POINTKEEPER_PLATFORM=shopify npm start`;
}

function settings(dataDir: string, port: number, url: string): Record<string, string> {
  return {
    POINTKEEPER_DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    POINTKEEPER_PLATFORM: "shopify",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    SHOPIFY_SHOP_DOMAIN: SHOP_DOMAIN,
    SHOPIFY_WEBHOOK_SECRETS: PLATFORM_SECRET,
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
    POINTKEEPER_ACCESS_LOG: process.env["POINTKEEPER_ACCESS_LOG"] ?? "0",
  };
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function untilReady(running: PointkeeperProcess, url: string): Promise<void> {
  const state = { hasEnded: false };
  const markEnd = () => {
    state.hasEnded = true;
  };
  running.ended.then(markEnd, markEnd);
  const startedMs = performance.now();
  while (!(await isReady(url))) {
    if (state.hasEnded || performance.now() - startedMs > START_MS)
      throw new DemoError(`The service did not start:\n${running.output()}`);
    await delay(25);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
}

async function stop(running: PointkeeperProcess): Promise<number | null> {
  running.kill("SIGTERM");
  const timer = setTimeout(() => running.kill("SIGKILL"), STOP_MS);
  try {
    return await running.ended;
  } finally {
    clearTimeout(timer);
  }
}
