import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { type Answer, runIdempotent } from "../http/run-idempotent.ts";
import type { EventsReader } from "./create-events-reader.ts";
import { preferredWaitS } from "./prefer.ts";
import { readEvents } from "./read-events.ts";
import type { NewReceipt, ReceiptStatus } from "./receipt.ts";
import { storeReceipts } from "./store-receipts.ts";
import { viewTaken } from "./view.ts";
import { waitForReceipts } from "./wait-for-receipts.ts";

/** How many requests may hold a connection while they wait for their events under an Idempotency-Key. */
export interface WaitingRoom {
  free: number;
}

const SECOND_MS = 1_000;

/**
 * Takes the events of a request (docs/intake-events.md): stores all or none and sends 202, with `Prefer: wait=<seconds>` once they
 * are processed. Throws what `readEvents` throws. Under an Idempotency-Key a waiting request holds a connection; where too
 * many do, it is answered without waiting, which RFC 7240 allows.
 */
export async function takeEvents(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { room, reader }: { readonly room: WaitingRoom; readonly reader: EventsReader },
): Promise<void> {
  const receipts = await readEvents(deps, request.rawBody ?? new Uint8Array(), reader);
  const waitMs = preferredWaitS(request.headers.prefer) * SECOND_MS;
  const isKeyed = request.headers["idempotency-key"] !== undefined;
  if (waitMs === 0 || (isKeyed && room.free === 0)) {
    return runIdempotent(deps, request, reply, async (tx) =>
      answer(receipts, await storeReceipts(tx, deps, receipts), 0),
    );
  }
  if (!isKeyed) {
    const { status, body, headers } = await storeAndWait(deps, receipts, waitMs);
    reply
      .code(status)
      .headers(headers ?? {})
      .send(body);
    return;
  }
  room.free -= 1;
  try {
    return await runIdempotent(deps, request, reply, () => storeAndWait(deps, receipts, waitMs));
  } finally {
    room.free += 1;
  }
}

/** Stored in a transaction of its own, which a repeated request finds again: each receipt is stored once. */
async function storeAndWait(deps: Deps, receipts: readonly NewReceipt[], waitMs: number): Promise<Answer> {
  await deps.db.tx((tx) => storeReceipts(tx, deps, receipts));
  const keys = receipts.map(({ key }) => key);
  return answer(receipts, await waitForReceipts(deps, keys, waitMs), waitMs);
}

function answer(receipts: readonly NewReceipt[], statuses: readonly ReceiptStatus[], waitMs: number): Answer {
  const applied = { "preference-applied": `wait=${waitMs / SECOND_MS}` };
  return { status: 202, body: viewTaken(receipts, statuses), ...(waitMs === 0 ? {} : { headers: applied }) };
}
