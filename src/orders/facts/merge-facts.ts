import { canonicalText } from "../../db/json-codec.ts";
import type { FinancialStatus } from "../../platforms/financial-status.ts";
import type {
  CouponUsed,
  FulfillmentFact,
  NeutralEvent,
  OrderCancelled,
  OrderFacts,
  OrderFulfilled,
  OrderRefunded,
  OrderStated,
  RefundFact,
  ShippingStatus,
} from "../../platforms/neutral-events.ts";
import { areLaterLines, withKnownProducts } from "./merge-lines.ts";
import {
  type CodeUse,
  codeUse,
  STATED_NAMES,
  type StatedFields,
  type StoredFacts,
  statedFields,
} from "./order-facts.ts";
import { fulfillment, refund } from "./order-facts-codecs.ts";

/** The events that state something about an order. */
export type OrderEvent = OrderStated | OrderFulfilled | OrderRefunded | OrderCancelled | CouponUsed;

/** Whether an event is the order's own statement, by which the order becomes known. */
export function isOrderStatement({ type }: OrderEvent): boolean {
  return type === "OrderPlaced" || type === "OrderUpdated" || type === "OrderPaid";
}

/** Whether an event says that its order was cancelled, or that the payment was voided. */
export function endsOrder(event: Pick<NeutralEvent, "type"> & { readonly payload: Partial<OrderFacts> }): boolean {
  return (
    event.type === "OrderCancelled" || Boolean(event.payload.cancelledAt) || event.payload.financialStatus === "voided"
  );
}

const PAID_STATUSES: ReadonlySet<string> = new Set(["paid", "partially_refunded", "refunded"]);

/** The further state counts of two with one `updatedAt`, whichever arrived later (decision 83). */
const STATES: ReadonlySet<keyof StatedFields> = new Set(["financialStatus", "fulfillmentStatus", "isFulfilledWhole"]);
/** In the order in which an order has them: of two statements with the same version the later one counts. */
const FINANCIAL_STEPS: readonly FinancialStatus[] = [
  ...(["pending", "authorized", "partially_paid", "expired", "voided"] as const),
  ...(["paid", "partially_refunded", "refunded"] as const),
];
const SHIPPING_STEPS: readonly ShippingStatus[] = ["unfulfilled", "partial", "fulfilled", "restocked"];

/**
 * Returns what is known about an order after one more event (platforms.md 4.3, rules 2 and 4). `stored` is null for the first event of the
 * order, whichever it is. Each part of the facts only moves up in an order of its own (newer version, wider set, earlier first time, larger
 * text between equals), so that events processed late, twice or in any order give the same result.
 */
export function mergeFacts(stored: StoredFacts | null, event: OrderEvent): StoredFacts {
  const known = stored ?? noFacts(event.payload.orderId);
  const withTest = event.test && !known.test ? { ...known, test: true } : known;
  switch (event.type) {
    case "OrderFulfilled":
      return { ...withTest, fulfillments: uniteFulfillments(known.fulfillments, [event.payload.fulfillment]) };
    case "OrderRefunded":
      return { ...withTest, refunds: uniteRefunds(known.refunds, [event.payload.refund]) };
    case "OrderCancelled":
      return withCancellation(withTest, event.payload.cancelledAt, event.payload.reason);
    case "CouponUsed":
      return { ...withTest, codes: uniteCodes(known.codes, [codeOfCoupon(event)]) };
    default:
      return mergeBody(withTest, event);
  }
}

function noFacts(orderId: string): StoredFacts {
  return {
    orderId,
    test: false,
    stated: {},
    versions: new Map(),
    paidAt: null,
    cancelledAt: null,
    cancelReason: null,
    fulfillments: [],
    refunds: [],
    codes: [],
  };
}

function mergeBody(known: StoredFacts, event: OrderStated): StoredFacts {
  const body = withCurrency(event.payload);
  const stateVersion = event.entityVersion ?? body.updatedAt ?? null;
  const version = event.contentVersion ?? stateVersion;
  const codes = (body.coupons ?? []).map((use) => ({
    code: use.code.toLowerCase(),
    amount: use.amount ?? null,
    version,
  }));
  const merged: StoredFacts = {
    ...known,
    ...mergeStated(known, body, version, stateVersion),
    paidAt: earlier(known.paidAt, paidBy(event)),
    ...fulfilledBy(known, event, stateVersion),
    fulfillments: uniteFulfillments(known.fulfillments, body.fulfillments),
    refunds: uniteRefunds(known.refunds, body.refunds),
    codes: uniteCodes(known.codes, codes),
  };
  return body.cancelledAt ? withCancellation(merged, body.cancelledAt, body.cancelReason ?? null) : merged;
}

