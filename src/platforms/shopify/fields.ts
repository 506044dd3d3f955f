import type { EventContent } from "../event-content.ts";
import {
  addFault,
  addNote,
  at,
  has,
  ifGiven,
  type JsonReader,
  readId,
  readInstant,
  readListOrNone,
  readOrNote,
} from "../json-reader.ts";
import { isList, JsonNumber } from "../json-source.ts";
import { exponent, isCurrencyCode, parseMajor } from "../money.ts";
import type { CurrencyCode, Money, PlatformId } from "../neutral-events.ts";

/** What the translation of a topic needs in addition to the body. */
export interface Context {
  readonly currency: CurrencyCode;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
}

/** Translates the body of one topic. Faults are added to the reader: the topic is not signed, so a body of another form is a fault. */
export type TopicTranslation = (body: JsonReader, context: Context) => readonly EventContent[];

/** The largest integer that a double can distinguish from its neighbours. */
const ID_EXACT_MAX = 9_007_199_254_740_991n;
const SHOPIFY_ID = /^[1-9][0-9]{0,19}$/;
const GID = /^gid:\/\/shopify\/([A-Za-z]+)\/([1-9][0-9]{0,19})(?:\?.*)?$/;

/**
 * Reads the id of a body's entity, which may also be named as a gid. A gid of another kind is a fault: the body then belongs to another
 * topic. If the two differ, see `idByEither`.
 */
export function readEntityId(entity: JsonReader, kind: string): PlatformId {
  const gid = parseGid(at(entity, "admin_graphql_api_id"));
  if (gid !== null && gid.kind !== kind) addFault(at(entity, "admin_graphql_api_id"), `the gid of a Shopify ${kind}`);
  return idByEither(at(entity, "id"), gid?.id);
}

/**
 * Returns an id from its number and its gid. Below 2^53 no reader on the way could have changed the number, and every other body uses it:
 * the number wins, and a different gid is noted. Above that the gid wins: it is text, so it was never converted to a double.
 */
export function idByEither(number: JsonReader, gid: PlatformId | undefined): PlatformId {
  if (gid === undefined) return readShopifyId(number);
  const { value } = number;
  const digits = value instanceof JsonNumber ? value.source : value;
  if (typeof digits !== "string" || digits === gid || !SHOPIFY_ID.test(digits) || BigInt(digits) > ID_EXACT_MAX)
    return gid;
  const detail = `${number.pointer} is ${digits} and the gid beside it ${gid}: the number was taken`;
  addNote(number, { kind: "ids_differ", values: { number: digits, gid } }, detail);
  return digits;
}

export function readShopifyId(reader: JsonReader): PlatformId {
  const id = readId(reader);
  if (id !== "" && !SHOPIFY_ID.test(id)) addFault(reader, "an id of Shopify: 1 to 20 digits");
  return id;
}

export function readGid(reader: JsonReader, kinds: readonly string[]): PlatformId {
  const gid = parseGid(reader);
  if (gid !== null && kinds.includes(gid.kind)) return gid.id;
  addFault(reader, `the gid of a Shopify ${kinds.join(" or ")}`);
  return "";
}

export function parseGid(reader: JsonReader): { readonly kind: string; readonly id: PlatformId } | null {
  const match = typeof reader.value === "string" ? GID.exec(reader.value) : null;
  return match?.[1] === undefined || match[2] === undefined ? null : { kind: match[1], id: match[2] };
}

/** Adds a fault for each of these fields that the body has: bodies of its topic never have them. */
export function refuseFields(body: JsonReader, topic: string, names: readonly string[]): void {
  for (const name of names) {
    if (has(body, name)) addFault(at(body, name), `no such field in a body of ${topic}`);
  }
}

export function readCurrency(reader: JsonReader): CurrencyCode {
  if (typeof reader.value === "string" && isCurrencyCode(reader.value)) return reader.value;
  addFault(reader, "a currency code of ISO 4217");
  return "XXX";
}

