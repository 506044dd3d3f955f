import { parseJsonSource } from "../platforms/json-source.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { parseNeutralEvents, type WireEvent, type WireParse } from "../platforms/neutral-wire.ts";
import type { Fault } from "../problems.ts";

/** What the service knows of a request that its body does not say; plain data, so that another thread can be told. */
export interface EventsContext {
  /** An instant as text. */
  readonly receivedAt: string;
  readonly currency: string;
}

/** A sent event without what it states: that is read again from its text when it is processed. Plain data. */
export interface TakenEvent extends Omit<WireEvent, "event"> {
  readonly subject: string;
  readonly topic: string;
  /** An instant as text. */
  readonly occurredAt: string;
}

export type TakenEvents =
  | { readonly kind: "bad_json"; readonly fault: string }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] }
  | { readonly kind: "taken"; readonly events: readonly TakenEvent[] };

/** Reads the body of `POST /intake/events`, on whatever thread: plain data go in and come out. */
export function readTakenEvents(rawBody: Uint8Array, { receivedAt, currency }: EventsContext): TakenEvents {
  const json = parseJsonSource(rawBody);
  if (!json.ok) return { kind: "bad_json", fault: json.fault };
  const parse: WireParse = parseNeutralEvents(json.value, { receivedAt: Temporal.Instant.from(receivedAt), currency });
  if (!parse.ok) return { kind: "invalid", faults: parse.faults };
  return { kind: "taken", events: parse.events.map(takenEvent) };
}

function takenEvent({ event, ...sent }: WireEvent): TakenEvent {
  const { subject, sourceTopic, occurredAt }: NeutralEvent = event;
  return { ...sent, subject, topic: sourceTopic, occurredAt: String(occurredAt) };
}
