import type { CustomerSpec, LineSpec, OrderSpec } from "../payloads/order-spec.ts";
import { CATALOGUE, NAMES } from "./catalogue.ts";
import type { Dice } from "./dice.ts";

/** A customer of the season, whose orders are sorted by time; `today` is the one during the campaign. */
export interface SeasonCustomer {
  readonly spec: CustomerSpec;
  readonly birthday: string | null;
  readonly optsIn: boolean;
  readonly past: readonly PlannedOrder[];
  readonly today: PlannedOrder | null;
  /** Points that staff give through the interface; 0n: none. */
  readonly gift: bigint;
  readonly coupon: "none" | "spent" | "deleted";
}

export interface PlannedOrder {
  /** The order as it is placed; its times are empty until then. */
  readonly order: Omit<OrderSpec, "createdAt" | "updatedAt">;
  /** Its position in the season's days, 0 to 1. */
  readonly at: number;
  readonly shipments: 1 | 2;
  readonly fate: "kept" | "first line returned" | "returned" | "cancelled";
  /** How the platform delivers its messages. */
  readonly delivery: "in order" | "shuffled" | "twice";
}

export interface SeasonSize {
  readonly customers: number;
  readonly ordersEach: number;
}

const CUSTOMER_IDS = 7_100_000_000_000;
const ORDER_IDS = 6_200_000_000_000;
const MAIL = "tea.example";

/** Generates the season: the same dice give the same season. `at` is when its customers were created, ISO 8601. */
export function planSeason(dice: Dice, { customers, ordersEach }: SeasonSize, at: string): readonly SeasonCustomer[] {
  return Array.from({ length: customers }, (_, n) => {
    const spec = planCustomer(dice, n, at);
    const planned = Array.from({ length: ordersEach }, (_, k) => planOrder(dice, spec, n * ordersEach + k));
    const sorted = planned.toSorted((a, b) => a.at - b.at);
    const hasToday = ordersEach > 1 || dice.chance(0.5);
    return {
      spec,
      birthday: planBirthday(dice),
      optsIn: dice.chance(0.4),
      past: hasToday ? sorted.slice(0, -1) : sorted,
      today: (hasToday && sorted.at(-1)) || null,
      gift: dice.chance(0.15) ? BigInt(50 + 10 * dice.below(20)) : 0n,
      coupon: dice.chance(0.45) ? "spent" : dice.chance(0.1) ? "deleted" : "none",
    };
  });
}

/** The sum of a customer's orders in yen, before discounts and refunds. */
export function salesOf({ past }: SeasonCustomer): bigint {
  const lines = past.flatMap(({ order }) => order.lines);
  return lines.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n);
}

function planCustomer(dice: Dice, n: number, at: string): CustomerSpec {
  const [firstName, lastName] = dice.pick(NAMES);
  return {
    id: String(CUSTOMER_IDS + n),
    email: `customer-${n + 1}@${MAIL}`,
    firstName,
    lastName,
    state: "enabled",
    createdAt: at,
    updatedAt: at,
  };
}

function planBirthday(dice: Dice): string | null {
  if (dice.chance(0.4)) return null;
  const day = `${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`;
  return dice.chance(0.1) ? `--${day}` : `${1950 + dice.below(55)}-${day}`;
}

function planOrder(dice: Dice, customer: CustomerSpec, n: number): PlannedOrder {
  const id = String(ORDER_IDS + n * 10);
  const products = dice.shuffle(CATALOGUE).slice(0, 1 + dice.below(3));
  const lines = products.map(
    (product, i): LineSpec => ({
      id: `${id}${i + 1}`,
      kind: "product",
      productId: product.id,
      title: product.title,
      price: product.price,
      quantity: 1 + dice.below(3),
      tax: 0n,
      discounts: [],
    }),
  );
  return {
    order: {
      id,
      number: 1_001 + n,
      currency: "JPY",
      taxesIncluded: true,
      customer,
      lines: lines.map((line) => ({ ...line, tax: (line.price * BigInt(line.quantity) * 10n) / 110n })),
      discounts: [],
      shipping: dice.chance(0.5) ? 550n : 0n,
      shippingTax: 0n,
      financialStatus: "pending",
      cancelledAt: null,
      fulfillments: [],
      refunds: [],
    },
    at: dice.below(1_000_000) / 1_000_000,
    shipments: dice.chance(0.25) && products.length > 1 ? 2 : 1,
    fate: planFate(dice),
    delivery: dice.chance(0.05) ? "shuffled" : dice.chance(0.05) ? "twice" : "in order",
  };
}

function planFate(dice: Dice): PlannedOrder["fate"] {
  const of100 = dice.below(100);
  if (of100 < 8) return "first line returned";
  if (of100 < 12) return "returned";
  return of100 < 15 ? "cancelled" : "kept";
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