/** Reads an amount in major units, written as text or as a number. May be negative. */
export function readAmount(reader: JsonReader, currency: CurrencyCode): Money {
  const { value } = reader;
  const text = value instanceof JsonNumber ? value.source : value;
  const minor = typeof text === "string" ? parseMajor(text, currency) : null;
  if (minor === null) addFault(reader, `a decimal with at most ${exponent(currency)} places, for ${currency}`);
  return { minor: minor ?? 0n, currency };
}

/**
 * Reads `<name>_set.shop_money` of an object, otherwise its plain `<name>`, which is in the shop's currency. If the set has another
 * currency than the order, this is noted and the plain amount is used; a fault if there is none.
 */
function readShopMoney(owner: JsonReader, name: string, currency: CurrencyCode): Money {
  const shopMoney = at(at(owner, `${name}_set`), "shop_money");
  const plain = at(owner, name);
  if (!has(shopMoney, "amount")) return readAmount(plain, currency);
  const named = at(shopMoney, "currency_code");
  if (named.value === undefined || named.value === currency) return readAmount(at(shopMoney, "amount"), currency);
  if (plain.value !== undefined && plain.value !== null) {
    const detail = `${named.pointer} is not ${currency}, the order's currency: ${plain.pointer} was taken instead`;
    addNote(named, { kind: "plain_amount_taken", values: { currency, plain: plain.pointer } }, detail);
    return readAmount(plain, currency);
  }
  addFault(named, `the order's currency ${currency}`);
  return readAmount(at(shopMoney, "amount"), currency);
}

/** Like `shopMoneyIfGiven`, for an amount on which nothing depends: one that cannot be read is noted and skipped. */
export function shopMoneyOrNote(owner: JsonReader, name: string, currency: CurrencyCode): Money | undefined {
  return readOrNote(owner, (alone) => shopMoneyIfGiven(alone, name, currency));
}

/** Like `readShopMoney`; undefined if neither exists. */
export function shopMoneyIfGiven(owner: JsonReader, name: string, currency: CurrencyCode): Money | undefined {
  const said = has(at(at(owner, `${name}_set`), "shop_money"), "amount") || ifGiven(at(owner, name), () => true);
  return said ? readShopMoney(owner, name, currency) : undefined;
}

/** Like `readShopMoney`, for amounts that are never below 0. */
export function readPositiveShopMoney(owner: JsonReader, name: string, currency: CurrencyCode): Money {
  const money = readShopMoney(owner, name, currency);
  if (money.minor < 0n) addFault(at(owner, name), "an amount of at least 0");
  return money;
}

export function sumOfMoney(currency: CurrencyCode, amounts: readonly Money[]): Money {
  return { minor: amounts.reduce((total, { minor }) => total + minor, 0n), currency };
}

/** Reads text for people: characters that a database cannot store are replaced. */
export function readTitle(reader: JsonReader): string {
  return readLongText(reader).slice(0, 1000);
}

/** Reads an e-mail in lower case; null if it is null or empty. */
export function readEmail(reader: JsonReader): string | null {
  return readTitle(reader).trim().toLowerCase() || null;
}

/** Reads "a, b" or a list. undefined if unknown. */
export function readTags(reader: JsonReader): readonly string[] | undefined {
  const { value } = reader;
  if (typeof value !== "string" && !isList(value)) return undefined;
  const tags = isList(value) ? readListOrNone(reader, readTitle) : readLongText(reader).split(",");
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

/** Reads one of the known words; undefined for others, which later versions of the API may add. */
export function knownWord<T extends string>(reader: JsonReader, words: readonly T[]): T | undefined {
  return words.find((word) => word === reader.value);
}

export function instantIfGiven(reader: JsonReader): Temporal.Instant | undefined {
  return ifGiven(reader, readInstant);
}

export function isTrue(reader: JsonReader): boolean {
  return reader.value === true;
}

function readLongText(reader: JsonReader): string {
  return typeof reader.value === "string" ? reader.value.toWellFormed().replaceAll("\0", "\uFFFD") : "";
}
