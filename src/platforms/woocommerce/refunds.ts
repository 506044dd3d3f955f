import { at, type JsonReader, readDecimalQuantity, readListOrNone } from "../json-reader.ts";
import { fieldOf, isList, JsonNumber } from "../json-source.ts";
import type { CurrencyCode, Money, RefundFact, RefundLine } from "../neutral-events.ts";
import { gmtIfGiven, readWooAmount, readWooId } from "./fields.ts";

/** What a refund needs from its order. */
interface RefundContext {
  readonly currency: CurrencyCode;
  readonly taxesIncluded: boolean;
  /** The order's time. */
  readonly createdAt: Temporal.Instant | undefined;
}

/**
 * Reads a refund of an order. A webhook's body has only its amount, as a negative number, and not its time: the amount is distributed over
 * the goods in proportion, and the order's time is used, so that every copy of the body gives the same result. The REST API has its lines,
 * shipping and fees, as negative amounts, and its time.
 */
export function readWooRefund(refund: JsonReader, context: RefundContext): RefundFact {
  const { currency, createdAt } = context;
  const isWhole = at(refund, "amount").value !== undefined;
  const { minor } = readWooAmount(at(refund, isWhole ? "amount" : "total"), currency);
  const lines = ["line_items", "fee_lines"].flatMap((name) =>
    readListOrNone(at(refund, name), (line) => readLine(line, context)),
  );
  const shipping = readListOrNone(at(refund, "shipping_lines"), (line) => line);
  return {
    refundId: readWooId(at(refund, "id")),
    createdAt: gmtIfGiven(refund, "date_created") ?? createdAt ?? Temporal.Instant.fromEpochMilliseconds(0),
    lines: lines.filter((line) => line !== null),
    shipping: sizeOf(currency, shipping, "total"),
    shippingTax: sizeOf(currency, shipping, "total_tax"),
    otherAdjustments: { minor: 0n, currency },
    moneyMoved: { minor: sizeOfMinor(minor), currency },
  };
}

/** Reads a line; null: nothing of it was refunded. */
function readLine(line: JsonReader, { currency, taxesIncluded }: RefundContext): RefundLine | null {
  const total = sizeOfMinor(readWooAmount(at(line, "total"), currency).minor);
  const tax = sizeOfMinor(readWooAmount(at(line, "total_tax"), currency).minor);
  const quantity = readUnits(at(line, "quantity"));
  if (total === 0n && tax === 0n && quantity === 0) return null;
  return {
    lineId: readRefundedId(line),
    quantity,
    restock: "unknown",
    subtotal: { minor: total + (taxesIncluded ? tax : 0n), currency },
    tax: { minor: tax, currency },
  };
}

/** Reads the refunded line of the order from the metadata of the refund's line. */
function readRefundedId(line: JsonReader): string {
  const metadata = at(line, "meta_data");
  const entries = isList(metadata.value) ? metadata.value : [];
  const entry = entries.find((one) => fieldOf(one, "key") === "_refunded_item_id");
  return readWooId({ ...metadata, value: fieldOf(entry, "value") });
}

/** Reads units, which a refund states as negative numbers; a fee has none, and counts as one. */
function readUnits(reader: JsonReader): number {
  const { value } = reader;
  if (value === undefined) return 1;
  return readDecimalQuantity(value instanceof JsonNumber ? { ...reader, value: unsigned(value) } : reader);
}

function unsigned({ source }: JsonNumber): JsonNumber {
  return new JsonNumber(source.replace(/^-/, ""));
}

function sizeOf(currency: CurrencyCode, lines: readonly JsonReader[], name: "total" | "total_tax"): Money {
  const minor = lines.reduce((sum, line) => sum + readWooAmount(at(line, name), currency).minor, 0n);
  return { minor: sizeOfMinor(minor), currency };
}

function sizeOfMinor(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
