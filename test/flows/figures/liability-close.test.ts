import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRef } from "../../../src/ledger/customer-ref.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { type Change, plainPosting } from "../../../src/ledger/posting.ts";
import { aggregateLiabilityAll } from "../../support/aggregate-liability-all.ts";
import { type OrderFlow, startOrderFlow } from "../../support/order-flow.ts";
import { sale } from "../../support/order-sale.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";

// KPMG's example: goods for 100,000 with 10,000 points, which make 9,000 of the price.
let flow: OrderFlow;
let manager: AdminClient;

beforeAll(async () => {
  flow = await startOrderFlow({
    now: "2026-03-10T00:00:00Z",
    program: { earning: { point_value: 1, currency_value: 10 }, expiration: { delay_months: 24 } },
  });
  await flow.customer("anna");
  manager = await signIn(flow, "manager");
});
afterAll(() => flow.stop());

async function goTo(date: string): Promise<void> {
  const now = flow.deps.clock.now();
  const to = Temporal.Instant.from(date);
  flow.clock.advance({ milliseconds: to.epochMilliseconds - now.epochMilliseconds });
  manager = await signIn(flow, "manager");
  await aggregateLiabilityAll(flow);
}

async function report(month: string) {
  const { status, body } = await flow.client.get(`/api/storefront/reports/liability?month=${month}`);
  expect(status).toBe(200);
  return body.data;
}

const close = (month: string) => manager.post("/liability/close", { month });

describe("KPMG's example through the service", () => {
  test("the price of the goods and points is shared by relative stand-alone price", async () => {
    await flow.take(...sale("1", "anna", 100_000));
    expect(await flow.balance("anna")).toBe(10_000);
    await aggregateLiabilityAll(flow);
    expect((await report("2026-03")).revenue).toBeNull();
    const later = await flow.client.get("/api/storefront/reports/liability?month=2027-03");
    expect([later.status, later.body.errors[0].source]).toEqual([422, { parameter: "month" }]);
    const body = { month: "2026-03", redemption: "97", point_price: "0.989011" };
    expect((await manager.put("/liability/estimate", body)).status).toBe(200);
    const march = await report("2026-03");
    expect(march.total).toMatchObject({ opening: 0, issued: 10_000, closing: 10_000 });
    expect(march.origins).toMatchObject([{ origin: "sale", issued: 10_000 }]);
    expect(march.revenue.total).toMatchObject({ opening: "0", additions: "9000", closing: "9000" });
    // what was paid is shown, so that anybody can compute the additions: 100,000 x 9,890.11 / (100,000 + 9,890.11)
    expect(march.revenue.total.sales).toBe("100000");
    expect(march.revenue.cohorts).toMatchObject([{ month: "2026-03", sales: "100000" }]);
  });

  test("4,500 points redeemed of 9,700 expected are 4,175", async () => {
    await goTo("2027-05-10T00:00:00Z");
    await flow.give("anna", -4_500);
    await aggregateLiabilityAll(flow);
    const may = await report("2027-05");
    expect(may.revenue.total).toMatchObject({ opening: "9000", redemption: "4050", breakage: "125", closing: "4825" });
    expect(may.revenue.cohorts).toMatchObject([
      { month: "2026-03", sales: "0", allocated: "9000", recognised: "4175" },
    ]);
  });

  test("8,500 of 9,900 expected are 3,552 more; what is closed stays as it was", async () => {
    await goTo("2028-02-10T00:00:00Z");
    expect((await close("2027-12")).status).toBe(200);
    const may = await report("2027-05");
    const body = { month: "2028-02", redemption: "99", point_price: "0.989011" };
    expect((await manager.put("/liability/estimate", body)).status).toBe(200);
    await flow.give("anna", -4_000);
    await aggregateLiabilityAll(flow);
    const { revenue } = await report("2028-02");
    expect(revenue.total).toMatchObject({ redemption: "3600", breakage: "112", reestimate: "-160", closing: "1273" });
    expect(revenue.cohorts).toMatchObject([{ recognised: "7727" }]);
    expect({ ...(await report("2027-05")), ...sameAnyTime(may) }).toEqual(may);
  });

  test("each journal entry has a debit and a credit, which are the report's lines", async () => {
    const { status, text, headers } = await flow.client.get("/api/storefront/reports/liability/journal?month=2028-02");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toContain("liability-2028-02.csv");
    const [head, ...lines] = text.trim().split("\r\n");
    expect(head).toBe("date,account,debit,credit,currency,description,reference,status");
    expect(lines).toContain(
      '2028-02-29,Deferred revenue: loyalty points,3600,,JPY,"Points redeemed, issued 2026-03",2028-02/2026-03/redemption,open',
    );
    const cells = lines.map((line: string) => line.split(","));
    const sum = (at: number) => cells.reduce((total: number, of: string[]) => total + Number(of[at]), 0);
    expect(sum(2)).toBe(3_600 + 112 + 160);
    expect(sum(3)).toBe(sum(2));
  });

  test("each figure of points leads to its allotments", async () => {
    const path = "/api/storefront/reports/liability/movements?month=2028-02&kind=redeemed&cohort=2026-03&origin=sale";
    const { body } = await flow.client.get(path);
    expect(body.data).toMatchObject([{ type: "api", storefront_id: "anna", points: 4_000 }]);
    expect(body.meta).toEqual({ next_cursor: null });
    const none = await flow.client.get(path.replace("cohort=2026-03", "cohort=2026-04"));
    expect(none.body.data).toEqual([]);
    const { status, body: refused } = await flow.client.get(path.replace("2026-03", "2026-13"));
    expect({ status, pointer: refused.errors[0].source }).toEqual({ status: 422, pointer: { parameter: "cohort" } });
  });
});

