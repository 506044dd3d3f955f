import { createHash } from "node:crypto";
import type { Fault } from "../problems.ts";
import {
  addFault,
  at,
  beginReading,
  has,
  ifKnown,
  type Reader,
  readBoolean,
  readInstant,
  readInteger,
  readText,
} from "./json-reader.ts";
import { formatJson, isList, type Json, parseJsonSource } from "./json-source.ts";
import type { CurrencyCode, NeutralEvent } from "./neutral-events.ts";
import type { Translation } from "./platform.ts";
import { beginObject, currencyNamed } from "./wire-members.ts";
import { PAYLOADS, type Stated } from "./wire-payloads.ts";

export const EVENTS_MAX = 1_000;

/** What the service knows of a request that its body does not say. */
export interface WireContext {
  readonly receivedAt: Temporal.Instant;
  /** The store's, for events that name no currency. */
  readonly currency: CurrencyCode;
}

export interface WireEvent {
  /** The sender's, else the SHA-256 of the event's text. */
  readonly deliveryKey: string;
  /** JSON text of this event alone; `translateNeutral` gives the same event again. */
  readonly text: string;
  readonly event: NeutralEvent;
}

export type WireParse =
  | { readonly ok: true; readonly events: readonly WireEvent[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const ENVELOPE = [
  "type",
  "payload",
  "schema",
  "platform",
  "shop",
  "delivery_key",
  "fact_key",
  "correlation_id",
  "occurred_at",
  "received_at",
  "entity_version",
  "source_topic",
  "source_api_version",
  "test",
];

/**
 * The body of `POST /intake/events`: one event, a list of at most 1,000, or `{"events": [...]}` (docs/intake-events.md). All faults
 * of all events at once, each with its pointer into the body.
 */
export function parseNeutralEvents(body: Json, context: WireContext): WireParse {
  const root = beginReading(body);
  const list = eventsOf(root);
  if (list.length > EVENTS_MAX) addFault(root, `at most ${EVENTS_MAX} events`);
  if (root.faults.length > 0) return { ok: false, faults: root.faults };
  const events = list.map((reader) => ({ reader, event: readEvent(reader, context) }));
  if (root.faults.length > 0) return { ok: false, faults: root.faults };
  return { ok: true, events: events.map(({ reader, event }) => wireEvent(reader, event)) };
}

/** One stored event's text again, as an adapter's translation. */
export function translateNeutral(rawBody: Uint8Array, context: WireContext): Translation {
  const json = parseJsonSource(rawBody);
  if (!json.ok) return json;
  const parse = parseNeutralEvents(json.value, context);
  if (parse.ok) return { ok: true, events: parse.events.map(({ event }) => event) };
  return { ok: false, fault: parse.faults[0]?.detail ?? "the event cannot be read" };
}

function eventsOf(root: Reader): readonly Reader[] {
  const wrapped = has(root, "events");
  if (wrapped) beginObject(root, ["events"]);
  const list = wrapped ? at(root, "events") : root;
  if (isList(list.value)) {
    return list.value.map((value, i) => ({ value, pointer: `${list.pointer}/${i}`, faults: root.faults }));
  }
  if (wrapped) addFault(list, "a list of events");
  return [root];
}

function readEvent(reader: Reader, context: WireContext): NeutralEvent {
  beginObject(reader, ENVELOPE);
  const occurredAt = ifKnown(at(reader, "occurred_at"), readInstant) ?? context.receivedAt;
  const stated = readStated(reader, { ...context, occurredAt });
  const version = ifKnown(at(reader, "entity_version"), readInstant);
  const apiVersion = ifKnown(at(reader, "source_api_version"), readWord);
  readUnused(reader);
  return {
    platform: ifKnown(at(reader, "platform"), readWord) ?? "manual",
    occurredAt,
    receivedAt: context.receivedAt,
    entityVersion: version ?? updatedAtOf(stated) ?? occurredAt,
    sourceTopic: ifKnown(at(reader, "source_topic"), readWord) ?? stated.type,
    ...(apiVersion === undefined ? {} : { sourceApiVersion: apiVersion }),
    test: ifKnown(at(reader, "test"), readBoolean) ?? false,
    ...stated,
  };
}

function readStated(reader: Reader, context: WireContext & { occurredAt: Temporal.Instant }): Stated {
  const { value: type } = at(reader, "type");
  const read = typeof type === "string" ? PAYLOADS.get(type) : undefined;
  const payload = at(reader, "payload");
  const currency = currencyNamed(payload.value) ?? context.currency;
  if (read !== undefined) return read(payload, { occurredAt: context.occurredAt, currency });
  addFault(at(reader, "type"), `one of ${[...PAYLOADS.keys()].join(", ")}`);
  return { type: "OrderDeleted", subject: "", factKey: "", payload: { orderId: "" } };
}

/** Members that an event may carry for its sender's sake: checked, and kept in the receipt alone. */
function readUnused(reader: Reader): void {
  ifKnown(at(reader, "schema"), (schema) => readInteger(schema, 1, 1));
  ifKnown(at(reader, "received_at"), readInstant);
  for (const name of ["shop", "fact_key", "correlation_id"]) ifKnown(at(reader, name), readWord);
  ifKnown(at(reader, "delivery_key"), readWord);
}

function readWord(reader: Reader): string {
  const word = readText(reader, 255);
  if (word === "" && typeof reader.value === "string") addFault(reader, "a text that is not empty");
  return word;
}

function updatedAtOf(stated: Stated): Temporal.Instant | undefined {
  return "updatedAt" in stated.payload ? stated.payload.updatedAt : undefined;
}

function wireEvent(reader: Reader, event: NeutralEvent): WireEvent {
  const text = formatJson(reader.value ?? null);
  const { value: given } = at(reader, "delivery_key");
  const deliveryKey = typeof given === "string" ? given : createHash("sha256").update(text).digest("hex");
  return { deliveryKey, text, event };
}
