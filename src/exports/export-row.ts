import { localDate } from "../time/store-time.ts";

/** A request for a statement and its state (program.md 2, export request). */
export interface ExportRow {
  readonly uid: string;
  readonly state: "processing" | "ready" | "failed";
  /** Included. */
  readonly startAt: Temporal.Instant;
  /** Excluded. */
  readonly endAt: Temporal.Instant;
  readonly requestedAt: Temporal.Instant;
  readonly finishedAt: Temporal.Instant | null;
  /** The number of customers' lines, without the header. */
  readonly rowCount: bigint | null;
  readonly byteCount: bigint | null;
  readonly pieceCount: number | null;
}

/** Hours between two accepted requests (interface.md 8). */
const HOURS_BETWEEN = 8;

/** Returns the seconds until another request is accepted after the last accepted one; 0: now. */
export function waitAfter(lastRequestedAt: Temporal.Instant | null, now: Temporal.Instant): number {
  if (lastRequestedAt === null) return 0;
  const waitS = lastRequestedAt.add({ hours: HOURS_BETWEEN }).since(now).total("seconds");
  return Math.max(0, Math.ceil(waitS));
}

/** Returns the suggested file name: the first and the last day of the period, in the store's time zone. */
export function fileName({ startAt, endAt }: Pick<ExportRow, "startAt" | "endAt">, timeZone: string): string {
  const day = (instant: Temporal.Instant) => localDate(instant, timeZone);
  return `points-${day(startAt)}-${day(endAt.subtract({ nanoseconds: 1 }))}.csv`;
}
