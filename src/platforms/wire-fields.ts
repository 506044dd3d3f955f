import { decimalText } from "./decimal-text.ts";
import { addFault, at, ifKnown, type JsonReader, readObject, readText, refuseOthers } from "./json-reader.ts";
import { fieldOf, isObject, type Json, JsonNumber } from "./json-source.ts";
import { isCurrencyCode, MONEY_MAX } from "./money.ts";
import type { CurrencyCode, Money } from "./neutral-events.ts";

/** What the payload of an event needs from its envelope. */
export interface PayloadContext {
  readonly occurredAt: Temporal.Instant;
  /** The currency of all money in the payload. */
  readonly currency: CurrencyCode;
}

const POINTS_MAX = 9_007_199_254_740_991n;
const WHOLE = /^-?[0-9]{1,16}$/;
const DECIMAL = /^([0-9]{1,16})\.([0-9]{1,6}0*)$/;

/** Checks that a value is an object with these fields and no others. */
export function beginObject(reader: JsonReader, names: readonly string[]): void {
  readObject(reader);
  refuseOthers(reader, names);
}

/** Reads `{minor, currency}`; `minor` is an integer of minor units, written as an integer or as a string of digits. */
export function readMoney(reader: JsonReader, currency: CurrencyCode): Money {
  beginObject(reader, ["minor", "currency"]);
  if (!isObject(reader.value)) return { minor: 0n, currency };
  if (at(reader, "currency").value !== currency) {
    addFault(at(reader, "currency"), `${currency}, as in the rest of the event`);
  }
  const minor = wholeOf(at(reader, "minor").value);
  if (minor !== null && abs(minor) <= MONEY_MAX) return { minor, currency };
  addFault(at(reader, "minor"), "an integer of minor units, or one as a text of digits");
  return { minor: 0n, currency };
}

/** Reads a unit price like `readMoney`, but the minor units may have at most 6 decimal places. At least 0. */
export function readUnitPrice(
  reader: JsonReader,
  currency: CurrencyCode,
): { readonly unitPrice: Money; readonly unitPriceMillionths?: number } {
  const given = fieldOf(reader.value, "minor");
  const minor = given instanceof JsonNumber ? new JsonNumber(decimalText(given.source)) : given;
  if (!isObject(reader.value) || minor === undefined) return { unitPrice: readPositiveMoney(reader, currency) };
  const text = minor instanceof JsonNumber ? minor.source : minor;
  const [, whole, places = ""] = (typeof text === "string" ? DECIMAL.exec(text) : null) ?? [];
  const unitPrice = readPositiveMoney({ ...reader, value: { ...reader.value, minor: whole ?? minor } }, currency);
  const millionths = Number(places.slice(0, 6).padEnd(6, "0"));
  return millionths === 0 ? { unitPrice } : { unitPrice, unitPriceMillionths: millionths };
}

export function readPositiveMoney(reader: JsonReader, currency: CurrencyCode): Money {
  const money = readMoney(reader, currency);
  if (money.minor < 0n) addFault(at(reader, "minor"), "at least 0");
  return money;
}

/** Reads an amount that is 0 if it is left out. */
export function readMoneyOrZero(reader: JsonReader, currency: CurrencyCode): Money {
  return ifKnown(reader, (money) => readMoney(money, currency)) ?? { minor: 0n, currency };
}

/** Reads an integer number of points other than 0 (program.md 1), never coerced. */
export function readPoints(reader: JsonReader): bigint {
  const points = reader.value instanceof JsonNumber ? wholeOf(reader.value) : null;
  if (points !== null && points !== 0n && abs(points) <= POINTS_MAX) return points;
  addFault(reader, "an integer other than 0");
  return 0n;
}

export function readCode(reader: JsonReader): string {
  const code = readText(reader, 255);
  if (code === "" && typeof reader.value === "string") addFault(reader, "a code that is not empty");
  return code;
}

export function readWireEmail(reader: JsonReader): string {
  const email = readText(reader, 255).trim().toLowerCase();
  if (typeof reader.value === "string" && !email.includes("@")) addFault(reader, "an e-mail address");
  return email;
}

/** Returns the currency of a payload: the first one that it names, in any field. null: it names none. */
export function currencyNamed(payload: Json | undefined, depth = 8): CurrencyCode | null {
  if (depth === 0 || typeof payload !== "object" || payload === null || payload instanceof JsonNumber) return null;
  for (const name of ["shop_currency", "currency"]) {
    const named = fieldOf(payload, name);
    if (typeof named === "string" && isCurrencyCode(named)) return named;
  }
  for (const field of Object.values(payload)) {
    const named = currencyNamed(field, depth - 1);
    if (named !== null) return named;
  }
  return null;
}

function wholeOf(value: Json | undefined): bigint | null {
  const text = value instanceof JsonNumber ? value.source : value;
  return typeof text === "string" && WHOLE.test(text) ? BigInt(text) : null;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
