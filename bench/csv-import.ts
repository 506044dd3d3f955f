import { parseArgs } from "node:util";
import type { Deps } from "../src/deps.ts";
import { startImport } from "../src/imports/apply/start-import.ts";
import { startCheck } from "../src/imports/check/start-check.ts";
import type { CsvImport } from "../src/imports/csv-import.ts";
import { selectImport, selectTotals } from "../src/imports/queries.ts";
import { readRows } from "../src/imports/read/read-rows.ts";
import { storeUpload } from "../src/imports/store-upload.ts";
import { startUndo } from "../src/imports/undo/start-undo.ts";
import { workImports } from "../src/imports/work-imports.ts";
import { verifyLedger } from "../src/ledger/verify-ledger.ts";
import { applyProgram } from "../src/program/apply-program.ts";
import { pointsFile } from "./points-file.ts";
import { cpuOf } from "./processes.ts";
import { seedCustomers } from "./seed-customers.ts";
import { watchMemory } from "./watch-memory.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

const NOW = Temporal.Instant.from("2026-03-01T03:00:00Z");
const PERSON = { uid: "00000000-0000-7000-8000-000000000000", name: "bench" };

/**
 * Measures how long a file of points takes from upload to undo, one row per customer, with the process's memory; ends with a verified ledger. `node
 * bench/csv-import.ts [--rows 1000000] [--by email|id]`
 */
const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, by: { type: "string", default: "email" } },
});
const rows = Number(values.rows);
const by = values.by === "id" ? "id" : "email";
let dataDir = "";
await withBenchFolder((folder) => {
  dataDir = folder;
  return withBenchDeps(folder, { now: () => NOW }, bench);
});

async function bench(deps: Deps): Promise<void> {
  say(`making ${rows} customers`);
  await applyProgram(deps, { document: {}, author: "bench", isDryRun: false });
  await seedCustomers(deps.db, rows, NOW);
  const memory = watchMemory();
  const upload = { kind: "points", fileName: "bench.csv", bytes: pointsFile({ rows, by }), by: PERSON } as const;
  const stored = await timed("upload", () => storeUpload(deps, upload));
  await timed("parsing alone", () => parse(deps, stored));
  await deps.db.tx((tx) => startCheck(tx, deps, stored.uid, { settings: stored, by: PERSON }));
  await timed("dry run", () => workImports(deps));
  await deps.db.tx((tx) => startImport(tx, deps, stored.uid, { by: PERSON, isApproved: false }));
  await timed("import", () => workImports(deps));
  await deps.db.tx((tx) => startUndo(tx, deps, stored.uid, { by: PERSON, isApproved: false }));
  await timed("undo", () => workImports(deps));
  const { before, peak } = memory.stop();
  say(`memory: ${before} MB before and ${peak} MB at its peak`);
  await expectAll(deps, stored.uid);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const before = await cpuOf(process.pid, dataDir);
  const answer = await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await cpuOf(process.pid, dataDir);
  const perRow = (us: number) => `${(us / rows).toFixed(1)} us a row`;
  const here = perRow(after.serviceUs - before.serviceUs);
  const there = perRow(after.databaseUs - before.databaseUs);
  say(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s; CPU ${here} here, ${there} in the database`,
  );
  return answer;
}

async function parse(deps: Deps, file: CsvImport): Promise<void> {
  let count = 0;
  for await (const piece of readRows(deps, file)) {
    if ("code" in piece) throw new Error(piece.code);
    count += piece.length;
  }
  if (count !== rows) throw new Error(`${count} rows were read, not ${rows}`);
}

async function expectAll({ db }: Deps, uid: string): Promise<void> {
  const { state } = await selectImport(db, uid);
  const totals = (await selectTotals(db, [uid])).get(uid) ?? [];
  for (const { phase, validCount } of totals) {
    if (validCount !== BigInt(rows)) throw new Error(`${phase}: ${validCount} rows were good, not ${rows}`);
  }
  if (state !== "undone" || totals.length !== 3) throw new Error(`the import is ${state}`);
  const lines: string[] = [];
  const { ok } = await verifyLedger(db, (line) => void lines.push(line));
  if (!ok) throw new Error(lines.join("\n"));
  say(lines.at(-1) ?? "");
}
