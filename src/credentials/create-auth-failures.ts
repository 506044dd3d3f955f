import { runAsSystem } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { addressKey } from "../http/address-key.ts";
import { OTHER_ADDRESSES } from "./auth-failures.ts";
import { writeAuthFailures } from "./write-auth-failures.ts";

/** Counts requests of unknown senders in memory, and writes sums of them: an attack costs a log line and a few rows a minute. */
export interface AuthFailures {
  /** Counts a failure of an address; returns at once. */
  record(address: string): void;
  /** Writes what is left, and nothing after that. */
  close(): Promise<void>;
}

/** So soon the first failure after a quiet time is recorded. */
const FIRST_MS = 1_000;
const GAP_MS = 60_000;
const ADDRESSES_IN_MEMORY_MAX = 1_000;
const LOGGED_ADDRESSES = 5;

export function createAuthFailures(deps: Pick<Deps, "db" | "clock" | "log">): AuthFailures {
  let tallies = new Map<string, number>();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function count(address: string, failures: number): void {
    const isKept = tallies.has(address) || tallies.size < ADDRESSES_IN_MEMORY_MAX;
    const key = isKept ? address : OTHER_ADDRESSES;
    tallies.set(key, (tallies.get(key) ?? 0) + failures);
  }

  function schedule(): void {
    if (timer !== undefined) return;
    const waitMs = Math.max(FIRST_MS, writtenAtMs + GAP_MS - performance.now());
    timer = setTimeout(() => runAsSystem(write), waitMs).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (tallies.size === 0) return;
    writtenAtMs = performance.now();
    const written = [...tallies].map(([address, failures]) => ({ address, failures }));
    tallies = new Map();
    const failures = written.reduce((sum, tally) => sum + tally.failures, 0);
    const most = written.toSorted((a, b) => b.failures - a.failures).slice(0, LOGGED_ADDRESSES);
    deps.log.warn({ failures, addresses: written.length, most }, "API authentication failed");
    try {
      await writeAuthFailures(deps, written);
    } catch (error) {
      deps.log.warn({ error }, "failed authentication was not written down");
      for (const tally of written) count(tally.address, tally.failures);
      schedule();
    }
  }

  return {
    record(address) {
      count(addressKey(address), 1);
      schedule();
    },
    async close() {
      await write();
      clearTimeout(timer);
    },
  };
}
