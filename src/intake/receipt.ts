import { createHash } from "node:crypto";
import { findPlatform } from "../platforms/index.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { translateNeutral } from "../platforms/neutral-wire.ts";
import type { Headers, PlatformAdapter, Translation } from "../platforms/platform.ts";
import type { EventWarning } from "../wire/event-warnings.ts";
import type { TakenEvent } from "./taken-events.ts";

/**
 * `new`: to be processed, also again after a failure. `waiting`: for something that has not come yet, an order's body say.
 * `failed`: tried several times. `quarantined`: the body cannot be read. Nothing is ever dropped before it is `done`.
 */
export type ReceiptState = "new" | "waiting" | "done" | "failed" | "quarantined";

/** The adapter of events that came by `POST /intake/events`: their bodies are one neutral event each. */
export const NEUTRAL = "neutral";
/** The subject of a receipt that is about no customer, order or product. */
export const NO_SUBJECT = "";
export const NOTE_MAX = 2_000;

/** What is kept of a delivery, whatever becomes of it. */
export interface ReceiptSource {
  readonly adapter: string;
  readonly topic: string;
  /** As the sender knows the delivery. */
  readonly deliveryKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly receivedAt: Temporal.Instant;
}

export interface NewReceipt extends ReceiptSource {
  /** SHA-256: the same delivery twice has the same key. */
  readonly key: Buffer;
  /** UUIDv7: receipts of one subject are processed in its order. */
  readonly uid: string;
  readonly subject: string;
  readonly state: "new" | "done" | "quarantined";
  readonly note: string | null;
  /** What is taken although it contradicts itself or was passed over; pointers begin at the event or body. */
  readonly warnings: readonly EventWarning[];
}

/** What processing needs of a stored receipt. */
export interface Receipt extends Omit<ReceiptSource, "deliveryKey"> {
  readonly key: Buffer;
  readonly subject: string;
  readonly attempts: number;
}

/** How far a receipt is. */
export interface ReceiptStatus {
  readonly state: ReceiptState;
  readonly note: string | null;
}

export const DONE: ReceiptStatus = { state: "done", note: null };
/** The event is about an order whose own statement has not come. */
export const ORDER_UNKNOWN: ReceiptStatus = { state: "waiting", note: "the order is not known yet" };

/** The key of a delivery. No header is signed, so the body and the topic are part of it, whatever the delivery key says. */
export function receiptKey({ adapter, topic, deliveryKey, body }: ReceiptSource): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([adapter, topic, deliveryKey]))
    .update(body)
    .digest();
}

/**
 * Whether a script's event can be distinguished from an equal one later: by the sender's key for it, or by its time. One that says neither
 * ("the customer opted in") is taken each time, since another may have come between.
 */
function isRepeatable({ deliveryKey, text, occurredAt }: TakenEvent, receivedAt: Temporal.Instant): boolean {
  const isKeyed = deliveryKey !== createHash("sha256").update(text).digest("hex");
  return !isKeyed && Temporal.Instant.compare(occurredAt, receivedAt) === 0;
}

/** The receipt of a delivery, with the subject and state that its translation gives. */
export function newReceipt(source: ReceiptSource, uid: string, translation: Translation): NewReceipt {
  return { ...source, key: receiptKey(source), uid, ...receiptState(translation) };
}

/** The receipt of one event that a script sent. */
export function newEventReceipt(
  sent: TakenEvent,
  { uid, receivedAt }: { readonly uid: string; readonly receivedAt: Temporal.Instant },
): NewReceipt {
  const { deliveryKey, text, topic, subject, warnings } = sent;
  const source: ReceiptSource = {
    adapter: NEUTRAL,
    topic,
    deliveryKey,
    headers: {},
    body: new TextEncoder().encode(text),
    receivedAt,
  };
  const key = receiptKey(isRepeatable(sent, receivedAt) ? { ...source, deliveryKey: uid } : source);
  return { ...source, key, uid, subject, state: "new", note: null, warnings };
}

/** Where a translation puts a receipt: a body that cannot be read is quarantined, one that says nothing to us is done. */
export function receiptState(translation: Translation): Pick<NewReceipt, "subject" | "state" | "note" | "warnings"> {
  if (!translation.ok) {
    return { subject: NO_SUBJECT, state: "quarantined", note: noteText(translation.fault), warnings: [] };
  }
  const { warnings = [] } = translation;
  // The last event is what the delivery is about: an order's body states its customer first.
  const subject = translation.events.at(-1)?.subject;
  if (subject === undefined)
    return { subject: NO_SUBJECT, state: "done", note: "says nothing to this service", warnings };
  return { subject, state: "new", note: null, warnings };
}

/** The neutral events of a receipt. `currency` is the store's. Never throws. */
export function translateReceipt(receipt: Omit<ReceiptSource, "deliveryKey">, currency: string): Translation {
  const { adapter, body, receivedAt } = receipt;
  if (adapter === NEUTRAL) return translateNeutral(body, { receivedAt, currency });
  const platform = findPlatform(adapter);
  if (platform === undefined) return { ok: false, fault: `no platform is named ${adapter}` };
  const headers: Headers = new Map(Object.entries(receipt.headers));
  return platform.translate({ headers, rawBody: body, receivedAt, currency });
}

/** The headers of a delivery that are kept: the platform's own. */
export function platformHeaders(
  { platform, headerPrefixes }: Pick<PlatformAdapter, "platform" | "headerPrefixes">,
  headers: Headers,
): Record<string, string> {
  const prefixes = headerPrefixes ?? [`x-${platform}-`, `${platform}-`];
  const isOwn = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries([...headers].filter(([name]) => isOwn(name)));
}

/** Whether an event's being applied makes its order known, so that what waits for the order may go on. */
export function concernsOrder({ subject }: Pick<NeutralEvent, "subject">): boolean {
  return subject.startsWith("order/");
}

/** Text that the database takes, cut to a sensible length. */
export function noteText(text: string): string {
  return text.replaceAll("\0", "").slice(0, NOTE_MAX).toWellFormed(); // in this order: the cut may halve a character
}
