import { addFault, at, beginReading, ifKnown, type JsonReader } from "../../platforms/json-reader.ts";
import { isList, isObject, type Json } from "../../platforms/json-source.ts";
import type { OrderStated } from "../../platforms/neutral-events.ts";
import { currencyNamed } from "../../platforms/wire-fields.ts";
import { readCurrencyCode, readOrderFacts } from "../../platforms/wire-order.ts";
import type { Fault } from "../../problems.ts";
import { mergeFacts } from "../facts/merge-facts.ts";
import { processedAt, type StoredFacts } from "../facts/order-facts.ts";

export interface PreviewContext {
  readonly now: Temporal.Instant;
  /** The store's currency. */
  readonly currency: string;
}

export type PreviewParse =
  | { readonly ok: true; readonly facts: StoredFacts; readonly processedAt: Temporal.Instant }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const NO_ORDER = "preview";

/**
 * Parses the body of a preview: an order's facts as in `POST /intake/events` (docs/intake-events.md), of which only `lines` are required. A
 * cart may omit `order_id` and each `line_id`, and name its currency as `currency`, which is not read beside `shop_currency`; null is an empty
 * one. Returns all faults together.
 */
export function parsePreview(body: Json, context: PreviewContext): PreviewParse {
  const given = beginReading(body ?? {});
  if (!isObject(given.value)) {
    addFault(given, "an object");
    return { ok: false, faults: given.faults };
  }
  if (at(given, "shop_currency").value === undefined) ifKnown(at(given, "currency"), readCurrencyCode);
  const root = { ...beginReading(completed(given)), faults: given.faults };
  const currency = currencyNamed(root.value) ?? context.currency;
  const payload = readOrderFacts(root, { occurredAt: context.now, currency });
  if (payload.lines === undefined) addFault(at(root, "lines"), "the lines of an order or cart");
  if (root.faults.length > 0) return { ok: false, faults: root.faults };
  const event: OrderStated = {
    type: "OrderPlaced",
    platform: NO_ORDER,
    subject: `order/${payload.orderId}`,
    factKey: `preview/${payload.orderId}`,
    occurredAt: context.now,
    receivedAt: context.now,
    sourceTopic: NO_ORDER,
    test: false,
    payload: { ...payload, shopCurrency: currency },
  };
  const facts = mergeFacts(null, event);
  return { ok: true, facts, processedAt: processedAt(facts) ?? context.now };
}

/** Returns the body as an order's facts. A `currency` with a fault is left out: the fault names it as the body does. */
function completed({ value: body = null, faults }: JsonReader): Json {
  if (!isObject(body)) return body;
  const { currency, ...rest } = body;
  const named = currency === undefined || faults.length > 0 ? {} : { shop_currency: currency };
  const lines = isList(body["lines"]) ? { lines: body["lines"].map(completedLine) } : {};
  return { order_id: NO_ORDER, ...named, ...rest, ...lines };
}

function completedLine(line: Json, index: number): Json {
  return isObject(line) ? { line_id: String(index + 1), ...line } : line;
}

/** Returns the facts as they will be once the order is paid and everything that is left of it has shipped. */
export function asShippedWhole(facts: StoredFacts, when: Temporal.Instant): StoredFacts {
  const lines = (facts.stated.lines ?? []).map(({ lineId, quantity }) => ({ lineId, quantity }));
  const shipment = { fulfillmentId: NO_ORDER, status: "success", createdAt: when, updatedAt: when, lines } as const;
  return { ...facts, paidAt: facts.paidAt ?? when, fulfillments: [shipment] };
}
