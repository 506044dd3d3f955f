import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { waitUntil } from "./wait-until.ts";

export interface LoadPlan {
  readonly url: string;
  readonly authorization: string;
  readonly lanes: number;
  /** Changed only by calls with an Idempotency-Key: each is repeated until it is answered. */
  readonly keyedCustomers: readonly string[];
  /** Changed only by calls without a key: none is sent twice. */
  readonly plainCustomers: readonly string[];
  /** One note per line. */
  readonly notesPath: string;
  /** The prefix of every Idempotency-Key, for a second generator on the same service; `key` when absent. */
  readonly keyPrefix?: string;
}

/** The result of a call. `broken`: it may have taken effect or not. */
export type LoadNote = { readonly customer: string; readonly key: string | null } & (
  | { readonly kind: "acknowledged"; readonly uid: string; readonly points: number; readonly balance: number }
  | { readonly kind: "refused" | "broken" }
  | { readonly kind: "fault"; readonly status: number }
);

export interface LoadGenerator {
  notes(): LoadNote[];
  /** Waits until `count` more calls have been acknowledged. */
  moreAcknowledged(count: number): Promise<void>;
  /** Lets it finish what it has begun. */
  end(): Promise<void>;
  kill(): void;
}

/** A receiver in a separate process, which answers 200 and records the uid of each allotment that it receives. */
export interface ReceiverProcess {
  readonly url: string;
  uids(): readonly string[];
  kill(): void;
}

const ACKNOWLEDGED = '{"kind":"acknowledged"';

export function startLoad(plan: LoadPlan): LoadGenerator {
  const child = forkScript("./load-process.ts", [JSON.stringify(plan)]);
  const ended = once(child, "exit");
  const lines = followLines(plan.notesPath);
  const notes = () => lines().map((line): LoadNote => JSON.parse(line));
  const acknowledged = () => lines().filter((line) => line.startsWith(ACKNOWLEDGED)).length;
  return {
    notes,
    async moreAcknowledged(count) {
      const wanted = acknowledged() + count;
      await waitUntil(() => {
        if (child.exitCode !== null) throw new Error(`the generator ended with ${child.exitCode}`);
        return acknowledged() >= wanted;
      });
    },
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

export async function startReceiverProcess(uidsPath: string): Promise<ReceiverProcess> {
  const child = forkScript("./load-receiver-process.ts", [uidsPath]);
  const [port] = await once(child, "message");
  const lines = followLines(uidsPath);
  return {
    url: `http://127.0.0.1:${String(port)}/hook`,
    uids: lines,
    kill: () => void child.kill("SIGKILL"),
  };
}

function forkScript(script: string, args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Returns the complete lines that a file has so far, and continues reading where it stopped, as it is called repeatedly. */
function followLines(path: string): () => readonly string[] {
  const file = openSync(path, "a+");
  const piece = Buffer.alloc(65_536);
  const lines: string[] = [];
  let position = 0;
  let rest = "";
  return () => {
    for (let read = readSync(file, piece, 0, piece.length, position); read > 0; ) {
      position += read;
      const whole = (rest + piece.toString("latin1", 0, read)).split("\n");
      rest = whole.pop() ?? "";
      lines.push(...whole);
      read = readSync(file, piece, 0, piece.length, position);
    }
    return lines;
  };
}