/** An event has one currency: if a body names it only with its lines, it is the shop's currency too. */
function withCurrency(body: OrderFacts): OrderFacts {
  const [line] = body.lines ?? [];
  return body.shopCurrency !== undefined || line === undefined
    ? body
    : { ...body, shopCurrency: line.unitPrice.currency };
}

/** platforms.md 4.3, rule 5: when the order was paid, if the body says so, or by its status at the time of the body. */
function paidBy(event: OrderStated): Temporal.Instant | null {
  const { paidAt, financialStatus, updatedAt } = event.payload;
  if (paidAt) return paidAt;
  if (financialStatus === undefined || !PAID_STATUSES.has(financialStatus)) return null;
  return updatedAt ?? event.entityVersion ?? event.occurredAt;
}

function fulfilledBy(
  known: StoredFacts,
  event: OrderStated,
  version: Temporal.Instant | null,
): Pick<StoredFacts, "fulfilledAt"> {
  const { isFulfilledWhole, fulfilledAt: at = version ?? event.occurredAt } = event.payload;
  const said = isFulfilledWhole === true ? at : null;
  const fulfilledAt = earlier(known.fulfilledAt ?? null, said);
  return fulfilledAt === null ? {} : { fulfilledAt };
}

function mergeStated(
  known: StoredFacts,
  body: OrderFacts,
  contentVersion: Temporal.Instant | null,
  stateVersion: Temporal.Instant | null,
): Pick<StoredFacts, "stated" | "versions"> {
  const stated: { -readonly [N in keyof StatedFields]: StatedFields[N] } = {};
  const versions = new Map<string, Temporal.Instant>();
  for (const name of STATED_NAMES) {
    const version = STATES.has(name) ? stateVersion : contentVersion;
    const keptVersion = known.versions.get(name) ?? null;
    const takesNew = body[name] !== undefined && replaces(known.stated, keptVersion, body, version, name);
    copyField(stated, takesNew ? body : known.stated, name);
    const fieldVersion = takesNew ? version : keptVersion;
    if (fieldVersion !== null) versions.set(name, fieldVersion);
  }
  const { lines } = stated;
  if (lines !== undefined)
    stated.lines = withKnownProducts(lines, lines === body.lines ? known.stated.lines : body.lines);
  return { stated, versions };
}

function replaces(
  kept: StatedFields,
  keptVersion: Temporal.Instant | null,
  body: OrderFacts,
  version: Temporal.Instant | null,
  name: keyof StatedFields,
): boolean {
  if (kept[name] === undefined) return true;
  const byVersion = compareTimes(version, keptVersion);
  if (byVersion !== 0) return byVersion > 0;
  return isLaterAtOnce(body, kept, name);
}

/** Whether of two statements with the same version the first is taken for a field: versions of platforms are whole seconds. */
function isLaterAtOnce(body: OrderFacts, kept: StatedFields, name: keyof StatedFields): boolean {
  const step = <T>(steps: readonly T[], status: T | undefined): number =>
    status === undefined ? -1 : steps.indexOf(status);
  switch (name) {
    case "financialStatus":
      return step(FINANCIAL_STEPS, body[name]) > step(FINANCIAL_STEPS, kept[name]);
    case "fulfillmentStatus":
      return step(SHIPPING_STEPS, body[name]) > step(SHIPPING_STEPS, kept[name]);
    case "lines":
      return areLaterLines(body.lines ?? [], kept.lines ?? []);
    default:
      return fieldText(body, name) > fieldText(kept, name);
  }
}

function fieldText(fields: StatedFields, name: keyof StatedFields): string {
  const alone: StatedFields = {};
  copyField(alone, fields, name);
  return canonicalText(statedFields, alone);
}

function copyField<K extends keyof StatedFields>(
  to: { -readonly [N in K]?: StatedFields[N] },
  from: StatedFields,
  name: K,
): void {
  const value = from[name];
  if (value !== undefined) to[name] = value;
}

function withCancellation(known: StoredFacts, at: Temporal.Instant, reason: string | null): StoredFacts {
  const byTime = known.cancelledAt === null ? 1 : Temporal.Instant.compare(known.cancelledAt, at);
  const isFirst = byTime > 0 || (byTime === 0 && (reason ?? "") > (known.cancelReason ?? ""));
  return isFirst ? { ...known, cancelledAt: at, cancelReason: reason } : known;
}

function codeOfCoupon(event: CouponUsed): CodeUse {
  const { code, amount } = event.payload;
  return { code: code.toLowerCase(), amount: amount ?? null, version: event.entityVersion ?? null };
}

