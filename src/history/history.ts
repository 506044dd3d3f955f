import type { CustomerRef } from "../ledger/customer-ref.ts";

/** What happened to points elsewhere. */
export const HISTORY_KINDS = ["earned", "used", "expired", "adjusted"] as const;

export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** Of one customer: what is brought in beyond it is left out. A merge may add the entries of two customers up. */
export const HISTORY_ENTRIES_MAX = 10_000;
/** Characters of an entry's note. */
export const HISTORY_NOTE_MAX = 255;
/** Characters of an app's name. */
export const HISTORY_SOURCE_MAX = 60;

/** What another app says happened before the points came here. It is shown and never counted. */
export interface HistoryEntry extends CustomerRef {
  readonly occurredAt: Temporal.Instant;
  /** The import that brought it, and its row there: together they name the entry. */
  readonly importUid: string;
  readonly n: bigint;
  /** Signed: below zero where points were used, expired or taken. */
  readonly points: bigint;
  readonly kind: HistoryKind;
  /** The app's name, at most 60 characters. */
  readonly source: string;
  /** At most 255 characters. */
  readonly note: string | null;
}
