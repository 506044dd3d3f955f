import { readFile } from "node:fs/promises";
import { cpuOf } from "./processes.ts";
import { withBenchDatabase } from "./with-bench-deps.ts";

type Env = Record<string, string>;

/** Processor time, and bytes of the database's log, of some work. */
export interface Cost {
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly walBytes: number;
  /** The share of the machine's processors that was idle meanwhile, 0 to 1; 0 if there is no `/proc`. */
  readonly idle: number;
}

export interface Costed<Result> {
  readonly result: Result;
  readonly cost: Cost;
}

/** Runs `work` and returns its result with its cost in the service and the database. */
export async function costOf<Result>(
  env: Env,
  servicePid: number,
  work: () => Promise<Result>,
): Promise<Costed<Result>> {
  const dataDir = env.POINTKEEPER_DATA_DIR ?? "";
  return withBenchDatabase(env, async (db) => {
    const wal = async () =>
      Number((await db.query<{ bytes: string }>("select (pg_current_wal_lsn() - '0/0')::text as bytes"))[0]?.bytes);
    const [before, walBefore, machineBefore] = [await cpuOf(servicePid, dataDir), await wal(), await machineTicks()];
    const result = await work();
    const [after, walAfter, machineAfter] = [await cpuOf(servicePid, dataDir), await wal(), await machineTicks()];
    return {
      result,
      cost: {
        serviceUs: after.serviceUs - before.serviceUs,
        databaseUs: after.databaseUs - before.databaseUs,
        walBytes: walAfter - walBefore,
        idle: (machineAfter.idle - machineBefore.idle) / Math.max(1, machineAfter.all - machineBefore.all),
      },
    };
  });
}

/** Ticks of all processors since the machine started; waiting for the disk counts as idle. */
async function machineTicks(): Promise<{ readonly idle: number; readonly all: number }> {
  const stat = await readFile("/proc/stat", "utf8").catch(() => "");
  const ticks = (stat.split("\n", 1)[0] ?? "").split(/\s+/).slice(1, 9).map(Number);
  return { idle: (ticks[3] ?? 0) + (ticks[4] ?? 0), all: ticks.reduce((sum, n) => sum + n, 0) };
}

/** Returns the present and the peak resident memory of a process in MB; zeros if there is no `/proc`. */
export async function memoryOf(pid: number): Promise<{ readonly nowMb: number; readonly peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const mb = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
  return { nowMb: mb("VmRSS"), peakMb: mb("VmHWM") };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}

/** Formats columns as wide as their widest cell: the first aligned left, the others right. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
    )
    .join("\n");
}