function uniteCodes(known: readonly CodeUse[], more: readonly CodeUse[]): readonly CodeUse[] {
  const wins = (a: CodeUse, b: CodeUse): boolean => {
    if ((a.amount === null) !== (b.amount === null)) return a.amount !== null;
    const byVersion = compareTimes(a.version, b.version);
    return byVersion === 0 ? canonicalText(codeUse, a) > canonicalText(codeUse, b) : byVersion > 0;
  };
  return unite(known, more, (use) => use.code, wins).sort((a, b) => (a.code < b.code ? -1 : 1));
}

/**
 * Chooses between two copies: a cancelled one always wins, otherwise the later one, otherwise the larger text. The time of creation is that
 * of the earliest copy: a sender that does not state it gives each copy the time of its event, and later copies must not move the credit.
 */
function uniteFulfillments(
  known: readonly FulfillmentFact[],
  more: readonly FulfillmentFact[],
): readonly FulfillmentFact[] {
  const textOf = (a: FulfillmentFact): string => canonicalText(fulfillment, { ...a, createdAt: a.updatedAt });
  const wins = (a: FulfillmentFact, b: FulfillmentFact): boolean => {
    if ((a.status === "cancelled") !== (b.status === "cancelled")) return a.status === "cancelled";
    const byTime = Temporal.Instant.compare(a.updatedAt, b.updatedAt);
    return byTime === 0 ? textOf(a) > textOf(b) : byTime > 0;
  };
  const first = new Map<string, Temporal.Instant>();
  for (const { fulfillmentId, createdAt } of [...known, ...more])
    first.set(fulfillmentId, earlier(first.get(fulfillmentId) ?? null, createdAt) ?? createdAt);
  return unite(known, more, (fact) => fact.fulfillmentId, wins)
    .map((fact) => ({ ...fact, createdAt: first.get(fact.fulfillmentId) ?? fact.createdAt }))
    .sort(byCreation((fact) => fact.fulfillmentId));
}

/**
 * Chooses between two copies: the one whose money is known, otherwise the larger amount (more transactions are complete), otherwise the larger
 * credit (a copy alone does not know the order's taxes), otherwise the one that is of a return, or itemises the money, otherwise the larger text.
 */
function uniteRefunds(known: readonly RefundFact[], more: readonly RefundFact[]): readonly RefundFact[] {
  const wins = (a: RefundFact, b: RefundFact): boolean => {
    const [moneyA, moneyB] = [a.moneyMoved?.minor ?? -1n, b.moneyMoved?.minor ?? -1n];
    if (moneyA !== moneyB) return moneyA > moneyB;
    const [creditA, creditB] = [a.credited?.minor ?? 0n, b.credited?.minor ?? 0n];
    if (creditA !== creditB) return creditA > creditB;
    const [returnA, returnB] = [a.isOfReturn === true, b.isOfReturn === true];
    if (returnA !== returnB) return returnA;
    if (isItemized(a) !== isItemized(b)) return isItemized(a);
    return canonicalText(refund, a) > canonicalText(refund, b);
  };
  return unite(known, more, (fact) => fact.refundId, wins).sort(byCreation((fact) => fact.refundId));
}

/** Whether a refund itemises its money. Some platforms send a copy with only the amount, and state its parts elsewhere. */
function isItemized({ lines, shipping, shippingTax, otherAdjustments }: RefundFact): boolean {
  return lines.length > 0 || [shipping, shippingTax, otherAdjustments].some(({ minor }) => minor !== 0n);
}

function unite<T>(
  known: readonly T[],
  more: readonly T[],
  idOf: (fact: T) => string,
  wins: (a: T, b: T) => boolean,
): T[] {
  const byId = new Map(known.map((fact) => [idOf(fact), fact]));
  for (const fact of more) {
    const kept = byId.get(idOf(fact));
    if (kept === undefined || wins(fact, kept)) byId.set(idOf(fact), fact);
  }
  return [...byId.values()];
}

function byCreation<T extends { readonly createdAt: Temporal.Instant }>(
  idOf: (fact: T) => string,
): (a: T, b: T) => number {
  return (a, b) => Temporal.Instant.compare(a.createdAt, b.createdAt) || (idOf(a) < idOf(b) ? -1 : 1);
}

function earlier(a: Temporal.Instant | null, b: Temporal.Instant | null): Temporal.Instant | null {
  if (a === null || b === null) return a ?? b;
  return Temporal.Instant.compare(a, b) <= 0 ? a : b;
}

/** Compares versions; a missing version is older than any. */
function compareTimes(a: Temporal.Instant | null, b: Temporal.Instant | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return Temporal.Instant.compare(a, b);
}
