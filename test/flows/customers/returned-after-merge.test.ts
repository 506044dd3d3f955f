import { afterAll, beforeAll, expect, test } from "vitest";
import { adjustPoints } from "../../../src/adjustments/adjust-points.ts";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import { selectJoinedSince } from "../../../src/ledger/merge/merge-queries.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

// A merge of a customer who has no points at that moment writes no allotment to the survivor.

const STAFF = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z", worker: false });
  // a database may sort like that: it ignores the slashes of natural keys
  await service.owner.execute("create collation slashless (provider = icu, locale = 'und-u-ka-shifted')");
  await service.owner.execute("alter table allotment alter source_key type text collate slashless");
});
afterAll(() => service.stop());

async function expectSound(): Promise<void> {
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line));
  expect(lines.filter((line) => line.includes("FAIL"))).toEqual([]);
}

test("points of a coupon come back to the survivor, and to the survivor's survivor, with their dates", async () => {
  const { deps, client, clock } = service;
  for (const storefrontId of ["spent", "kept", "last"]) await makeCustomer(deps, { storefrontId });
  const codes: string[] = [];
  const lots = [
    { customer_id: "spent", point_value: 100, expires_at: "2027-03-01T00:00:00Z" },
    { customer_id: "spent", point_value: 50 },
  ];
  for (const lot of lots) {
    expect((await client.post("/api/storefront/point_allotments", lot)).status).toBe(200);
    const { point_value } = lot;
    const coupon = await client.post("/api/storefront/coupons", { customer_id: "spent", point_value });
    expect(coupon.status, coupon.text).toBe(200);
    codes.push(coupon.body.data.code);
    clock.advance({ hours: 1 });
  }
  await mergeInto(deps, "spent", "kept");
  for (const code of codes) {
    clock.advance({ hours: 1 });
    expect((await client.delete(`/api/storefront/coupons/${code}`)).status).toBe(200);
    await expectSound();
  }
  expect((await client.get("/api/storefront/point_balances/kept")).body.data.point_balance).toBe(150);
  clock.advance({ hours: 1 });
  await mergeInto(deps, "kept", "last");
  await expectSound();
});

test.each(["carried by the merge", "returned later"])(
  "points of a node whose clock was ahead come to the survivor no sooner than they began: %s",
  async (how) => {
    const { deps, clock } = service;
    const [removed, kept] = [await makeCustomer(deps), await makeCustomer(deps)];
    const ahead = { ...deps, clock: { now: () => clock.now().add({ hours: 1 }) } };
    const adjust = async (
      of: typeof deps,
      customer: typeof kept,
      change: { pointValue: number } | { undo: string },
    ) => {
      const wanted = { requestUid: deps.random.uid(), ...change };
      const { made } = await adjustPoints(of, customer.storefrontId, wanted, STAFF);
      if (made.kind !== "posted") throw new Error(made.kind);
      return made.allotmentUid;
    };
    await adjust(ahead, removed, { pointValue: 30 });
    const taken = how === "returned later" ? await adjust(ahead, removed, { pointValue: -30 }) : null;
    await mergeInto(deps, removed.storefrontId, kept.storefrontId);
    if (taken !== null) await adjust(deps, kept, { undo: taken });
    await expectSound();
  },
);

test("what a merge brought, and what holds captured, is found though the database ignores the slashes of keys", async () => {
  const { deps, client, clock, owner } = service;
  const [removed, kept] = [await makeCustomer(deps), await makeCustomer(deps)];
  const post = async (path: string, body: object) => {
    const { status, body: answer, text } = await client.post(`/api/storefront/${path}`, body);
    expect(status, text).toBe(200);
    return answer.data;
  };
  await post("point_allotments", { customer_id: removed.storefrontId, point_value: 100 });
  const hold = await post("reservations", { customer_id: removed.storefrontId, point_value: 20, ttl_seconds: 60 });
  await post(`reservations/${hold.id}/capture`, {});
  await deps.db.tx((tx) => deleteCustomer(tx, deps, removed.storefrontId, "test"));
  clock.advance({ hours: 1 });
  await mergeInto(deps, removed.storefrontId, kept.storefrontId); // undoes the deletion
  expect(await owner.query("select 'hold/1' > 'hold0' collate slashless as \"isAfter\"")).toEqual([{ isAfter: true }]);
  expect(await selectJoinedSince(deps.db, [kept], clock.now())).toEqual(new Set([kept.customerUid]));
  await expectSound();
});
