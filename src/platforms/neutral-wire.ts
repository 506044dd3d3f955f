import { createHash } from "node:crypto";
import type { Fault } from "../problems.ts";
import type { EventWarning } from "../wire/event-warnings.ts";
import type { EventContent } from "./event-content.ts";
import { WARNINGS_MAX, warningsOf } from "./event-warnings.ts";
import {
  addFault,
  at,
  beginReading,
  has,
  ifKnown,
  type JsonReader,
  readBoolean,
  readInstant,
  readInteger,
  readText,
} from "./json-reader.ts";
import { formatJson, isList, type Json, parseJsonSource } from "./json-source.ts";
import type { CurrencyCode, NeutralEvent } from "./neutral-events.ts";
import type { Translation } from "./platform.ts";
import { beginObject, currencyNamed } from "./wire-fields.ts";
import { PAYLOADS } from "./wire-payloads.ts";

export const EVENTS_MAX = 1_000;
const WORD_MAX = 255;

/** The properties of a request in addition to its body. */
export interface WireContext {
  readonly receivedAt: Temporal.Instant;
  /** The store's currency, for events that name none. */
  readonly currency: CurrencyCode;
}

export interface WireEvent {
  /** The sender's key, otherwise the SHA-256 of the event's text. */
  readonly deliveryKey: string;
  /** The JSON text of only this event; `translateNeutral` returns the same event for it. */
  readonly text: string;
  readonly event: NeutralEvent;
  /** Its JSON pointer in the body; pointers of `warnings` are relative to it. */
  readonly pointer: string;
  readonly warnings: readonly EventWarning[];
}

/** An event of a batch that cannot be accepted. */
export interface RefusedEvent {
  /** As for a `WireEvent`; the hash of the whole value if it is not an event. */
  readonly deliveryKey: string;
  /** With pointers into the body; at least one. */
  readonly faults: readonly Fault[];
}

export type WireItem =
  | { readonly ok: true; readonly sent: WireEvent }
  | { readonly ok: false; readonly refused: RefusedEvent };

export type WireBatch =
  | { readonly ok: true; readonly items: readonly WireItem[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

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
 * Reads the body of `POST /intake/events`: one event, a list of at most 1,000, or `{"events": [...]}` (docs/intake-events.md). Each event
 * is read separately, with all its faults. `faults`: those of a body that has none of these forms.
 */
export function readNeutralBatch(body: Json, context: WireContext): WireBatch {
  const root = beginReading(body);
  const list = eventsOf(root);
  if (list.length > EVENTS_MAX) addFault(root, `at most ${EVENTS_MAX} events`);
  if (root.faults.length > 0) return { ok: false, faults: root.faults };
  return { ok: true, items: list.map((reader) => readItem(reader, context)) };
}

/** Like `readNeutralBatch`, all or none: returns all faults of all events together, each with its pointer into the body. */
export function parseNeutralEvents(body: Json, context: WireContext): WireParse {
  const batch = readNeutralBatch(body, context);
  if (!batch.ok) return batch;
  const faults = batch.items.flatMap((item) => (item.ok ? [] : item.refused.faults));
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, events: batch.items.flatMap((item) => (item.ok ? [item.sent] : [])) };
}

/** Reads one stored event's text again, as an adapter's translation. */
export function translateNeutral(rawBody: Uint8Array, context: WireContext): Translation {
  const json = parseJsonSource(rawBody);
  if (!json.ok) return json;
  const parse = parseNeutralEvents(json.value, context);
  if (parse.ok) {
    const warnings = parse.events.flatMap((sent) => sent.warnings);
    return { ok: true, events: parse.events.map(({ event }) => event), ...(warnings.length === 0 ? {} : { warnings }) };
  }
  return { ok: false, fault: parse.faults[0]?.detail ?? "the event cannot be read" };
}

function eventsOf(root: JsonReader): readonly JsonReader[] {
  const wrapped = has(root, "events");
  if (wrapped) beginObject(root, ["events"]);
  const list = wrapped ? at(root, "events") : root;
  if (isList(list.value)) {
    return list.value.map((value, i) => beginReading(value, `${list.pointer}/${i}`));
  }
  if (wrapped) addFault(list, "a list of events");
  return [root];
}

function readEvent(reader: JsonReader, context: WireContext): NeutralEvent {
  beginObject(reader, ENVELOPE);
  const occurredAt = ifKnown(at(reader, "occurred_at"), readInstant) ?? context.receivedAt;
  const content = readContent(reader, { ...context, occurredAt });
  const version = ifKnown(at(reader, "entity_version"), readInstant);
  const apiVersion = ifKnown(at(reader, "source_api_version"), readWord);
  readUnused(reader);
  return {
    platform: ifKnown(at(reader, "platform"), readWord) ?? "manual",
    occurredAt,
    receivedAt: context.receivedAt,
    entityVersion: version ?? updatedAtOf(content) ?? occurredAt,
    sourceTopic: ifKnown(at(reader, "source_topic"), readWord) ?? content.type,
    ...(apiVersion === undefined ? {} : { sourceApiVersion: apiVersion }),
    test: ifKnown(at(reader, "test"), readBoolean) ?? false,
    ...content,
  };
}

function readContent(reader: JsonReader, context: WireContext & { occurredAt: Temporal.Instant }): EventContent {
  const { value: type } = at(reader, "type");
  const read = typeof type === "string" ? PAYLOADS.get(type) : undefined;
  const payload = at(reader, "payload");
  const currency = currencyNamed(payload.value) ?? context.currency;
  if (read !== undefined) return read(payload, { occurredAt: context.occurredAt, currency });
  addFault(at(reader, "type"), `one of ${[...PAYLOADS.keys()].join(", ")}`);
  return { type: "OrderDeleted", subject: "", factKey: "", payload: { orderId: "" } };
}

/** Reads fields that an event may have for its sender's use: they are validated, and stored only in the receipt. */
function readUnused(reader: JsonReader): void {
  ifKnown(at(reader, "schema"), (schema) => readInteger(schema, 1, 1));
  ifKnown(at(reader, "received_at"), readInstant);
  for (const name of ["shop", "fact_key", "correlation_id"]) ifKnown(at(reader, name), readWord);
  ifKnown(at(reader, "delivery_key"), readWord);
}

function readWord(reader: JsonReader): string {
  const word = readText(reader, WORD_MAX);
  if (word === "" && typeof reader.value === "string") addFault(reader, "a text that is not empty");
  return word;
}

function updatedAtOf(content: EventContent): Temporal.Instant | undefined {
  return "updatedAt" in content.payload ? content.payload.updatedAt : undefined;
}

function readItem(reader: JsonReader, context: WireContext): WireItem {
  const event = readEvent(reader, context);
  const { value: given } = at(reader, "delivery_key");
  const { faults, pointer } = reader;
  if (faults.length > 0) {
    const isUsable = typeof given === "string" && given.length <= WORD_MAX;
    const deliveryKey = isUsable ? given.toWellFormed() : hashOf(formatJson(reader.value ?? null));
    return { ok: false, refused: { deliveryKey, faults } };
  }
  const text = formatJson(reader.value ?? null);
  const notes = reader.notes.map((note) => ({ ...note, pointer: note.pointer.slice(pointer.length) }));
  const warnings = [...notes, ...warningsOf(event, context.currency)].slice(0, WARNINGS_MAX);
  const deliveryKey = typeof given === "string" ? given : hashOf(text);
  return { ok: true, sent: { deliveryKey, text, event, pointer, warnings } };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
