import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DemoError } from "./demo-error.ts";
import type { DemoOptions } from "./options.ts";
import { type DemoStage, runDemo } from "./run-demo.ts";
import { CREDENTIAL, logFile, startLine } from "./start-service.ts";
import type { KeptStore } from "./store/make-store.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const FAILED_CODE = 1;
const SIGNAL_CODE = 130;
const LAST_LINES = 10;

/** Returns the exit code after the demo has ended its processes and removed its folder, unless that is to be kept. */
export async function runAndCleanUp(wanted: DemoOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "pointkeeper-demo-"));
  const stops: (() => Promise<unknown>)[] = [];
  const outcome = { code: FAILED_CODE, hasEnded: false };
  const print = (text: string) => {
    if (!outcome.hasEnded) process.stdout.write(text);
  };
  const stage = { folder, print, onEnd: (stop: () => Promise<unknown>) => void stops.push(stop) };
  const made: { store?: KeptStore } = {};
  const run = wanted.isStore ? keepStore(wanted, stage, made) : runDemo(wanted, stage);
  try {
    outcome.code = await Promise.race([run.then((isRight) => (isRight ? 0 : FAILED_CODE)), signalled()]);
  } catch (error) {
    const text = error instanceof DemoError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`\n${text}\n${await lastWords(folder)}`);
  }
  outcome.hasEnded = true;
  for (const stop of stops.reverse()) await stop();
  const isKept = wanted.isStore ? made.store !== undefined : wanted.keep && outcome.code !== SIGNAL_CODE;
  if (isKept) process.stdout.write(made.store === undefined ? keptText(folder) : storeText(made.store));
  if (!isKept || wanted.dataFolder !== null) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return outcome.code;
}

/** Returns the end of the service's output. */
async function lastWords(folder: string): Promise<string> {
  const log = await readFile(logFile(folder), "utf8").catch(() => "");
  const lines = log.trimEnd().split("\n").slice(-LAST_LINES);
  return log === "" ? "" : `\nThe service's last lines:\n${lines.join("\n")}\n`;
}

/** Resolves with Ctrl-C or a similar signal; later signals are ignored, because everything is being stopped. */
function signalled(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        process.stderr.write("\nStopping.\n");
        resolve(SIGNAL_CODE);
      });
    }
  });
}

function keptText(folder: string): string {
  return `
The data folder stays: ${join(folder, "data")}. To look around in it:

  ${startLine(folder)}
  curl -u ${CREDENTIAL.key}:${CREDENTIAL.secret} "http://127.0.0.1:3000/api/storefront/point_allotments?per_page=5"

Remove ${folder} when you are done.
`;
}

async function keepStore(wanted: DemoOptions, stage: DemoStage, made: { store?: KeptStore }): Promise<boolean> {
  const dataDir = wanted.dataFolder === null ? join(stage.folder, "data") : resolve(wanted.dataFolder);
  const { makeStore } = await import("./store/make-store.ts"); // the only part of the demo that loads the service's code
  made.store = await makeStore(wanted, dataDir, stage);
  return true;
}

function storeText({ dataDir, email, password }: KeptStore): string {
  return `
The store stays in ${dataDir}. To look around in it:

  POINTKEEPER_DATA_DIR=${dataDir} POINTKEEPER_ALLOW_PRIVATE_CALLBACKS=1 npm start

and sign in at http://127.0.0.1:3000/admin as ${email} with the password ${password}
(manager@demo.example, support@demo.example and viewer@demo.example have the same one)
The API's credential is ${CREDENTIAL.key}:${CREDENTIAL.secret}
The shop that receives its webhooks was made up and no longer runs: deliveries to it fail and are tried again.
`;
}
