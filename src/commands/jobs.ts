import type { Deps } from "../deps.ts";
import type { Job, JobReport } from "../jobs/job.ts";
import { selectJobReports } from "../jobs/job-queries.ts";
import { JOBS } from "../jobs/schedule.ts";
import type { Given } from "./command-line.ts";
import { inTone, jsonTime, print, shortTime, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const COLUMNS = ["job", "last run", "took", "count", "result", "next", "runs", "failed", "count of all"] as const;

/** `pointkeeper jobs`: each scheduled job with its last run, its next time and its counters; returns 1 if a last run failed. */
export async function jobs(given: Given): Promise<number> {
  return withDeps(async (deps) => {
    const reports = await selectJobReports(deps.db);
    const shown: ShownJob[] = [];
    for (const job of JOBS) shown.push({ job, report: reports.get(job.name), next: await nextOf(deps, job, reports) });
    print(given, {
      json: { jobs: shown.map(jobDocument) },
      text: tableLines(COLUMNS, shown.map(jobRow), { header: "always" }),
    });
    return [...reports.values()].some((report) => report.outcome === "failed") ? 1 : 0;
  });
}

interface ShownJob {
  readonly job: Job;
  readonly report: JobReport | undefined;
  /** `now`: as soon as a worker checks. */
  readonly next: Temporal.Instant | "now" | null;
}

async function nextOf(
  deps: Deps,
  { name, timing }: Job,
  reports: ReadonlyMap<string, JobReport>,
): Promise<ShownJob["next"]> {
  const report = reports.get(name);
  if (timing.by === "machine") return report === undefined ? "now" : report.readyAt;
  return timing.nextAt(deps, report?.doneAt ?? null);
}

function jobRow({ job, report, next }: ShownJob): string[] {
  const nextText = next === "now" ? next : shortTime(next);
  if (report === undefined) return [job.name, "never", "", "", "", nextText, "0", "0", "0"];
  return [
    job.name,
    shortTime(report.startedAt),
    report.durationMs === null ? "" : `${(Number(report.durationMs) / 1_000).toFixed(1)} s`,
    String(report.lastItems ?? ""),
    inTone(report.outcome === "failed" ? "bad" : "good", resultText(report)),
    nextText,
    String(report.runs),
    String(report.failures),
    String(report.items),
  ];
}

function resultText(report: JobReport): string {
  return report.error === null ? resultOf(report) : `${resultOf(report)}: ${report.error}`;
}

function resultOf({ outcome, isRunning }: JobReport): string {
  return outcome ?? (isRunning ? "running" : "interrupted");
}

function jobDocument({ job, report, next }: ShownJob) {
  return {
    name: job.name,
    last_run_at: jsonTime(report?.startedAt),
    duration_ms: report?.durationMs ?? null,
    count: report?.lastItems ?? null,
    result: report === undefined ? "never" : resultOf(report),
    error: report?.error ?? null,
    next_at: next === "now" ? null : jsonTime(next),
    runs: report?.runs ?? 0,
    failures: report?.failures ?? 0,
    count_of_all: report?.items ?? 0,
  };
}
