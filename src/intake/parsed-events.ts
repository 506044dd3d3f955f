import { parseJsonSource } from "../platforms/json-source.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { type RefusedEvent, readNeutralBatch, type WireEvent } from "../platforms/neutral-wire.ts";
import type { Fault } from "../problems.ts";

/** The properties of a request in addition to its body: plain data, so that it can be sent to another thread. */
export interface EventsContext {
  /** An instant as text. */
  readonly receivedAt: string;
  readonly currency: string;
}

/** A sent event without its content, which is read again from its text when it is processed. Plain data. */
export interface ParsedEvent extends Omit<WireEvent, "event"> {
  readonly subject: string;
  readonly topic: string;
  /** An instant as text. */
  readonly occurredAt: string;
}

/** An event of a request, accepted or refused separately. */
export type ParsedItem =
  | { readonly ok: true; readonly sent: ParsedEvent }
  | { readonly ok: false; readonly refused: RefusedEvent };

export type ParsedEvents =
  | { readonly kind: "invalid_json"; readonly fault: string }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] }
  | { readonly kind: "parsed"; readonly items: readonly ParsedItem[] };

/** Reads the body of `POST /intake/events`, on any thread: input and output are plain data. */
export function parseEvents(rawBody: Uint8Array, { receivedAt, currency }: EventsContext): ParsedEvents {
  const json = parseJsonSource(rawBody);
  if (!json.ok) return { kind: "invalid_json", fault: json.fault };
  const batch = readNeutralBatch(json.value, { receivedAt: Temporal.Instant.from(receivedAt), currency });
  if (!batch.ok) return { kind: "invalid", faults: batch.faults };
  const items = batch.items.map((item) => (item.ok ? { ok: true as const, sent: parsedEvent(item.sent) } : item));
  return { kind: "parsed", items };
}

function parsedEvent({ event, ...sent }: WireEvent): ParsedEvent {
  const { subject, sourceTopic, occurredAt }: NeutralEvent = event;
  return { ...sent, subject, topic: sourceTopic, occurredAt: String(occurredAt) };
}
