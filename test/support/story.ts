import type { Client } from "./client.ts";
import { startTestService, type TestService } from "./service.ts";

/** A store under the sandbox clock that receives customers and orders like from a platform or script: through `POST /intake/events`. */
export interface StoryService extends TestService {
  readonly client: Client;
  /** A complete year in the future. */
  readonly firstYear: number;
  goTo(instant: string): Promise<void>;
  /** `<id>@example.com`; `more` are fields of the payload. */
  customer(id: string, more?: object): Promise<void>;
  /** Moves the clock to an instant at which an order is placed, paid and shipped; minor units, one line of a product. */
  order(customerId: string, instant: string, minor: number, productId?: string): Promise<string>;
  send(type: string, occurredAt: string, payload: object): Promise<void>;
  balance(customerId: string): Promise<number>;
  allotments(customerId: string): Promise<readonly Record<string, unknown>[]>;
}

export async function startStory(program: object): Promise<StoryService> {
  const service = await startTestService({ worker: false, config: { sandbox: true }, program });
  const { client } = service;
  const { body } = await client.get("/sandbox/clock");
  const firstYear = Number(String(body.now).slice(0, 4)) + 1;
  let orders = 0;
  let now = String(body.now);

  async function goTo(instant: string): Promise<void> {
    now = Temporal.Instant.from(instant).toString();
    const answer = await client.put("/sandbox/clock", { now });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  async function send(type: string, occurredAt: string, payload: object): Promise<void> {
    const answer = await client.post("/intake/events", { type, occurred_at: occurredAt, payload });
    if (answer.status >= 300) throw new Error(answer.text);
    await goTo(now); // processes what was sent
  }

  return {
    ...service,
    firstYear,
    goTo,
    send,
    customer: (id, more = {}) =>
      send("CustomerUpserted", now, { customer_id: id, email: `${id}@example.com`, ...more }),
    async order(customerId, instant, minor, productId) {
      await goTo(instant);
      const at = now;
      const id = `story-${++orders}`;
      await send("OrderPaid", at, shippedOrder({ id, at, customerId, minor, productId }));
      return id;
    },
    balance: async (id) => (await client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance,
    allotments: async (id) => (await client.get(`/api/storefront/point_allotments/${id}`)).body.data,
  };
}

interface ShippedOrder {
  readonly id: string;
  readonly at: string;
  readonly customerId: string;
  readonly minor: number;
  readonly productId: string | undefined;
}

function shippedOrder({ id, at, customerId, minor, productId }: ShippedOrder): object {
  const line = { line_id: `${id}-1`, quantity: 1, unit_price: { minor, currency: "JPY" } };
  return {
    order_id: id,
    customer_id: customerId,
    processed_at: at,
    paid_at: at,
    financial_status: "paid",
    shop_currency: "JPY",
    taxes_included: true,
    lines: [productId === undefined ? line : { ...line, product_id: productId }],
    fulfillments: [
      {
        fulfillment_id: `${id}-f`,
        status: "success",
        created_at: at,
        updated_at: at,
        lines: [{ line_id: `${id}-1`, quantity: 1 }],
      },
    ],
  };
}
