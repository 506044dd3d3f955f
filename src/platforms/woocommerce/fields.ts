import type { EventContent } from "../event-content.ts";
import { addFault, addNote, at, has, ifGiven, type JsonReader, readInstant } from "../json-reader.ts";
import { fieldOf, isList, JsonNumber } from "../json-source.ts";
import { exponent, isCurrencyCode, parseMajor } from "../money.ts";
import type { CurrencyCode, Money, PlatformId } from "../neutral-events.ts";

/** What a translation knows of a delivery besides its body. */
export interface WooReceived {
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  readonly receivedAt: Temporal.Instant;
}

/** Translates the body of one topic. */
export type WooTranslation = (body: JsonReader, received: WooReceived) => readonly EventContent[];

const WOO_ID = /^[1-9][0-9]{0,19}$/;
const WOO_AMOUNT = /^([+-]?)([0-9]{1,20})(?:\.([0-9]{0,20}))?$/;

/** Reads an id: an integer above 0, whose digits are kept. */
export function readWooId(reader: JsonReader): PlatformId {
  const id = idOrNone(reader);
  if (id === null) addFault(reader, "an id of WooCommerce: an integer above 0");
  return id ?? "";
}

/** Returns null for 0 and null, by which WooCommerce means "none". */
export function idOrNone(reader: JsonReader): PlatformId | null {
  const { value } = reader;
  const digits = value instanceof JsonNumber ? value.source : value;
  if (typeof digits === "string" && WOO_ID.test(digits)) return digits;
  if (digits !== "0" && digits !== "" && digits !== null && digits !== undefined) addFault(reader, "an integer");
  return null;
}

export function readWooCurrency(reader: JsonReader): CurrencyCode {
  if (typeof reader.value === "string" && isCurrencyCode(reader.value)) return reader.value;
  addFault(reader, "a currency code of ISO 4217");
  return "XXX";
}

/**
 * Reads an amount in major units, text or number; an absent or empty one is 0. The store chooses its number of decimals: the part below the
 * currency's smallest unit is rounded half away from 0, with a note.
 */
export function readWooAmount(reader: JsonReader, currency: CurrencyCode): Money {
  const { value } = reader;
  const text = value instanceof JsonNumber ? value.source : value;
  if (text === undefined || text === null || text === "") return { minor: 0n, currency };
  const minor = typeof text === "string" ? (parseMajor(text, currency) ?? rounded(text, currency)) : null;
  if (minor === null) addFault(reader, "a decimal amount");
  else if (typeof text === "string" && parseMajor(text, currency) === null) {
    const places = String(exponent(currency));
    const detail = `${reader.pointer} has more than ${places} decimal places, for ${currency}: rounded`;
    addNote(reader, { kind: "rounded", values: { places, currency } }, detail);
  }
  return { minor: minor ?? 0n, currency };
}

function rounded(text: string, currency: CurrencyCode): bigint | null {
  const [, sign = "", whole = "", fraction = ""] = WOO_AMOUNT.exec(text) ?? [];
  if (whole === "") return null;
  const places = exponent(currency);
  const floor = parseMajor(`${whole}.${fraction.slice(0, places)}`, currency);
  if (floor === null) return null;
  const minor = floor + ((fraction[places] ?? "0") >= "5" ? 1n : 0n);
  return sign === "-" ? -minor : minor;
}

/** Reads `<name>_gmt` of an object, in UTC without a zone. undefined if it is not stated. */
export function gmtIfGiven(owner: JsonReader, name: string): Temporal.Instant | undefined {
  return ifGiven(at(owner, `${name}_gmt`), readInstant);
}

/** Reads text for people: characters that a database cannot store are replaced. */
export function readWooText(reader: JsonReader): string {
  return typeof reader.value === "string" ? reader.value.toWellFormed().replaceAll("\0", "\uFFFD").slice(0, 1000) : "";
}

/** Reads an e-mail in lower case; null if it is null or empty. */
export function readWooEmail(reader: JsonReader): string | null {
  return readWooText(reader).trim().toLowerCase() || null;
}

/** Returns the first and last name of an object as one; undefined if neither is stated. */
export function wooName(owner: JsonReader): string | null | undefined {
  if (!has(owner, "first_name") && !has(owner, "last_name")) return undefined;
  const parts = ["first_name", "last_name"].map((name) => readWooText(at(owner, name)).trim());
  return parts.filter((part) => part !== "").join(" ") || null;
}

/** How the plugin Japanized for WooCommerce begins the keys of a reading: in the checkout block, and in the older form of an order and an account. */
const READING_KEYS = ["_wc_billing/jp4wc/", "_billing_", "billing_"];

/**
 * Returns the reading of the name on an object's bill, family name first, from its meta data, in the first form that is stated; null if all its parts
 * are empty, undefined if it has none: the store does not ask for readings. Nothing depends on it, so meta data of another form is no fault.
 */
export function wooNameReading(owner: JsonReader): string | null | undefined {
  const { value: meta } = at(owner, "meta_data");
  if (!isList(meta)) return undefined;
  const forms = READING_KEYS.map((beginning) =>
    ["yomigana_last_name", "yomigana_first_name"].map((part) => {
      const entries = meta.filter((entry) => fieldOf(entry, "key") === `${beginning}${part}`);
      return entries.map((entry) => readWooText({ ...owner, value: fieldOf(entry, "value") }).trim());
    }),
  );
  const stated = forms.find((parts) => parts.some(({ length }) => length > 0));
  if (stated === undefined) return undefined;
  return stated.flatMap((part) => part.find((text) => text !== "") ?? []).join(" ") || null;
}

/** Adds a fault for each of these fields that the body has: the topic is not signed, and bodies of this topic never have them. */
export function refuseWooFields(body: JsonReader, topic: string, names: readonly string[]): void {
  for (const name of names) if (has(body, name)) addFault(at(body, name), `no such field in a body of ${topic}`);
}
