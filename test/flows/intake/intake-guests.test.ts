import { afterAll, beforeAll, expect, test } from "vitest";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

// Some shops enter one address for all guests, for example those of a marketplace: their orders wait under it, more every day.

const WAITING = 300;
const AT = "2026-03-01T00:00:00Z";

let service: IntakeService;
beforeAll(async () => {
  service = await startIntakeService({ now: AT, program: { store: { currency: "JPY" } } });
});
afterAll(() => service.stop());

/** Creates orders that wait under an e-mail. */
async function makeWaiting(email: string): Promise<void> {
  await send("OrderPaid", { ...order(`${email}-0`, email) });
  await service.owner.execute(
    `insert into store_order (order_id, platform, email, facts, rules, rules_for, received_at)
select order_id || n, platform, email, facts, rules, rules_for, received_at
from store_order
cross join generate_series(1, ${WAITING}) n
where email = $1`,
    [email],
  );
}

function order(orderId: string, email: string): object {
  const lines = [{ line_id: "a", quantity: 1, unit_price: { minor: 1_000, currency: "JPY" } }];
  return { order_id: orderId, customer_id: null, email, processed_at: AT, paid_at: AT, shop_currency: "JPY", lines };
}

async function send(type: string, payload: object): Promise<void> {
  const { status, text } = await service.client.post("/intake/events", { type, occurred_at: AT, payload });
  expect(status, text).toBe(202);
  await service.drain();
  expect(await service.deps.db.query("select from receipt where state <> 'done'")).toEqual([]);
}

/** The row versions of the orders that wait under an e-mail, and who locked them last. */
function versionsOf(email: string) {
  return service.deps.db.query(
    "select order_id, xmin::text as made, xmax::text as locked from store_order where email = $1 and customer_uid is null and order_id <> 'next' order by 1",
    [email],
  );
}

test("a guest's order locks no other order that waits under its e-mail", async () => {
  const email = "marketplace@example.com";
  await makeWaiting(email);
  const before = await versionsOf(email);
  await send("OrderPaid", order("next", email));
  expect(before).toHaveLength(WAITING + 1);
  expect(await versionsOf(email)).toEqual(before);
});

test("a customer who shares an e-mail with another one leaves the orders that wait under it alone", async () => {
  const email = "shared@example.com";
  for (const id of ["one", "two"]) await service.client.put(`/api/storefront/customers/${id}`, { email });
  await makeWaiting(email);
  const before = await versionsOf(email);
  await send("CustomerUpserted", { customer_id: "one", email, name: "One" });
  expect(before).toHaveLength(WAITING + 1);
  expect(await versionsOf(email)).toEqual(before);
});

test("a customer who alone has an e-mail is given all orders that wait under it", async () => {
  const email = "alone@example.com";
  await makeWaiting(email);
  await send("CustomerUpserted", { customer_id: "three", email });
  const waiting = "select from store_order where email = $1 and customer_uid is null";
  expect(await service.deps.db.query(waiting, [email])).toEqual([]);
});
