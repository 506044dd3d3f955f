import type { Deps } from "../deps.ts";
import { parseJsonSource } from "../platforms/json-source.ts";
import { type RefusedEvent, readNeutralBatch } from "../platforms/neutral-wire.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../shop/read-program.ts";
import { type NewReceipt, newEventReceipt } from "./receipt.ts";

/** What becomes of one event of a request. */
export type SentEvent =
  | {
      readonly ok: true;
      readonly receipt: NewReceipt;
      /** Of the event in the body: its warnings' pointers begin there. */
      readonly pointer: string;
    }
  | { readonly ok: false; readonly refused: RefusedEvent };

/**
 * Reads the body of `POST /intake/events` as receipts, in their order; an event with faults is refused by itself. Throws `bad_json`
 * (400), and `invalid` (422) with every fault where no event is left to be taken, or one has faults and `isStrict` asks for all or none.
 */
export async function readEvents(
  deps: Pick<Deps, "db" | "clock" | "random">,
  rawBody: Uint8Array,
  isStrict: boolean,
): Promise<readonly SentEvent[]> {
  const json = parseJsonSource(rawBody);
  if (!json.ok) throw new Problem("bad_json", { faults: [{ detail: json.fault }] });
  const receivedAt = deps.clock.now();
  const { store } = await readProgram(deps.db);
  const batch = readNeutralBatch(json.value, { receivedAt, currency: store.currency });
  if (!batch.ok) throw new Problem("invalid", { faults: batch.faults });
  const faults = batch.items.flatMap((item) => (item.ok ? [] : item.refused.faults));
  const isNoneGood = batch.items.every(({ ok }) => !ok);
  if (faults.length > 0 && (isStrict || isNoneGood)) throw new Problem("invalid", { faults });
  return batch.items.map((item) =>
    item.ok ? { ok: true, receipt: newEventReceipt(item.sent, deps.random.uid()), pointer: item.sent.pointer } : item,
  );
}
