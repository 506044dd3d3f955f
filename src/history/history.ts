import type { CustomerRef } from "../ledger/customer-ref.ts";

/** What happened to points in another app. */
export const HISTORY_KINDS = ["earned", "used", "expired", "adjusted"] as const;

export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** The maximum per customer that an import may add up to. A merge may exceed it by combining two customers' entries. */
export const HISTORY_ENTRIES_MAX = 10_000;
/** The maximum length of an entry's note. */
export const HISTORY_NOTE_MAX = 255;
/** The maximum length of an app's name. */
export const HISTORY_SOURCE_MAX = 60;

/** An event before the points were moved here, as reported by another app. It is shown and never counted. */
export interface HistoryEntry extends CustomerRef {
  readonly occurredAt: Temporal.Instant;
  /** The import and its row, which together identify the entry. */
  readonly importUid: string;
  readonly n: bigint;
  /** Signed: negative if points were used, expired or taken. */
  readonly points: bigint;
  readonly kind: HistoryKind;
  /** The app's name, at most 60 characters. */
  readonly source: string;
  /** At most 255 characters. */
  readonly note: string | null;
}
