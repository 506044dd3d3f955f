import { parseArgs } from "node:util";
import type { Deps } from "../src/deps.ts";
import { expirePoints } from "../src/ledger/expiry/expire-points.ts";
import { verifyLedger } from "../src/ledger/verify-ledger.ts";
import { applyProgram } from "../src/program/apply-program.ts";
import { seedCustomers } from "./seed-customers.ts";
import { seedDuePoints } from "./seed-due-points.ts";
import { watchMemory } from "./watch-memory.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

const ALLOTTED_AT = Temporal.Instant.from("2025-01-15T03:00:00Z");
const DUE_AT = Temporal.Instant.from("2026-01-15T15:00:00Z"); // 12 months later, at the start of the next day in Tokyo

/**
 * Measures the expiry sweep over customers whose points are all due, with the process's peak memory; ends with a verified ledger. `node
 * bench/sweep.ts [--customers 1000000] [--mode sliding|per_allotment]`
 */
const { values } = parseArgs({
  options: { customers: { type: "string", default: "1000000" }, mode: { type: "string", default: "sliding" } },
});
const customers = Number(values.customers);
await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => DUE_AT }, bench));

async function bench(deps: Deps): Promise<void> {
  const { db } = deps;
  const document = { expiration: { mode: values.mode } };
  await applyProgram(deps, { document, author: "bench", isDryRun: false });
  // changing the mode counts as shortening, which would postpone every date
  await db.execute("update program_version set shortened_at = null");
  say(`making ${customers} customers with points that are due`);
  await seedCustomers(db, customers);
  await seedDuePoints(db, ALLOTTED_AT);

  const memory = watchMemory();
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const expired = await expirePoints(deps);
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuSeconds = Object.values(process.cpuUsage(cpu)).reduce((sum, micros) => sum + micros, 0) / 1e6;
  if (expired !== customers) throw new Error(`the points of ${expired} customers expired, not of ${customers}`);
  say(`${values.mode}: ${expired} customers in ${seconds.toFixed(1)} s, ${Math.round(expired / seconds)}/s`);
  const { before, peak } = memory.stop();
  say(`the process: ${cpuSeconds.toFixed(1)} s of CPU, ${before} MB before and ${peak} MB at its peak`);

  const againMs = performance.now();
  await expirePoints(deps);
  say(`a sweep that finds nothing: ${(performance.now() - againMs).toFixed(0)} ms`);
  const lines: string[] = [];
  const { ok } = await verifyLedger(db, (line) => void lines.push(line));
  if (!ok) throw new Error(lines.join("\n"));
  say(lines.at(-1) ?? "");
}
