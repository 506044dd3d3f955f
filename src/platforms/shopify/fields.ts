import {
  addFault,
  addNote,
  at,
  has,
  ifSaid,
  type JsonReader,
  readId,
  readInstant,
  readListOrNone,
  readOrNote,
} from "../json-reader.ts";
import { isList, JsonNumber } from "../json-source.ts";
import { exponent, isCurrencyCode, parseMajor } from "../money.ts";
import type { CurrencyCode, Money, NeutralEvent, PlatformId } from "../neutral-events.ts";

type Unstamped<E> = E extends NeutralEvent
  ? Pick<E, "type" | "subject" | "factKey" | "payload"> & Partial<Pick<E, "occurredAt" | "entityVersion" | "test">>
  : never;

/** A neutral event without what its delivery adds to it. */
export type Statement = Unstamped<NeutralEvent>;

/** What a translation of one topic needs beside the body. */
export interface Context {
  readonly currency: CurrencyCode;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
}

/** Translates the body of one topic. Faults go to the reader: the topic is not signed, so a body of another shape is one. */
export type TopicTranslation = (body: JsonReader, context: Context) => readonly Statement[];

/** The largest integer that a double can tell from its neighbours. */
const ID_EXACT_MAX = 9_007_199_254_740_991n;
const SHOPIFY_ID = /^[1-9][0-9]{0,19}$/;
const GID = /^gid:\/\/shopify\/([A-Za-z]+)\/([1-9][0-9]{0,19})(?:\?.*)?$/;

/**
 * The id of a body's entity, which may be named as a gid too. A gid of another kind is a fault: the body then belongs to another
 * topic. Where the two differ see `idByEither`.
 */
export function readEntityId(entity: JsonReader, kind: string): PlatformId {
  const gid = parseGid(at(entity, "admin_graphql_api_id"));
  if (gid !== null && gid.kind !== kind) addFault(at(entity, "admin_graphql_api_id"), `the gid of a Shopify ${kind}`);
  return idByEither(at(entity, "id"), gid?.id);
}

/**
 * An id by its number and by its gid. Below 2^53 no reader on the way could have changed the number, and it is what every other body
 * names: it holds, and a gid that differs is noted. From there on the gid holds: it is text, so nothing could take it for a double.
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

/** An amount in major units, written as text or as a number. May be negative. */
export function readAmount(reader: JsonReader, currency: CurrencyCode): Money {
  const { value } = reader;
  const text = value instanceof JsonNumber ? value.source : value;
  const minor = typeof text === "string" ? parseMajor(text, currency) : null;
  if (minor === null) addFault(reader, `a decimal with at most ${exponent(currency)} places, for ${currency}`);
  return { minor: minor ?? 0n, currency };
}

/**
 * `<name>_set.shop_money` of an object, else its plain `<name>`, which is in the shop's currency. A set in another currency than the
 * order's is noted and the plain amount taken; a fault where there is none.
 */
export function readShopMoney(owner: JsonReader, name: string, currency: CurrencyCode): Money {
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

/** As `shopMoneyIfSaid`, of an amount that nothing depends on: one that cannot be read is noted and passed over. */
export function shopMoneyOrNote(owner: JsonReader, name: string, currency: CurrencyCode): Money | undefined {
  return readOrNote(owner, (alone) => shopMoneyIfSaid(alone, name, currency));
}

/** As `readShopMoney`; undefined where neither is there. */
export function shopMoneyIfSaid(owner: JsonReader, name: string, currency: CurrencyCode): Money | undefined {
  const said = has(at(at(owner, `${name}_set`), "shop_money"), "amount") || ifSaid(at(owner, name), () => true);
  return said ? readShopMoney(owner, name, currency) : undefined;
}

/** As `readShopMoney`, for what is taken or given and thus never below 0. */
export function readPositiveShopMoney(owner: JsonReader, name: string, currency: CurrencyCode): Money {
  const money = readShopMoney(owner, name, currency);
  if (money.minor < 0n) addFault(at(owner, name), "an amount of at least 0");
  return money;
}

export function sumOfMoney(currency: CurrencyCode, amounts: readonly Money[]): Money {
  return { minor: amounts.reduce((total, { minor }) => total + minor, 0n), currency };
}

/** Text for people: kept even where it has what a database cannot hold, which is replaced. */
export function readTitle(reader: JsonReader): string {
  return readLongText(reader).slice(0, 1000);
}

/** E-mail in lower case; null where it is null or empty. */
export function readEmail(reader: JsonReader): string | null {
  return readTitle(reader).trim().toLowerCase() || null;
}

/** "a, b" or a list. Undefined where unknown. */
export function readTags(reader: JsonReader): readonly string[] | undefined {
  const { value } = reader;
  if (typeof value !== "string" && !isList(value)) return undefined;
  const tags = isList(value) ? readListOrNone(reader, readTitle) : readLongText(reader).split(",");
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

/** One of the known words; undefined for others, which later versions of the API may bring. */
export function knownWord<T extends string>(reader: JsonReader, words: readonly T[]): T | undefined {
  return words.find((word) => word === reader.value);
}

export function instantIfSaid(reader: JsonReader): Temporal.Instant | undefined {
  return ifSaid(reader, readInstant);
}

export function isTrue(reader: JsonReader): boolean {
  return reader.value === true;
}

function readLongText(reader: JsonReader): string {
  return typeof reader.value === "string" ? reader.value.toWellFormed().replaceAll("\0", "\uFFFD") : "";
}
