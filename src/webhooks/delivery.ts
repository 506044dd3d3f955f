import type { AttemptKind } from "./retry-schedule.ts";

/** A delivery that may be sent. */
export interface DueDelivery {
  readonly bucket: number;
  /** Its outbox event's too. */
  readonly uid: string;
  readonly customerUid: string | null;
  readonly version: bigint | null;
  /** Of the first and its resends, before this one. */
  readonly attempts: number;
  readonly dueAt: Temporal.Instant;
  readonly kind: AttemptKind;
  /** Of the outbox event: the body; of `point_balances/export` the export's uid. */
  readonly payload: string;
  /** Not of the outbox: a sample that a person sends. Its header `pointkeeper-test` says so. */
  readonly isTest?: true;
}

/** What came of one attempt. */
export interface AttemptOutcome {
  readonly delivery: DueDelivery;
  /** By the business clock. */
  readonly startedAt: Temporal.Instant;
  /** By the machine's. */
  readonly durationMs: number;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Why no answer came. */
  readonly failure: string | null;
  /** The answer's first 1,000 bytes. */
  readonly answerHead: string | null;
  /** The receiver's revivals when it was sent: a later one gives the delivery another early try. */
  readonly revivals: number;
}

/** A receiver acknowledges with status 200 and no other (interface.md 6.1). */
export function isAcknowledged(outcome: AttemptOutcome): boolean {
  return outcome.status === 200;
}
