import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Db } from "../src/db/pool.ts";
import { cpuOf, type Running, spawnServer, verifyLedger } from "./processes.ts";
import { say, serviceEnv, withBenchDatabase } from "./with-bench-deps.ts";

/**
 * Measures `pointkeeper import <file> --from loyaltylion --yes` for new members, beside a running service on the embedded database, and its undo;
 * with the processor time of the command, the service and the database, and the memory of the command. Ends with a verified ledger. `node
 * bench/move-in.ts [--rows 20000] [--known-by id|email] [--profile <folder>]`
 */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    "known-by": { type: "string", default: "email" },
    profile: { type: "string" },
  },
});
const rows = Number(values.rows);
const hasIds = values["known-by"] === "id";
const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];
const CLI = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
const WATCH_MS = 250;

const folder = await mkdtemp(join(tmpdir(), "pointkeeper-bench-"));
const dataDir = join(folder, "data");
const env = serviceEnv(dataDir);
let service: Running | undefined;
try {
  const path = join(folder, "members.csv");
  await pipeline(memberFile, createWriteStream(path));
  service = await spawnServer(env, flags);
  const from = ["import", path, "--from", "loyaltylion"];
  await timed("dry run", [...from, "--dry-run", "--json"]);
  const said = await timed("import", [...from, "--yes", "--json"]);
  await withBenchDatabase(env, sayParts);
  await withBenchDatabase(env, (db) => expectMembers(db, { there: rows }));
  await timed("the same again", [...from, "--yes", "--json"]);
  await timed("undo", ["import", "--undo", moveOf(said), "--json"]);
  await withBenchDatabase(env, (db) => expectMembers(db, { there: 0 }));
  await service.stop();
  say((await verifyLedger(env)).split("\n").at(-1) ?? "");
} finally {
  await service?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function* memberFile(): Generator<string> {
  yield "id,email,name,points_approved,points_expire_at\n";
  for (let n = 0; n < rows; n++)
    yield `${hasIds ? 1_000_000 + n : ""},member-${n}@bench.example,Member ${n},${(n % 500) + 1},2031-03-31\n`;
}

function moveOf(said: string): string {
  const { move } = JSON.parse(said) as { move: string }; // cast: the output of the command
  return move;
}

/** Runs the command and prints its cost. Returns its output; throws if it failed. */
async function timed(what: string, args: readonly string[]): Promise<string> {
  const before = await cpuOf(service?.child.pid ?? 0, dataDir);
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...flags, CLI, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const watched = watch(child.pid ?? 0, ended);
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) said += text;
  const [code] = await ended;
  if (code !== 0) throw new Error(`${what} ended with ${String(code)}: ${said}`);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await cpuOf(service?.child.pid ?? 0, dataDir);
  const { cpuS, peakMb } = await watched;
  const ofService = (after.serviceUs - before.serviceUs) / 1e6;
  const ofDatabase = (after.databaseUs - before.databaseUs) / 1e6;
  say(
    `${what}: ${seconds.toFixed(1)} s, ${((seconds / rows) * 1e6).toFixed(0)} us a row; CPU ${cpuS.toFixed(1)} s of the command (${peakMb} MB at its peak), ${ofService.toFixed(1)} s of the service, ${ofDatabase.toFixed(1)} s of the database`,
  );
  return said;
}

/** Returns the processor time and peak memory of a process, measured shortly before it ended. */
async function watch(pid: number, ended: Promise<unknown>): Promise<{ cpuS: number; peakMb: number }> {
  let isOver = false;
  const over = ended.then(() => {
    isOver = true;
  });
  const seen = { cpuS: 0, peakMb: 0 };
  while (!isOver) {
    const [stat, status] = await Promise.all(
      ["stat", "status"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
    );
    const fields = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
    seen.cpuS = Math.max(seen.cpuS, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100);
    seen.peakMb = Math.max(seen.peakMb, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status ?? "")?.[1] ?? 0) / 1_024));
    await Promise.race([delay(WATCH_MS), over]);
  }
  return seen;
}

/** Prints how long each part took, from its upload to its end. */
async function sayParts(db: Db): Promise<void> {
  const parts = await db.query<{ kind: string; checked: number; imported: number }>(
    `select kind,
  extract(epoch from started_at - created_at)::float8 as checked,
  extract(epoch from finished_at - started_at)::float8 as imported
from import
order by created_at`,
  );
  for (const { kind, checked, imported } of parts)
    say(`  ${kind}: ${checked.toFixed(1)} s to upload and check, ${imported.toFixed(1)} s to import`);
}

async function expectMembers(db: Db, { there }: { readonly there: number }): Promise<void> {
  const [found] = await db.query<{ count: string; points: string }>(
    `select count(*) filter (where c.deleted_at is null)::text as count,
  coalesce(sum(b.ledger_points), 0)::text as points
from customer c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid`,
  );
  let points = 0;
  for (let n = 0; n < there; n++) points += (n % 500) + 1;
  if (Number(found?.count) !== there || Number(found?.points) !== points)
    throw new Error(`there are ${found?.count} members with ${found?.points} points, not ${there} with ${points}`);
}
