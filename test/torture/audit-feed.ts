import type { FeedEvent, Journal } from "./journal.ts";

/** What the readers of the change feed stored, held beside the ledger; all readers together. All from `lost` on must be 0. */
export interface FeedFindings {
  readonly due: number;
  readonly read: number;
  readonly lost: number;
  readonly doubled: number;
  /** Events that are not in the ledger, or not with this customer, version, points and balance. */
  readonly invented: number;
  /** Events that came after a later one: by time and uid, or by the customer's version. */
  readonly misplaced: number;
}

type Counts = { -readonly [Name in keyof FeedFindings]: FeedFindings[Name] };

/** Compares what each reader stored with the allotments with points, which are in order of time and uid. */
export function auditFeed(ledger: readonly FeedEvent[], journal: Journal, found: (what: string) => void): FeedFindings {
  const counts = { due: 0, read: 0, lost: 0, doubled: 0, invented: 0, misplaced: 0 };
  for (const [reader, events] of journal.eventsRead())
    auditReader({ ledger, events, counts, found: (what) => found(`${reader} of the feed: ${what}`) });
  return counts;
}

interface Reading {
  readonly ledger: readonly FeedEvent[];
  readonly events: readonly FeedEvent[];
  readonly counts: Counts;
  readonly found: (what: string) => void;
}

function auditReader({ ledger, events, counts, found }: Reading): void {
  const places = new Map(ledger.map((event, place) => [event.uid, place]));
  const seen = new Set<string>();
  const versions = new Map<string, number>();
  let last = -1;
  for (const event of events) {
    const { uid, customer, version } = event;
    const place = places.get(uid) ?? -1;
    const written = ledger[place];
    if (written === undefined || !isSame(event, written)) {
      counts.invented++;
      found(`not in the ledger as read: ${JSON.stringify(event)}, but ${JSON.stringify(written ?? null)}`);
    } else if (seen.has(uid)) {
      counts.doubled++;
      found(`read twice: ${uid}`);
    } else if (place < last || version <= (versions.get(customer) ?? 0)) {
      counts.misplaced++;
      found(`read after a later one: ${JSON.stringify(event)}`);
    }
    seen.add(uid);
    last = Math.max(last, place);
    versions.set(customer, Math.max(version, versions.get(customer) ?? 0));
  }
  const lost = ledger.filter(({ uid }) => !seen.has(uid));
  for (const { uid } of lost) found(`never read: ${uid}`);
  counts.due += ledger.length;
  counts.read += events.length;
  counts.lost += lost.length;
}

function isSame(one: FeedEvent, other: FeedEvent): boolean {
  const [a, b] = [one, other].map(({ customer, version, points, balance }) => [customer, version, points, balance]);
  return JSON.stringify(a) === JSON.stringify(b);
}
