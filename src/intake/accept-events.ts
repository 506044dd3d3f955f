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

/** How many requests may hold a connection while they wait for their events under an Idempotency-Key. */
export interface WaitSlots {
  free: number;
}

/** The state that all requests of a process share. */
export interface IntakeShared {
  readonly slots: WaitSlots;
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
 * `Prefer: wait=<seconds>` it answers once they are processed. Throws what `readEvents` throws. A waiting request with an Idempotency-Key holds a
 * connection; if too many do, it is answered without waiting, which RFC 7240 allows.
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
  const waitMs = preferredWaitS(request.headers.prefer) * SECOND_MS;
  if (request.headers["idempotency-key"] === undefined) {
    const { status, body, headers } = await storeAndWait(deps, queue, batch, waitMs);
    reply
      .code(status)
      .headers(headers ?? {})
      .send(body);
    return;
  }
  if (waitMs === 0 || slots.free === 0) {
    return runIdempotent(deps, request, reply, async (tx) =>
      answer(batch, await storeReceipts(tx, deps, batch.receipts), 0),
    );
  }
  slots.free -= 1;
  try {
    return await runIdempotent(deps, request, reply, () => storeAndWait(deps, queue, batch, waitMs));
  } finally {
    slots.free += 1;
  }
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
