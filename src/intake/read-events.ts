import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../shop/read-program.ts";
import type { EventsReader } from "./create-events-reader.ts";
import { type NewReceipt, newEventReceipt } from "./receipt.ts";
import { readTakenEvents } from "./taken-events.ts";

/**
 * Reads the body of `POST /intake/events` as receipts, in their order. Throws `bad_json` (400), and `invalid` (422) with every
 * fault of every event when there is one: then none of the batch is taken. Without a reader it is read on this thread.
 */
export async function readEvents(
  deps: Pick<Deps, "db" | "clock" | "random">,
  rawBody: Uint8Array,
  reader?: EventsReader,
): Promise<NewReceipt[]> {
  const receivedAt = deps.clock.now();
  const { store } = await readProgram(deps.db);
  const context = { receivedAt: String(receivedAt), currency: store.currency };
  const read = reader === undefined ? readTakenEvents(rawBody, context) : await reader.read(rawBody, context);
  if (read.kind === "bad_json") throw new Problem("bad_json", { faults: [{ detail: read.fault }] });
  if (read.kind === "invalid") throw new Problem("invalid", { faults: read.faults });
  return read.events.map((event) => newEventReceipt(event, { uid: deps.random.uid(), receivedAt }));
}
