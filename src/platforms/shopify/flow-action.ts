import type { Fault } from "../../problems.ts";
import {
  addFault,
  at,
  beginReading,
  ifGiven,
  type JsonReader,
  readBoolean,
  readId,
  readObject,
  readText,
} from "../json-reader.ts";
import { fieldOf, type Json, JsonNumber } from "../json-source.ts";
import type { FlowAdjustRequested } from "../neutral-events.ts";
import { parseGid, readEmail, readShopifyId } from "./fields.ts";

/** The adjustment that a run of our Flow action requests. */
export type FlowAdjustment = FlowAdjustRequested["payload"];

/** The action's handle in the signed body: an address may be changed, the body not (platforms.md 2). */
const FLOW_HANDLE = "adjust-points";

const NOTE_MAX = 255;
const POINTS = /^[+-]?[0-9]{1,16}(?:\.0+)?$/;
const POINTS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the shop that a body names, in lower case; null: none. */
export function flowShop(body: Json): string | null {
  const shop = fieldOf(body, "shopify_domain");
  return typeof shop === "string" ? shop.toLowerCase() : null;
}

/** Reads the body of a run (platforms.md 2): the adjustment, or every fault of it. Numbers and booleans may be strings. */
export function readFlowAction(body: Json): { readonly adjustment: FlowAdjustment; readonly faults: readonly Fault[] } {
  const reader = beginReading(body);
  const handle = at(reader, "handle");
  if (handle.value !== FLOW_HANDLE) addFault(handle, JSON.stringify(FLOW_HANDLE));
  const properties = at(reader, "properties");
  readObject(properties);
  const adjustment = {
    runId: readId(at(reader, "action_run_id")),
    customer: readCustomer(properties),
    pointValue: readPoints(at(properties, "points")),
    extendsExpiration: ifFilled(at(properties, "extend_expiration"), readChoice) ?? false,
    note: ifFilled(at(properties, "note"), readNote) ?? null,
  };
  return { adjustment, faults: reader.faults };
}

/** Reads the customer of the run, by id if it is given, otherwise by e-mail. */
function readCustomer(properties: JsonReader): FlowAdjustment["customer"] {
  const id = ifFilled(at(properties, "customer_id"), readCustomerId);
  if (id !== undefined) return { id };
  const email = ifFilled(at(properties, "email"), readEmail);
  if (email?.includes("@") === true) return { email };
  addFault(at(properties, "customer_id"), "a customer's id, or an e-mail in `email`");
  return { id: "" };
}

function readCustomerId(reader: JsonReader): string {
  const gid = parseGid(reader);
  return gid?.kind === "Customer" ? gid.id : readShopifyId(reader);
}

function readPoints(reader: JsonReader): bigint {
  const text = reader.value instanceof JsonNumber ? reader.value.source : reader.value;
  const points =
    typeof text === "string" && POINTS.test(text.trim()) ? BigInt(text.trim().replace(/^\+|\..*$/g, "")) : 0n;
  if (points === 0n || points > POINTS_MAX || points < -POINTS_MAX) {
    addFault(reader, `an integer other than 0, from -${POINTS_MAX} to ${POINTS_MAX}`);
  }
  return points;
}

function readChoice(reader: JsonReader): boolean {
  if (reader.value === "true" || reader.value === "false") return reader.value === "true";
  return readBoolean(reader);
}

function readNote(reader: JsonReader): string {
  const note = readText(reader);
  if ([...note].length > NOTE_MAX) addFault(reader, `a text of at most ${NOTE_MAX} characters`);
  return note;
}

/** Returns undefined for a field that the merchant left empty. */
function ifFilled<T>(reader: JsonReader, read: (reader: JsonReader) => T): T | undefined {
  return reader.value === "" ? undefined : ifGiven(reader, read);
}
