import type { Deps } from "../deps.ts";

/** Scheduled work. Of all nodes exactly one does it at a time; it must bear being killed at any point and being done twice. */
export interface Job {
  readonly name: string;
  readonly timing: MachineTiming | StoreTiming;
  /** Does what is due; returns how many things it did. Stops soon after the signal. */
  run(deps: Deps, signal: AbortSignal): Promise<number>;
}

/** Repeatedly, this time after the end of the previous run. */
export interface MachineTiming {
  readonly by: "machine";
  readonly everyMs: number;
}

/** At times of the store's clock. Times that passed while nothing ran are made up for by the next run. */
export interface StoreTiming {
  readonly by: "store";
  /** The first time of the schedule behind `doneAt`, by which everything due was done; null: never again. */
  nextAt(deps: Deps, doneAt: Temporal.Instant | null): Promise<Temporal.Instant | null>;
  /** A time before which a run finds nothing to do, null: never: the sandbox clock need not stop at a time in between. */
  workAt(deps: Deps): Promise<Temporal.Instant | null>;
}

/** A job's row at this moment; one that never ran has none. */
export interface JobState {
  readonly name: string;
  readonly doneAt: Temporal.Instant | null;
  /** No other run holds it, and its pause is over or somebody asked for a run. */
  readonly isFree: boolean;
  /** Somebody asked for a run, and none has begun since. */
  readonly isAsked: boolean;
}

export const NEVER_RAN: Omit<JobState, "name"> = { doneAt: null, isFree: true, isAsked: false };

/** A job as the schedule shows it. */
export interface JobPlan {
  readonly name: string;
  readonly position: number;
  readonly timing: (MachineTiming | StoreTiming)["by"];
  /** By the store's clock; null: by the machine's, or never. */
  readonly nextAt: Temporal.Instant | null;
}

/** How a run ended; stopped: asked to, with work left. */
export type JobOutcome = "done" | "failed" | "stopped";

/** A job with its newest run, as it is shown. */
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
  /** null: it runs, or its process died. */
  readonly outcome: JobOutcome | null;
  readonly lastItems: bigint | null;
  readonly error: string | null;
}
