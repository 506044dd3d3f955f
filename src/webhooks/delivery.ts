import type { StreamPlace } from "./event-batch.ts";
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
  /** W3C trace context of what made the event; null: it was not traced. */
  readonly traceparent: string | null;
  /** Null: it has a row of its own. */
  readonly place: StreamPlace | null;
  /** When its event was written, by the machine's clock; null where it has a row of its own. */
  readonly eventAt: Temporal.Instant | null;
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

/** A delivery that waits for its first attempt in a batch. */
export type BatchedDelivery = DueDelivery & { readonly place: StreamPlace; readonly eventAt: Temporal.Instant };

export function isBatched(delivery: DueDelivery): delivery is BatchedDelivery {
  return delivery.place !== null;
}

/** A receiver acknowledges with status 200 and no other (interface.md 6.1). */
export function isAcknowledged(outcome: AttemptOutcome): boolean {
  return outcome.status === 200;
}
