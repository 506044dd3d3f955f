import type { Deps } from "../deps.ts";
import { parseJsonSource } from "../platforms/json-source.ts";
import { parseNeutralEvents } from "../platforms/neutral-wire.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../shop/read-program.ts";
import { type NewReceipt, newEventReceipt } from "./receipt.ts";

/**
 * Reads the body of `POST /intake/events` as receipts, in their order. Throws `bad_json` (400), and `invalid` (422) with every
 * fault of every event when there is one: then none of the batch is taken.
 */
export async function readEvents(
  deps: Pick<Deps, "db" | "clock" | "random">,
  rawBody: Uint8Array,
): Promise<NewReceipt[]> {
  const json = parseJsonSource(rawBody);
  if (!json.ok) throw new Problem("bad_json", { faults: [{ detail: json.fault }] });
  const receivedAt = deps.clock.now();
  const { store } = await readProgram(deps.db);
  const parse = parseNeutralEvents(json.value, { receivedAt, currency: store.currency });
  if (!parse.ok) throw new Problem("invalid", { faults: parse.faults });
  return parse.events.map((event) => newEventReceipt(event, deps.random.uid()));
}
