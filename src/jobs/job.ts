import type { Deps } from "../deps.ts";

/** Scheduled work. Exactly one node does it at a time. It must tolerate being killed at any point and being done twice. */
export interface Job {
  readonly name: string;
  readonly timing: MachineTiming | StoreTiming;
  /** Does what is due and returns the number of items. Stops soon after the signal. */
  run(deps: Deps, signal: AbortSignal): Promise<number>;
}

/** A job that runs again this long after the end of its previous run. */
export interface MachineTiming {
  readonly by: "machine";
  readonly everyMs: number;
}

/** A job that runs at times of the store's clock. The next run makes up for times that were missed. */
export interface StoreTiming {
  readonly by: "store";
  /** Returns the first scheduled time after `doneAt`, by which everything due was done; null: never again. */
  nextAt(deps: Deps, doneAt: Temporal.Instant | null): Promise<Temporal.Instant | null>;
  /** Returns a time before which a run finds nothing to do, so that the sandbox clock need not stop before it; null: never any work. */
  workAt(deps: Deps): Promise<Temporal.Instant | null>;
}

/** The present state of a job. One that never ran has no row. */
export interface JobState {
  readonly name: string;
  readonly doneAt: Temporal.Instant | null;
  /** No other run holds it, and its pause is over or a run was requested. */
  readonly isFree: boolean;
  /** A run was requested, and none has begun since. */
  readonly isAsked: boolean;
}

export const NEVER_RAN: Omit<JobState, "name"> = { doneAt: null, isFree: true, isAsked: false };

/** A job in the displayed schedule. */
export interface JobPlan {
  readonly name: string;
  readonly position: number;
  readonly timing: (MachineTiming | StoreTiming)["by"];
  /** By the store's clock; null: the job runs by the machine's clock, or never again. */
  readonly nextAt: Temporal.Instant | null;
}

/** How a run ended; `stopped`: a signal stopped it before its work was finished. */
export type JobOutcome = "done" | "failed" | "stopped";

/** A job with its newest run, for display. */
export interface JobReport {
  readonly name: string;
  readonly doneAt: Temporal.Instant | null;
  readonly readyAt: Temporal.Instant | null;
  readonly runs: bigint;
  readonly failures: bigint;
  readonly items: bigint;
  readonly isRunning: boolean;
  readonly startedAt: Temporal.Instant | null;
  readonly durationMs: bigint | null;
  /** null: it is running, or its process died. */
  readonly outcome: JobOutcome | null;
  readonly lastItems: bigint | null;
  readonly error: string | null;
}