describe("a closed month", () => {
  test("is closed by who may, when it is over, and once", async () => {
    const support = await signIn(flow, "support");
    expect((await support.post("/liability/close", { month: "2028-01" })).status).toBe(403);
    expect((await close("2028-02")).body.errors[0].detail).toBe("expected a month that is over");
    expect((await close("2027-11")).body.errors[0].detail).toContain("after 2027-12");
    expect((await close("2028-01")).body.data).toEqual({ months: ["2028-01"] });
    const body = { month: "2028-01", redemption: "50", point_price: "1" };
    expect((await manager.put("/liability/estimate", body)).body.errors[0].source.pointer).toBe("/month");
  });

  test("does not take what comes late: the open month has it, by the name of the month it was for", async () => {
    const before = await report("2028-01");
    await flow.client.post("/api/storefront/point_allotments", {
      customer_id: "anna",
      point_value: 70,
      earned_at: "2028-01-20T00:00:00Z",
    });
    await aggregateLiabilityAll(flow);
    expect({ ...(await report("2028-01")), ...sameAnyTime(before) }).toEqual(before);
    const { late, total } = await report("2028-02");
    expect(late).toEqual([{ month: "2028-01", kind: "issued", points: 70, movements: 1 }]);
    expect(total.issued).toBe(70);
    const path = "/api/storefront/reports/liability/movements?month=2028-02&kind=issued";
    const rowsOf = async (cause: string) => (await flow.client.get(`${path}&cause=${cause}`)).body.data;
    expect(await rowsOf("2028-01")).toMatchObject([{ storefront_id: "anna", points: 70 }]);
    expect(await rowsOf("2028-02")).toEqual([]);
    const { body } = await flow.client.get(`${path}&cause=2028-00`);
    expect(body.errors[0].source).toEqual({ parameter: "cause" });
  });

  test("is kept by the database from whoever writes, and by its time zone", async () => {
    const write = "update liability_sum set points = points + 1 where month = 2028 * 12";
    const insert = `insert into liability_sum (month, cohort, origin, kind, cause_month, points, movements, money)
      values (2028 * 12, 1, 'sale', 'issued', 1, 1, 1, 0)`;
    await expect(flow.owner.execute(insert)).rejects.toThrow("is closed");
    await expect(flow.owner.execute(write.replace("2028 * 12", "2027 * 12 + 4"))).rejects.toThrow("is closed");
    const may = await report("2027-05");
    await flow.program({ store: { name: "Tea", currency: "JPY", time_zone: "America/New_York" } });
    await aggregateLiabilityAll(flow);
    expect({ ...(await report("2027-05")), ...sameAnyTime(may) }).toEqual(may);
    expect((await report("2028-02")).time_zone).toBe("Asia/Tokyo");
  });
});

