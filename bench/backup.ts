import { stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { backUp } from "../src/backup/back-up.ts";
import { bytesOf, rowsOf } from "../src/backup/manifest.ts";
import { writeNewIdentity } from "../src/backup/part-coder.ts";
import { restoreStore } from "../src/backup/restore-store.ts";
import { openRowSource, prepareSession } from "../src/backup/row-source.ts";
import type { Deps } from "../src/deps.ts";
import { ALLOTMENTS_A_CUSTOMER, seedLedger } from "./seed-ledger.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures the time and this process's processor time of a logical backup, compared with only reading the same rows by COPY; then of an encrypted
 * one, a physical one, and their restores. `node bench/backup.ts [--customers 10000]`
 */
const { values } = parseArgs({ options: { customers: { type: "string", default: "10000" } } });
await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => Temporal.Now.instant() }, bench));

async function bench(deps: Deps): Promise<void> {
  const customers = Number(values.customers);
  await seedLedger(deps.db, customers);
  say(`${customers} customers, ${customers * ALLOTMENTS_A_CUSTOMER} allotments`);
  const { dataDir, databaseUrl } = deps.config;
  const folder = join(dataDir, "..", `backups-${process.pid}`);
  const identityPath = `${folder}.key`;
  const recipient = await writeNewIdentity(identityPath);
  const bare = await measure("COPY of all tables", () => readAll(deps));
  for (const [name, kind, recipients] of [
    ["logical", "logical", []],
    ["encrypted", "logical", [recipient]],
    ["physical", "physical", []],
  ] as const) {
    const config = { ...deps.config, databaseUrl, backup: { ...deps.config.backup, recipients } };
    const path = join(folder, name);
    let size = "";
    const took = await measure(`${name} backup`, async () => {
      const manifest = await backUp({ ...deps, config }, { path, kind, cause: "command" });
      size = `${(bytesOf(manifest) / 1e6).toFixed(1)} MB, ${rowsOf(manifest)} rows`;
    });
    say(`  ${size}; ${(took / bare).toFixed(2)} times the time of the COPY`);
    const restored = { ...config, dataDir: join(folder, `${name}-restored`) };
    const restoring = await measure(`  restored`, async () => {
      await restoreStore({ config: restored, log: deps.log }, { path, identityPath, isKeyOptional: true });
      await stat(join(restored.dataDir, "pg"));
    });
    say(`  ${(restoring / bare).toFixed(2)} times the time of the COPY`);
  }
}

async function readAll(deps: Deps): Promise<void> {
  const client = await deps.db.connect();
  await prepareSession(client);
  await client.query("begin isolation level repeatable read read only");
  const source = await openRowSource(client, () => {});
  for (const table of source.tables) for await (const _ of source.rows(table).stream);
  await client.end();
}

/** Returns the milliseconds. */
async function measure(what: string, work: () => Promise<void>): Promise<number> {
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const memory = process.resourceUsage().maxRSS / 1_024;
  say(
    `${what}: ${(ms / 1e3).toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of processor time, at most ${memory.toFixed(0)} MB so far`,
  );
  return ms;
}
