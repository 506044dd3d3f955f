import { expireCoupons } from "../../src/coupons/expire-coupons.ts";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import { assignGuestOrders } from "../../src/orders/assign-guest-orders.ts";
import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import { ORDER_CHECKS } from "../../src/orders/order-checks.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { TIER_CHECKS } from "../../src/tiers/tier-checks.ts";
import { startTestService, type TestService, type TestServiceOptions } from "./service.ts";

/** A yen store: 1 point per 100 yen, rounded up, awarded when paid and shipped. */
export const YEN_STORE = { store: { name: "Tea", currency: "JPY", time_zone: "Asia/Tokyo" } };

export interface OrderPoints {
  readonly awardable_points: number;
  readonly points_awarded: number;
  readonly points_redeemed: number;
}

export interface OrderFlow extends TestService {
  /** Applies events in order, each in a separate transaction; those that have to wait are applied again at the end. */
  take(...events: readonly OrderEvent[]): Promise<void>;
  order(id: string): Promise<OrderPoints | undefined>;
  balance(customerId: string): Promise<number>;
  /** What an order counts toward tiers. */
  spend(orderId: string): Promise<bigint | null>;
  /** Gives or takes points through the interface. */
  give(customerId: string, points: number): Promise<void>;
  customer(storefrontId: string, more?: { email?: string; tags?: string[] }): Promise<void>;
  /** Adds an e-mail to a customer, so that guests' orders are assigned to them. */
  assignGuestOrders(storefrontId: string, email: string): Promise<void>;
  /** Deletes a customer like the platform. */
  remove(storefrontId: string): Promise<void>;
  program(document: object): Promise<void>;
  /** Types and points of a customer's allotments, oldest first. */
  ledger(customerId: string): Promise<readonly (readonly [type: string, points: number])[]>;
  coupon(customerId: string, points: number): Promise<{ id: string; code: string; points_reimbursed: number }>;
  expire(): Promise<void>;
  /** The lines of `verify` that report a fault. */
  faults(): Promise<string[]>;
}

/** Starts a service without background work, whose orders come from the test. */
export async function startOrderFlow(options: TestServiceOptions = {}): Promise<OrderFlow> {
  const service = await startTestService({
    worker: false,
    now: "2026-03-01T00:00:00Z",
    ...options,
    program: { ...YEN_STORE, ...options.program },
  });
  const { deps, client } = service;
  const apply = (event: OrderEvent) => deps.db.tx((tx) => applyOrderEvent(tx, deps, event));
  return {
    ...service,
    async take(...events) {
      const waiting: OrderEvent[] = [];
      for (const event of events) if ((await apply(event)) === "waiting") waiting.push(event);
      for (const event of waiting) await apply(event);
    },
    order: async (id) => (await client.get(`/api/storefront/orders?ids=${id}`)).body.data[id],
    balance: async (id) => (await client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance,
    async spend(orderId) {
      const rows = await deps.db.query<{ minor: bigint }>(
        "select spend_minor as minor from order_spend where order_id = $1",
        [orderId],
      );
      return rows[0]?.minor ?? null;
    },
    async give(customerId, points) {
      await client.post("/api/storefront/point_allotments", { customer_id: customerId, point_value: points });
    },
    async customer(storefrontId, more = {}) {
      await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId, ...more }));
    },
    async assignGuestOrders(storefrontId, email) {
      await deps.db.tx(async (tx) => {
        const { customer } = await upsertCustomer(tx, deps, { storefrontId, email });
        await assignGuestOrders(tx, deps, customer);
      });
    },
    async remove(storefrontId) {
      await deps.db.tx((tx) => deleteCustomer(tx, deps, storefrontId, "test"));
    },
    async program(document) {
      await applyProgram(deps, { document, author: "test", isDryRun: false });
    },
    async ledger(customerId) {
      const { body } = await client.get(`/api/storefront/point_allotments/${customerId}`);
      return body.data.map((row: { type: string; point_value: number }) => [row.type, row.point_value]);
    },
    coupon: async (customerId, points) =>
      (await client.post("/api/storefront/coupons", { customer_id: customerId, point_value: points })).body.data,
    expire: async () => void (await expireCoupons(deps)),
    async faults() {
      const lines: string[] = [];
      await verifyLedger(deps.db, (line) => lines.push(line), [...ORDER_CHECKS, ...TIER_CHECKS]);
      return lines.filter((line) => line.startsWith("FAIL"));
    },
  };
}

/** The same events for another order and customer, with other fulfilments and refunds. */
export function ofOrder(orderId: string, customerId: string | null, events: readonly OrderEvent[]): OrderEvent[] {
  return events.map((event): OrderEvent => {
    const fulfillmentOf = <T extends { readonly fulfillmentId: string }>(fact: T) => ({
      ...fact,
      fulfillmentId: `${orderId}-${fact.fulfillmentId}`,
    });
    const refundOf = <T extends { readonly refundId: string }>(fact: T) => ({
      ...fact,
      refundId: `${orderId}-${fact.refundId}`,
    });
    switch (event.type) {
      case "OrderFulfilled":
        return { ...event, payload: { orderId, fulfillment: fulfillmentOf(event.payload.fulfillment) } };
      case "OrderRefunded":
        return { ...event, payload: { orderId, refund: refundOf(event.payload.refund) } };
      case "OrderCancelled":
        return { ...event, payload: { ...event.payload, orderId } };
      case "CouponUsed":
        return { ...event, payload: { ...event.payload, orderId } };
      default: {
        const { payload } = event;
        const fulfillments = payload.fulfillments.map(fulfillmentOf);
        return {
          ...event,
          payload: { ...payload, orderId, customerId, fulfillments, refunds: payload.refunds.map(refundOf) },
        };
      }
    }
  });
}
