import type { StreamPlace } from "../event-batch.ts";
import type { AttemptKind } from "./retry-schedule.ts";

/** A delivery that may be sent. */
export interface DueDelivery {
  readonly bucket: number;
  /** The uid of its outbox event, too. */
  readonly uid: string;
  readonly customerUid: string | null;
  readonly version: bigint | null;
  /** The attempts before this one: the first and its resends. */
  readonly attempts: number;
  readonly dueAt: Temporal.Instant;
  readonly kind: AttemptKind;
  /** The body from the outbox event; for `point_balances/export` the export's uid. */
  readonly payload: string;
  /** The W3C trace context of the change; null: it was not traced. */
  readonly traceparent: string | null;
  /** null: the delivery has its own row. */
  readonly place: StreamPlace | null;
  /** When its event was written, by the machine's clock; null if the delivery has its own row. */
  readonly eventAt: Temporal.Instant | null;
  /** A sample that a person sends, not from the outbox. Its header `pointkeeper-test` says so. */
  readonly isTest?: true;
}

export interface AttemptOutcome {
  readonly delivery: DueDelivery;
  /** By the business clock. */
  readonly startedAt: Temporal.Instant;
  /** By the machine's clock. */
  readonly durationMs: number;
  /** null if no answer arrived. */
  readonly status: number | null;
  /** Why no answer arrived. */
  readonly failure: string | null;
  /** The answer's first 1,000 bytes. */
  readonly answerHead: string | null;
  /** The receiver's revivals when it was sent; a later revival gives the delivery another early try. */
  readonly revivals: number;
}

/** A delivery that waits in a batch for its first attempt. */
export type BatchedDelivery = DueDelivery & { readonly place: StreamPlace; readonly eventAt: Temporal.Instant };

export function isBatched(delivery: DueDelivery): delivery is BatchedDelivery {
  return delivery.place !== null;
}

/** Whether a receiver acknowledged: only with status 200 (interface.md 6.1). */
export function isAcknowledged(outcome: AttemptOutcome): boolean {
  return outcome.status === 200;
}
