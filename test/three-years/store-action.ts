/** What happens in the store, each at a time of its clock: sent to the service and to the model alike. Money is yen. */
export type StoreAction = { readonly at: Temporal.Instant; readonly shopper: string } & ActionContent;

export type ActionContent =
  | { readonly kind: "join"; readonly birthday?: string; readonly accepts?: boolean; readonly isSignup?: boolean }
  | { readonly kind: "consent"; readonly accepts: boolean }
  | { readonly kind: "birthday"; readonly birthday: string }
  | { readonly kind: "order"; readonly order: OrderSpec }
  | { readonly kind: "pay"; readonly orderId: string }
  | ({ readonly kind: "ship"; readonly orderId: string } & ShipmentSpec)
  | { readonly kind: "unship"; readonly orderId: string; readonly shipmentId: string }
  | ({ readonly kind: "refund"; readonly orderId: string } & RefundSpec)
  | { readonly kind: "cancel"; readonly orderId: string }
  | { readonly kind: "give"; readonly points: bigint }
  | { readonly kind: "set"; readonly balance: bigint }
  | { readonly kind: "flow"; readonly runId: string; readonly points: bigint; readonly extends: boolean }
  | { readonly kind: "issue"; readonly coupon: string; readonly points: bigint }
  | { readonly kind: "drop"; readonly coupon: string }
  | { readonly kind: "place"; readonly tier?: number; readonly minimum?: number | null; readonly skips?: boolean };

export interface OrderSpec {
  readonly id: string;
  /** Absent: now. */
  readonly processedAt?: Temporal.Instant;
  /** Paid at once when absent. */
  readonly isPending?: boolean;
  readonly lines: readonly LineSpec[];
  /** The name of the coupon whose code takes `off` from the lines. */
  readonly coupon?: string;
}

export interface LineSpec {
  readonly id: string;
  readonly goods: "tea" | "bonus" | "excluded" | "gift" | "tip";
  readonly price: bigint;
  readonly quantity: bigint;
  readonly off: bigint;
}

export interface ShipmentSpec {
  readonly shipmentId: string;
  /** All units of these ship. */
  readonly lines: readonly LineSpec[];
  /** Absent: now. */
  readonly shippedAt?: Temporal.Instant;
}

export interface RefundSpec {
  readonly refundId: string;
  /** Units of lines, at what was paid for them. */
  readonly units: readonly { readonly line: LineSpec; readonly count: bigint }[];
  /** Money beyond the units'; only of orders that are all tea. */
  readonly more?: bigint;
  readonly shipping?: bigint;
  /** Whether the units never shipped, and never will. */
  readonly isUnshipped?: boolean;
}

export function line(id: string, price: number, more: Partial<Omit<LineSpec, "id" | "price">> = {}): LineSpec {
  return { id, price: BigInt(price), goods: "tea", quantity: 1n, off: 0n, ...more };
}

/** What was paid for one unit: prices here divide evenly. */
export function unitPaid({ price, quantity, off }: LineSpec): bigint {
  return (price * quantity - off) / quantity;
}
