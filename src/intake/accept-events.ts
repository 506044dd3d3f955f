import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { discardBody } from "../http/bodies/json-body.ts";
import { type Answer, runIdempotent } from "../http/idempotency/run-idempotent.ts";
import type { EventsReader } from "./create-events-reader.ts";
import type { ReceiptQueue } from "./create-receipt-queue.ts";
import { preferredWaitS, prefersStrict } from "./prefer.ts";
import { readEvents, type SentEvent } from "./read-events.ts";
import type { NewReceipt, ReceiptStatus } from "./receipt.ts";
import { storeReceipts } from "./store-receipts.ts";
import { viewAccepted } from "./view.ts";
import { waitForReceipts } from "./wait-for-receipts.ts";

/** How many more requests may wait for their events. */
interface WaitSlots {
  free: number;
}

/** The state that all requests of a process share. */
export interface IntakeShared {
  /** For requests with an Idempotency-Key, which hold a connection while they wait, and for the others, which read the database again and again. */
  readonly slots: { readonly keyed: WaitSlots; readonly unkeyed: WaitSlots };
  readonly reader: EventsReader;
  readonly queue: ReceiptQueue;
}

interface TakenBatch {
  readonly sent: readonly SentEvent[];
  /** The receipts of the accepted events, in their order. */
  readonly receipts: readonly NewReceipt[];
  readonly isStrict: boolean;
}

const SECOND_MS = 1_000;

/**
 * Accepts the events of a request (docs/intake-events.md): stores those that can be read and sends 202, or 207 if others are refused; with
 * `Prefer: wait=<seconds>` it answers once they are processed. Throws what `readEvents` throws. If too many requests wait already, it is answered
 * without waiting, which RFC 7240 allows.
 */
export async function acceptEvents(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { slots, reader, queue }: IntakeShared,
): Promise<void> {
  const isStrict = prefersStrict(request.headers.prefer);
  const sent = await readEvents(deps, request.rawBody ?? new Uint8Array(), { isStrict, reader }).catch((error) => {
    discardBody(request);
    throw error;
  });
  const batch = { sent, receipts: sent.flatMap((event) => (event.ok ? [event.receipt] : [])), isStrict };
  const isKeyed = request.headers["idempotency-key"] !== undefined;
  const slot = isKeyed ? slots.keyed : slots.unkeyed;
  const waitMs = slot.free === 0 ? 0 : preferredWaitS(request.headers.prefer) * SECOND_MS;
  if (isKeyed && waitMs === 0) {
    return runIdempotent(deps, request, reply, async (tx) =>
      answer(batch, await storeReceipts(tx, deps, batch.receipts), 0),
    );
  }
  if (waitMs > 0) slot.free -= 1;
  try {
    const work = () => storeAndWait(deps, queue, batch, waitMs);
    if (isKeyed) await runIdempotent(deps, request, reply, work);
    else send(reply, await work());
  } finally {
    if (waitMs > 0) slot.free += 1;
  }
}

function send(reply: FastifyReply, { status, body, headers }: Answer): void {
  reply
    .code(status)
    .headers(headers ?? {})
    .send(body);
}

/** Stores in a separate transaction, which a repeated request finds again: each receipt is stored once. */
async function storeAndWait(deps: Deps, queue: ReceiptQueue, batch: TakenBatch, waitMs: number): Promise<Answer> {
  const statuses = await queue.add(batch.receipts);
  if (waitMs === 0) return answer(batch, statuses, 0);
  const keys = batch.receipts.map(({ key }) => key);
  return answer(batch, await waitForReceipts(deps, keys, waitMs), waitMs);
}

function answer({ sent, isStrict }: TakenBatch, statuses: readonly ReceiptStatus[], waitMs: number): Answer {
  const status = sent.every(({ ok }) => ok) ? 202 : 207;
  const applied = [
    ...(waitMs === 0 ? [] : [`wait=${waitMs / SECOND_MS}`]),
    ...(isStrict ? ["handling=strict"] : []),
  ].join(", ");
  const body = viewAccepted(sent, statuses);
  return { status, body, ...(applied === "" ? {} : { headers: { "preference-applied": applied } }) };
}
