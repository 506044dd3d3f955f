import { createHash } from "node:crypto";
import { findPlatform } from "../platforms/index.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { translateNeutral } from "../platforms/neutral-wire.ts";
import type { Headers, PlatformAdapter, Translation } from "../platforms/platform.ts";
import type { EventWarning } from "../wire/event-warnings.ts";
import type { ParsedEvent } from "./parsed-events.ts";

/**
 * `new`: to be processed, possibly again after a failure. `waiting`: for something that has not arrived yet, such as the body of an order.
 * `failed`: tried several times. `quarantined`: the body cannot be read. Nothing is deleted before it is `done`.
 */
export type ReceiptState = "new" | "waiting" | "done" | "failed" | "quarantined";

/** The adapter of events sent to `POST /intake/events`: each body is one neutral event. */
export const NEUTRAL = "neutral";
/** The subject of a receipt that is not about a customer, order or product. */
const NO_SUBJECT = "";
export const NOTE_MAX = 2_000;

/** What is stored of a delivery in any case. */
export interface ReceiptSource {
  readonly adapter: string;
  readonly topic: string;
  /** The sender's key for the delivery. */
  readonly deliveryKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly receivedAt: Temporal.Instant;
}

export interface NewReceipt extends ReceiptSource {
  /** SHA-256: the same delivery sent twice has the same key. */
  readonly key: Buffer;
  /** UUIDv7: receipts of one subject are processed in this order. */
  readonly uid: string;
  readonly subject: string;
  readonly state: "new" | "done" | "quarantined";
  readonly note: string | null;
  /** Warnings about accepted data that contradicts itself or was skipped; pointers begin at the event or body. */
  readonly warnings: readonly EventWarning[];
}

/** The parts of a stored receipt that processing needs. */
export interface Receipt extends Omit<ReceiptSource, "deliveryKey"> {
  readonly key: Buffer;
  readonly subject: string;
  readonly attempts: number;
}

/** The state of a receipt. */
export interface ReceiptStatus {
  readonly state: ReceiptState;
  readonly note: string | null;
}

export const DONE: ReceiptStatus = { state: "done", note: null };
/** The event is about an order whose own statement has not arrived. */
export const ORDER_UNKNOWN: ReceiptStatus = { state: "waiting", note: "the order is not known yet" };
/** A redaction that comes after receipts that are still to be processed. */
export const AFTER_EARLIER: ReceiptStatus = { state: "new", note: "what arrived before it is processed first" };

/** Returns the key of a delivery. Headers are not signed, so the body and the topic are part of it, whatever the delivery key is. */
export function receiptKey({ adapter, topic, deliveryKey, body }: ReceiptSource): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([adapter, topic, deliveryKey]))
    .update(body)
    .digest();
}

/**
 * Whether an equal event of a script counts as another one: it has neither a key of the sender nor a time of its own ("the customer opted in"). It is
 * accepted each time, because another event may have come in between.
 */
function isRepeatable({ deliveryKey, text, occurredAt }: ParsedEvent, receivedAt: Temporal.Instant): boolean {
  const isKeyed = deliveryKey !== createHash("sha256").update(text).digest("hex");
  return !isKeyed && Temporal.Instant.compare(occurredAt, receivedAt) === 0;
}

/** Returns the receipt of a delivery, with the subject and state that follow from its translation. */
export function newReceipt(source: ReceiptSource, uid: string, translation: Translation): NewReceipt {
  return { ...source, key: receiptKey(source), uid, ...receiptState(translation) };
}

/** Returns the receipt of one event that a script sent. */
export function newEventReceipt(
  sent: ParsedEvent,
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

/** Returns the state that follows from a translation: an unreadable body is quarantined, and one without relevant data is done. */
export function receiptState(translation: Translation): Pick<NewReceipt, "subject" | "state" | "note" | "warnings"> {
  if (!translation.ok) {
    return { subject: NO_SUBJECT, state: "quarantined", note: noteText(translation.fault), warnings: [] };
  }
  const { warnings = [] } = translation;
  // The last event is the subject of the delivery: an order's body states its customer first.
  const subject = translation.events.at(-1)?.subject;
  if (subject === undefined)
    return { subject: NO_SUBJECT, state: "done", note: "says nothing to this service", warnings };
  return { subject, state: "new", note: null, warnings };
}

/** Returns the neutral events of a receipt. `currency` is the store's. Never throws. */
export function translateReceipt(receipt: Omit<ReceiptSource, "deliveryKey">, currency: string): Translation {
  const { adapter, body, receivedAt } = receipt;
  if (adapter === NEUTRAL) return translateNeutral(body, { receivedAt, currency });
  const platform = findPlatform(adapter);
  if (platform === undefined) return { ok: false, fault: `no platform is named ${adapter}` };
  const headers: Headers = new Map(Object.entries(receipt.headers));
  return platform.translate({ headers, rawBody: body, receivedAt, currency });
}

/** Returns the headers of a delivery that are stored: the platform's own. */
export function platformHeaders(
  { platform, headerPrefixes }: Pick<PlatformAdapter, "platform" | "headerPrefixes">,
  headers: Headers,
): Record<string, string> {
  const prefixes = headerPrefixes ?? [`x-${platform}-`, `${platform}-`];
  const isOwn = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries([...headers].filter(([name]) => isOwn(name)));
}

/** Whether applying an event makes its order known, so that events that wait for the order can be processed. */
export function concernsOrder({ subject }: Pick<NeutralEvent, "subject">): boolean {
  return subject.startsWith("order/");
}

/** Returns a text that the database accepts, cut to a reasonable length. */
export function noteText(text: string): string {
  return text.replaceAll("\0", "").slice(0, NOTE_MAX).toWellFormed(); // in this order: the cut may halve a character
}