describe("points of origin sale that no order awarded", () => {
  test("have no part in the price, when they are issued, used and returned", async () => {
    await goTo("2028-03-05T00:00:00Z");
    await flow.customer("ben");
    const given = { customer_id: "ben", point_value: 700, reason: { type: "fulfillment" } };
    expect((await flow.client.post("/api/storefront/point_allotments", given)).status).toBe(200);
    await flow.take(...sale("2", "ben", 100_000));
    const coupon = await flow.client.post("/api/storefront/coupons", { customer_id: "ben", point_value: 5_200 });
    await aggregateLiabilityAll(flow);
    const { revenue, origins } = await report("2028-03");
    expect(origins).toContainEqual(expect.objectContaining({ origin: "sale", issued: 10_700, redeemed: 5_200 }));
    expect(revenue.total).toMatchObject({ sales: "100000", unpriced: "700", additions: "9000", redemption: "4050" });
    expect(revenue.cohorts[0]).toMatchObject({ unpriced: "0" });
    await flow.client.delete(`/api/storefront/coupons/${coupon.body.data.code}`);
    await flow.give("ben", -400);
    await aggregateLiabilityAll(flow);
    const { total } = (await report("2028-03")).revenue;
    expect(total).toMatchObject({ unpriced: "700", additions: "9000", redemption: "0", closing: "10273" });
  });

  test("are deferred again where all of a month were corrected, the month was closed, and the correction is undone", async () => {
    const { deps } = flow;
    await goTo("2028-04-02T00:00:00Z");
    await flow.customer("cora");
    await flow.take(...sale("3", "cora", 100_000));
    const post = async (sourceKey: string, change: Change) => {
      const posting = { ...plainPosting(deps.random.uid(), "manual", "test", change), sourceKey };
      const [customer] = await deps.db.query<CustomerRef>(
        `select bucket, customer_uid as "customerUid" from customer where storefront_id = 'cora'`,
      );
      if (customer !== undefined) await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }]));
    };
    await post("correction", { kind: "add", pointValue: -10_000n, shortfall: "refuse" });
    await goTo("2028-05-02T00:00:00Z");
    expect((await close("2028-04")).status).toBe(200);
    expect((await report("2028-04")).revenue.total).toMatchObject({ additions: "9000", taken_back: "9000" });
    await post("undo/correction", { kind: "give_back", pointValue: 10_000n, ofVersion: 2n, skip: 0n });
    await aggregateLiabilityAll(flow);
    const { revenue } = await report("2028-05");
    expect(revenue.total).toMatchObject({ taken_back: "-9000" });
    expect(revenue.cohorts.at(-1)).toMatchObject({ month: "2028-04", allocated: "9000", closing: "9000" });
  });

  test("share it on where the version before closed a month of theirs; a month closes when all are told apart", async () => {
    await goTo("2028-06-02T00:00:00Z");
    const untold = "update liability_book set unpriced_zone = '', unpriced_at = '-infinity'";
    await flow.owner.execute(untold);
    expect((await close("2028-05")).body.errors[0].detail).toBe(
      "points without a price are told apart up to 2028-05-01: close the month when all of that month's are",
    );
    expect((await report("2028-05")).revenue.total.unpriced).toBeNull();
    expect((await report("2028-04")).revenue.total.unpriced).not.toBeNull();
    // June is being counted still
    await flow.owner.execute(
      "update liability_book set unpriced_zone = time_zone, unpriced_at = '2028-05-31T15:00:00Z'",
    );
    expect((await report("2028-06")).revenue.total.unpriced).toBeNull();
    const { revenue } = await report("2028-05");
    expect(revenue.total.unpriced).not.toBeNull();
    expect((await close("2028-05")).status).toBe(200);
    expect((await report("2028-05")).revenue).toEqual(revenue);
    await aggregateLiabilityAll(flow);
    expect((await report("2028-06")).revenue.total.unpriced).not.toBeNull();
    await flow.give("ben", -300);
    await aggregateLiabilityAll(flow);
    const redemption = async () => (await report("2028-06")).revenue.total.redemption;
    expect(await redemption()).toBe("0");
    await flow.owner.execute("alter table liability_deferral disable trigger liability_deferral_kept");
    await flow.owner.execute("update liability_deferral set is_apart = false");
    expect(await redemption()).toBe("270");
  });
});

/** What a report says of the present beside its month. */
function sameAnyTime({
  counted_to,
  last_month,
  closed_month,
  closed_at,
  closed_by,
  estimates,
}: Record<string, unknown>) {
  return { counted_to, last_month, closed_month, closed_at, closed_by, estimates };
}
