import type { Deps } from "../deps.ts";
import type { RefusedEvent } from "../platforms/neutral-wire.ts";
import { FAULTS_MAX, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import type { EventsReader } from "./create-events-reader.ts";
import { type ParsedItem, parseEvents } from "./parsed-events.ts";
import { type NewReceipt, newEventReceipt } from "./receipt.ts";

/** The result for one event of a request. */
export type SentEvent =
  | {
      readonly ok: true;
      readonly receipt: NewReceipt;
      /** The JSON pointer of the event in the body; pointers of its warnings begin with it. */
      readonly pointer: string;
    }
  | { readonly ok: false; readonly refused: RefusedEvent };

export interface ReadEventsOptions {
  /** All or none: one event with faults causes the refusal of all others. */
  readonly isStrict: boolean;
  /** Absent: the body is read on this thread. */
  readonly reader?: EventsReader;
}

/**
 * Reads the body of `POST /intake/events` as receipts, in their order; an event with faults is refused separately. Throws `invalid_json` (400), and
 * `invalid` (422) with every fault if no event can be accepted, or if one has faults and `isStrict` requires all or none.
 */
export async function readEvents(
  deps: Pick<Deps, "db" | "clock" | "random">,
  rawBody: Uint8Array,
  { isStrict, reader }: ReadEventsOptions,
): Promise<readonly SentEvent[]> {
  const receivedAt = deps.clock.now();
  const { store } = await readProgram(deps.db);
  const context = { receivedAt: String(receivedAt), currency: store.currency };
  const read = reader === undefined ? parseEvents(rawBody, context) : await reader.read(rawBody, context);
  if (read.kind === "invalid_json") throw new Problem("invalid_json", { faults: [{ detail: read.fault }] });
  if (read.kind === "invalid") throw new Problem("invalid", { faults: read.faults });
  refuseFaults(read.items, isStrict);
  return read.items.map((item) => {
    if (!item.ok) return item;
    const receipt = newEventReceipt(item.sent, { uid: deps.random.uid(), receivedAt });
    return { ok: true, receipt, pointer: item.sent.pointer };
  });
}

function refuseFaults(items: readonly ParsedItem[], isStrict: boolean): void {
  const refused = items.flatMap((item) => (item.ok ? [] : [item.refused.faults]));
  if (refused.length === 0 || (!isStrict && refused.length < items.length)) return;
  const faultCount = refused.reduce((count, faults) => count + faults.length, 0);
  throw new Problem("invalid", { faults: refused.flat().slice(0, FAULTS_MAX), faultCount });
}
