import { afterAll, beforeAll, expect, test } from "vitest";
import { issueCoupon } from "../../../src/coupons/issue-coupon.ts";
import { findCustomer } from "../../../src/customers/find-customer.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { API, explain, ledgerOf, yen } from "../../support/explain.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

let service: IntakeService;
beforeAll(async () => {
  service = await startIntakeService({
    now: "2026-03-01T00:00:00Z",
    program: { store: { currency: "JPY" }, expiration: { delay_months: 12 }, rewards: { marketing_opt_in: 50 } },
  });
});
afterAll(() => service.stop());

async function accountOf(id: string, query = "") {
  const { status, body } = await service.client.get(`${API}/point_balances/${id}/explanation?${query}`);
  expect(status).toBe(200);
  return body.data;
}

/** Checks an account against the list of allotments. */
async function expectAddsUp(id: string, query = ""): Promise<void> {
  const data = await accountOf(id, query);
  const lines: { points: number; given: number; taken: number }[] = data.account.lines;
  const moved = lines.reduce((total, line) => total + line.points, 0);
  expect(data.opening + moved).toBe(data.ledger_points);
  expect(data.ledger_points - data.held_points - data.due_points).toBe(data.point_balance.point_balance);
  const expiring: { points: number }[] = data.account.expiries;
  const later = Number(data.account.later);
  expect(expiring.reduce((total, one) => total + one.points, later)).toBe(data.ledger_points - data.due_points);
  if (query === "") {
    const values = (await ledgerOf(service.client, id)).map((row: { point_value: number }) => row.point_value);
    expect(moved).toBe(values.reduce((total: number, value: number) => total + value, 0));
    const given = values.filter((value: number) => value > 0).reduce((a: number, b: number) => a + b, 0);
    expect(lines.reduce((total, line) => total + line.given, 0)).toBe(given);
  }
}

async function send(...events: object[]): Promise<void> {
  service.clock.advance({ minutes: 1 });
  expect((await service.client.post("/intake/events", events)).status).toBe(202);
  await service.drain();
}

async function sell(orderId: string, price: number): Promise<void> {
  const lines = [{ line_id: "a", title: "Tea bowl", quantity: 1, unit_price: yen(price) }];
  const fulfillment = { fulfillment_id: `f-${orderId}`, lines: [{ line_id: "a", quantity: 1 }] };
  const facts = { order_id: orderId, order_name: `#${orderId}`, customer_id: "hana", taxes_included: true, lines };
  await send(
    { type: "OrderPaid", payload: { ...facts, shop_currency: "JPY" } },
    { type: "OrderFulfilled", payload: { order_id: orderId, fulfillment } },
  );
}

const give = (point_value: number, more: object = {}) =>
  service.client.post(`${API}/point_allotments`, { customer_id: "hana", point_value, ...more });

/** As an application for reviews does, with a credential of its name. */
async function postReview(pointValue: bigint): Promise<void> {
  const { db, random } = service.deps;
  const customer = await findCustomer(db, "hana");
  const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
  const posting = { ...plainPosting(random.uid(), "api", "Review app", change), reasonType: "reward" as const };
  await db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
}

test("a life is told by what the customer did, and adds up after each step", async () => {
  await service.client.put(`${API}/customers/hana`, { name: "Hana" });
  await sell("7001", 20_000);
  await sell("7002", 10_000);
  await expectAddsUp("hana");
  await postReview(50n);
  await give(30, { reason: { type: "compensation", note: "late" } });
  await service.deps.db.tx((tx) =>
    issueCoupon(tx, service.deps, { customer: "hana", pointValue: 120n, productIds: null, appReference: "shop" }),
  );
  await send({ type: "OrderCancelled", payload: { order_id: "7002", cancelled_at: "2026-03-01T00:05:00Z" } });
  await expectAddsUp("hana");
  const { words, account } = await accountOf("hana");
  expect(account.orders).toBe(2);
  expect(words.slice(1, -2)).toEqual([
    "You began with 0.",
    "2 orders gave 300 points.",
    "Refunds and cancellations took 100 back.",
    "You got 50 for 1 review.",
    "You used 120 in 1 coupon.",
    "The store gave you 30 as compensation.",
    "Together that is 160.",
  ]);
  expect(words.at(-2)).toBe("The 160 points expire on 2 Mar 2027.");
  const ja = (await accountOf("hana", "language=ja")).words;
  expect(ja).toHaveLength(words.length);
  expect(ja.at(-2)).toBe("160 ポイントの有効期限は 2027/03/02 です。");
  const [lot] = (await accountOf("hana")).lots;
  expect(lot).toMatchObject({ order_name: "#7001", line_title: "Tea bowl" });
});

