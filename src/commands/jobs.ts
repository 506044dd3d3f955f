import type { Deps } from "../deps.ts";
import type { Job, JobReport } from "../jobs/job.ts";
import { selectJobReports } from "../jobs/job-queries.ts";
import { JOBS } from "../jobs/schedule.ts";
import { formatInstant } from "../time/store-time.ts";
import { withDeps } from "./with-deps.ts";

const COLUMNS = ["job", "last run", "took", "count", "result", "next", "runs", "failed", "count of all"] as const;

/** `pointkeeper jobs`: each scheduled job with its last run, its next time and its counters; 1 where a last run failed. */
export async function jobs(): Promise<number> {
  return withDeps(async (deps) => {
    const reports = await selectJobReports(deps.db);
    const rows: string[][] = [[...COLUMNS]];
    for (const job of JOBS) rows.push(await rowOf(deps, job, reports.get(job.name)));
    process.stdout.write(table(rows));
    return [...reports.values()].some((report) => report.outcome === "failed") ? 1 : 0;
  });
}

async function rowOf(deps: Deps, job: Job, report: JobReport | undefined): Promise<string[]> {
  if (report === undefined) return [job.name, "never", "", "", "", await nextText(deps, job, undefined), "0", "0", "0"];
  return [
    job.name,
    timeText(report.startedAt),
    report.durationMs === null ? "" : `${(Number(report.durationMs) / 1_000).toFixed(1)} s`,
    String(report.lastItems ?? ""),
    resultText(report),
    await nextText(deps, job, report),
    String(report.runs),
    String(report.failures),
    String(report.items),
  ];
}

function resultText({ outcome, isRunning, error }: JobReport): string {
  if (outcome !== null) return error === null ? outcome : `${outcome}: ${error}`;
  return isRunning ? "running" : "interrupted";
}

async function nextText(deps: Deps, { timing }: Job, report: JobReport | undefined): Promise<string> {
  if (timing.by === "machine") return report === undefined ? "now" : timeText(report.readyAt);
  return timeText(await timing.nextAt(deps, report?.doneAt ?? null));
}

/** To the second, UTC. */
function timeText(instant: Temporal.Instant | null): string {
  return instant === null ? "" : `${formatInstant(instant).slice(0, "2026-03-01T09:30:00".length)}Z`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
