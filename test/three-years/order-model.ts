import { type LineSpec, type OrderSpec, type RefundSpec, type ShipmentSpec, unitPaid } from "./store-action.ts";
import { BONUS_POINTS_PER_100, type Rate } from "./terms.ts";
import type { Draw } from "./wallet-model.ts";

/** What an order awards, counts toward tiers and returns of its coupon, written from program.md 4 and 6 alone. */
export interface ModelOrder {
  readonly id: string;
  readonly shopperId: string;
  readonly processedAt: Temporal.Instant;
  readonly lines: readonly ModelLine[];
  /** That of the tier, campaign and program of its processed time. */
  readonly rate: Rate;
  paidAt: Temporal.Instant | null;
  isCancelled: boolean;
  readonly shipments: Map<string, { readonly at: Temporal.Instant; readonly lineIds: readonly string[] }>;
  /** Refunded beyond the units. */
  more: bigint;
  /** What was due when it was last settled; what was forgiven is in it. */
  settled: bigint;
  awarded: bigint;
  redeemed: bigint;
  coupon: ModelCoupon | null;
}

export interface ModelLine {
  readonly spec: LineSpec;
  refundedUnits: bigint;
}

export interface ModelCoupon {
  readonly shopperId: string;
  /** Yen, one a point. */
  readonly worth: bigint;
  readonly endsAt: Temporal.Instant;
  state: "open" | "ended" | "used";
  /** What it cost, and from which lots; less than its worth where a late use found less. */
  cost: bigint;
  draws: readonly Draw[];
  returned: bigint;
}

export function placeOrder(spec: OrderSpec, made: Pick<ModelOrder, "shopperId" | "processedAt" | "rate">): ModelOrder {
  return {
    ...made,
    id: spec.id,
    lines: spec.lines.map((line) => ({ spec: line, refundedUnits: 0n })),
    paidAt: spec.isPending === true ? null : made.processedAt,
    isCancelled: false,
    shipments: new Map(),
    more: 0n,
    settled: 0n,
    awarded: 0n,
    redeemed: 0n,
    coupon: null,
  };
}

export function shipOrder(order: ModelOrder, spec: ShipmentSpec, now: Temporal.Instant): void {
  order.shipments.set(spec.shipmentId, { at: spec.shippedAt ?? now, lineIds: spec.lines.map(({ id }) => id) });
}

export function refundOrder(order: ModelOrder, { units, more = 0n }: RefundSpec): void {
  for (const { line, count } of units) {
    const refunded = order.lines.find((own) => own.spec.id === line.id);
    if (refunded === undefined) throw new Error(`${order.id} has no line ${line.id}`);
    refunded.refundedUnits += count;
  }
  if (more > 0n && order.lines.some(({ spec }) => spec.goods !== "tea" || spec.off > 0n)) {
    throw new Error("which line the money is of would matter");
  }
  order.more += more;
}

/** All that the order can award as it stands. */
export function awardable(order: ModelOrder): bigint {
  return pointsOf(order, order.lines);
}

/** What its shipments have earned by now. */
export function dueAward(order: ModelOrder): bigint {
  return order.paidAt === null
    ? 0n
    : pointsOf(
        order,
        order.lines.filter((line) => shippedAt(order, line) !== null),
      );
}

function pointsOf(order: ModelOrder, lines: readonly ModelLine[]): bigint {
  if (order.isCancelled) return 0n;
  const base = leftOf(lines.filter(({ spec }) => spec.goods === "tea" || spec.goods === "bonus")) - order.more;
  const bonus = leftOf(lines.filter(({ spec }) => spec.goods === "bonus"));
  if (base <= 0n) return 0n;
  return roundedUp(base * order.rate.points, order.rate.yen) + roundedUp(bonus * BONUS_POINTS_PER_100, 100n);
}

/** What counts toward tiers and from when; null: nothing yet, or nothing left. */
export function spendOf(order: ModelOrder): { readonly yen: bigint; readonly at: Temporal.Instant } | null {
  const goods = order.lines.filter(({ spec }) => ["tea", "bonus", "excluded"].includes(spec.goods));
  const yen = leftOf(goods) - order.more;
  if (order.isCancelled || order.paidAt === null || yen <= 0n) return null;
  let at = order.paidAt;
  for (const line of goods) {
    const shipped = shippedAt(order, line);
    if (shipped === null && line.refundedUnits < line.spec.quantity) return null;
    if (shipped !== null && Temporal.Instant.compare(shipped, at) > 0) at = shipped;
  }
  return { yen, at };
}

/** How many points of its coupon have come back by now: floor(cost x refunded allocation / whole allocation). */
export function couponReturn(order: ModelOrder, coupon: ModelCoupon): bigint {
  const allocated = order.lines.reduce((sum, { spec }) => sum + spec.off, 0n);
  const whole = allocated > coupon.worth ? allocated : coupon.worth;
  if (order.isCancelled) return (coupon.cost * allocated) / whole;
  // over one denominator: the product of all quantities
  const units = order.lines.reduce((product, { spec }) => product * spec.quantity, 1n);
  const refunded = order.lines.reduce(
    (sum, { spec, refundedUnits }) => sum + spec.off * refundedUnits * (units / spec.quantity),
    0n,
  );
  return (coupon.cost * refunded) / (whole * units);
}

function shippedAt(order: ModelOrder, line: ModelLine): Temporal.Instant | null {
  const shipment = [...order.shipments.values()].find(({ lineIds }) => lineIds.includes(line.spec.id));
  return shipment?.at ?? null;
}

/** What was paid for the units that are kept. */
function leftOf(lines: readonly ModelLine[]): bigint {
  return lines.reduce((sum, { spec, refundedUnits }) => sum + unitPaid(spec) * (spec.quantity - refundedUnits), 0n);
}

function roundedUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