test("a period adds up from what there was at its start", async () => {
  service.clock.set("2026-05-01T00:00:00Z");
  await sell("7003", 5_000);
  await give(-10);
  await expectAddsUp("hana", "since=2026-04-01");
  const { opening, account } = await accountOf("hana", "since=2026-04-01");
  expect([opening, account.orders]).toEqual([160, 1]);
});

test("one point is a point, and a coupon that came back in two parts is not two coupons", async () => {
  await service.client.put(`${API}/customers/mini`, {});
  const customer = await findCustomer(service.deps.db, "mini");
  const post = (type: "api" | "coupon_reimbursement", pointValue: bigint, more: object = {}) => {
    const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
    const posting = { ...plainPosting(service.deps.random.uid(), type, "shop", change), ...more };
    return service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
  };
  await post("api", 1n);
  const [one, , , expiry] = (await accountOf("mini")).words;
  expect([one, expiry]).toEqual([
    expect.stringMatching(/you can use 1 point\.$/),
    expect.stringMatching(/^The 1 point expires on /),
  ]);
  await post("api", 99n);
  await post("api", -100n, { object: "coupon-1" });
  await post("coupon_reimbursement", 30n, { object: "coupon-1" });
  await post("coupon_reimbursement", 10n, { object: "coupon-1" });
  await expectAddsUp("mini");
  const { words } = await accountOf("mini");
  expect(words).toEqual(expect.arrayContaining(["40 of what you used in coupons came back."]));
});

test("a reward is named, in both languages", async () => {
  await send({ type: "CustomerUpserted", payload: { customer_id: "mail", accepts_marketing: true } });
  const [row] = await ledgerOf(service.client, "mail");
  expect((await explain(service.client, row.uid)).words).toContain("Reward: newsletter.");
  const path = `${API}/point_allotments/uid/${row.uid}/explanation?language=ja`;
  expect((await service.client.get(path)).body.data.words).toContain("特典: メルマガ登録。");
});

test("a history of thousands adds up over kept sums, and no longer counts its orders", async () => {
  await service.client.put(`${API}/customers/long`, {});
  const customer = await findCustomer(service.deps.db, "long");
  const values = Array.from({ length: 5_200 }, (_, n) => BigInt(n % 7 === 0 && n > 0 ? -3 : 1 + (n % 4)));
  for (let done = 0; done < values.length; done += 1_000) {
    const postings = values.slice(done, done + 1_000).map((pointValue, n) => {
      const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
      const type = n % 3 === 0 ? "flow" : "api";
      return { customer, posting: plainPosting(service.deps.random.uid(), type, "bench", change) };
    });
    await service.deps.db.tx((tx) => postAllotments(tx, service.deps, postings));
  }
  const total = Number(values.reduce((sum, value) => sum + value, 0n));
  const first = await accountOf("long");
  expect(first.ledger_points).toBe(total);
  expect(first.account.orders).toBeNull();
  const kept = "select count(distinct block) as blocks from account_block where customer_uid = $1";
  expect(await service.database.owner.query(kept, [customer.customerUid])).toEqual([{ blocks: 5n }]);
  const again = await accountOf("long");
  expect(again.account).toEqual(first.account);
  const lines: { points: number; count: number }[] = again.account.lines;
  expect(lines.reduce((sum, line) => sum + line.points, 0)).toBe(total);
  expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(5_200);
  expect(again.lot_count).toBeGreaterThan(again.lots.length);
  const everything = new Intl.NumberFormat("en").format(total);
  expect(again.words.at(-2)).toMatch(new RegExp(`^The ${everything} points expire on `));
  await give(7, { customer_id: "long", expires_at: "2040-01-01" });
  const withLater = await accountOf("long");
  const [soon, late] = withLater.account.expiries;
  expect([soon.points, late.points, Number(withLater.account.later)]).toEqual([total, 7, 0]);
});
