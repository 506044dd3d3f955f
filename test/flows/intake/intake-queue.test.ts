import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { orderPaid } from "../../support/order-wires.ts";

const REQUESTS = 40;

let service: IntakeService;

beforeAll(async () => {
  service = await startIntakeService({ program: { store: { currency: "JPY" } }, log: () => {} });
});
afterAll(() => service.stop());
afterEach(() => service.owner.execute("delete from receipt"));

const numbers = Array.from({ length: REQUESTS }, (_, n) => n);
const keyOf = (n: number) => `OrderPaid-Q-${n}-1`;

function post(n: number) {
  return service.client.post("/intake/events", [orderPaid(`Q-${n}`, `C-${n}`, 1), orderPaid(`R-${n}`, `C-${n}`, 1)]);
}

test("requests that come at the same time share transactions, and each hears of its own events", async () => {
  const answers = await Promise.all(numbers.map(post));
  for (const [n, { status, body }] of answers.entries()) {
    expect([status, body.data]).toEqual([
      202,
      [
        { delivery_key: keyOf(n), status: "new" },
        { delivery_key: `OrderPaid-R-${n}-1`, status: "new" },
      ],
    ]);
  }
  const [stored] = await service.deps.db.query<{ receipts: number; transactions: number }>(
    "select count(*)::int as receipts, count(distinct xmin::text)::int as transactions from receipt",
  );
  expect(stored?.receipts).toBe(2 * REQUESTS);
  expect(stored?.transactions).toBeLessThan(REQUESTS);
});

test("one event, and one delivery, sent many times at once are stored once", async () => {
  await service.client.post("/intake/events", [orderPaid("Q-0", "C-0", 1), orderPaid("R-0", "C-0", 1)]);
  await service.drain();
  const answers = await Promise.all(numbers.map((n) => post(n % 2)));
  const statuses = answers.map(({ body }) => body.data[0].status);
  expect(statuses).toEqual(numbers.map((n) => (n % 2 === 0 ? "done" : "new")));
  const body = JSON.stringify({ id: 1 });
  const delivered = await Promise.all(numbers.map(() => service.deliver("shop/update", body)));
  expect(delivered.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  expect(await service.receipts()).toHaveLength(5);
});

test("a request whose receipts cannot be stored fails alone", async () => {
  await service.owner.execute(
    `create function refuse() returns trigger language plpgsql
     as $$ begin if new.delivery_key = '${keyOf(7)}' then raise 'not this one'; end if; return new; end $$`,
  );
  await service.owner.execute(
    "create trigger refusing before insert on receipt for each row execute function refuse()",
  );
  const answers = await Promise.all(numbers.map(post));
  await service.owner.execute("drop trigger refusing on receipt");
  expect(answers.map(({ status }) => status)).toEqual(numbers.map((n) => (n === 7 ? 500 : 202)));
  expect(await service.receipts()).toHaveLength(2 * (REQUESTS - 1));
});
