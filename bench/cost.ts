import { readFile } from "node:fs/promises";
import { cpuOf } from "./processes.ts";
import { withBenchDatabase } from "./with-bench-deps.ts";

type Env = Record<string, string>;

/** Processor time and log of the database that something took. */
export interface Cost {
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly walBytes: number;
}

/** A result and what it took. */
export interface Costed<Result> {
  readonly result: Result;
  readonly cost: Cost;
}

/** Runs something beside a service of the environment, and returns with its result what it took of service and database. */
export async function costOf<Result>(
  env: Env,
  servicePid: number,
  work: () => Promise<Result>,
): Promise<Costed<Result>> {
  const dataDir = env.POINTKEEPER_DATA_DIR ?? "";
  return withBenchDatabase(env, async (db) => {
    const wal = async () =>
      Number((await db.query<{ bytes: string }>("select (pg_current_wal_lsn() - '0/0')::text as bytes"))[0]?.bytes);
    const [before, walBefore] = [await cpuOf(servicePid, dataDir), await wal()];
    const result = await work();
    const [after, walAfter] = [await cpuOf(servicePid, dataDir), await wal()];
    return {
      result,
      cost: {
        serviceUs: after.serviceUs - before.serviceUs,
        databaseUs: after.databaseUs - before.databaseUs,
        walBytes: walAfter - walBefore,
      },
    };
  });
}

/** The resident memory of a process now, and at its highest so far, in MB. Zeros where there is no `/proc`. */
export async function memoryOf(pid: number): Promise<{ readonly nowMb: number; readonly peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const mb = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
  return { nowMb: mb("VmRSS"), peakMb: mb("VmHWM") };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}

/** Columns that are as wide as their widest cell: the first to the left, the others to the right. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
    )
    .join("\n");
}
