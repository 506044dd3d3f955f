import { openSync, writeSync } from "node:fs";

/** A request that was sent: `mark` is unique, and stands in the note of the allotment that it makes. */
export interface Call {
  readonly mark: string;
  readonly customer: string;
  readonly hasKey: boolean;
}

/** What became of a call: `open` may have taken effect or not. */
export type Outcome =
  | { readonly kind: "acknowledged"; readonly uid: string; readonly points: number; readonly balance: number }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "open" }
  | { readonly kind: "fault"; readonly status: number; readonly text: string };

/** An allotment as the change feed has it. */
export interface FeedEvent {
  readonly uid: string;
  readonly customer: string;
  readonly version: number;
  readonly points: number;
  readonly balance: number;
}

export interface Journal {
  /** Written down before the first byte is sent. */
  begin(call: Call): void;
  end(call: Call, outcome: Outcome): void;
  /** An order whose event was accepted (202); it earns so many points once, however often it is sent. */
  order(id: string, points: number): void;
  /** A row of a CSV file that was imported to its end, by its note. */
  row(mark: string, points: number): void;
  /** What a coupon or a reservation (`coupon/<uid>`, `hold/<uid>`) comes to in all its allotments, once everything is over. */
  spend(id: string, points: number): void;
  /** An answer that no fault explains, to a request that is not a call. */
  fault(what: string, status: number, text: string): void;
  /** A body that the trusted receiver got, and whether its signature held. */
  delivered(uid: string, isSigned: boolean): void;
  /** Events that a reader of the change feed stored; none at first, so that a reader that never gets any is audited too. */
  read(reader: string, events: readonly FeedEvent[]): void;
  calls(): ReadonlyMap<string, { readonly call: Call; readonly outcome: Outcome }>;
  orders(): ReadonlyMap<string, number>;
  rows(): ReadonlyMap<string, number>;
  spendings(): ReadonlyMap<string, number>;
  faults(): readonly string[];
  deliveries(): ReadonlyMap<string, number>;
  forged(): number;
  /** What each reader stored, in order. */
  eventsRead(): ReadonlyMap<string, readonly FeedEvent[]>;
}

/** What was sent and answered, in memory and in a file for a look afterwards. */
export function openJournal(path: string): Journal {
  const file = openSync(path, "a");
  const calls = new Map<string, { call: Call; outcome: Outcome }>();
  const orders = new Map<string, number>();
  const rows = new Map<string, number>();
  const spendings = new Map<string, number>();
  const faults: string[] = [];
  const deliveries = new Map<string, number>();
  const eventsRead = new Map<string, FeedEvent[]>();
  let forged = 0;
  const write = (line: object) => writeSync(file, `${JSON.stringify(line)}\n`);
  return {
    begin(call) {
      calls.set(call.mark, { call, outcome: { kind: "open" } });
      write({ begin: call });
    },
    end(call, outcome) {
      calls.set(call.mark, { call, outcome });
      write({ end: call.mark, outcome });
    },
    order(id, points) {
      orders.set(id, points);
      write({ order: id, points });
    },
    row(mark, points) {
      rows.set(mark, points);
      write({ row: mark, points });
    },
    spend(id, points) {
      spendings.set(id, points);
      write({ spend: id, points });
    },
    fault(what, status, text) {
      faults.push(`${what}: ${status} ${text}`);
      write({ fault: what, status, text });
    },
    delivered(uid, isSigned) {
      deliveries.set(uid, (deliveries.get(uid) ?? 0) + 1);
      if (!isSigned) forged++;
      write({ delivered: uid, isSigned });
    },
    read(reader, events) {
      const stored = eventsRead.get(reader) ?? [];
      stored.push(...events);
      eventsRead.set(reader, stored);
      for (const event of events) write({ read: reader, event });
    },
    calls: () => calls,
    orders: () => orders,
    rows: () => rows,
    spendings: () => spendings,
    faults: () => faults,
    deliveries: () => deliveries,
    forged: () => forged,
    eventsRead: () => eventsRead,
  };
}
