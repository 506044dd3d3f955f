import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { signIn } from "../support/staff.ts";

const TIERS = ["Bronze", "Silver"].map((name, n) => ({
  name,
  currency_spent_requirement: 1_000 * n,
  point_value: 1,
  currency_value: 100,
}));

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, program: { tiers: { rules: TIERS } } });
});
afterAll(() => service.stop());

test("the customers by tier of a large store are those of the last count, a small one's are counted", async () => {
  const viewer = await signIn(service, "viewer");
  const read = async () => (await viewer.get("/program/tier-members")).body.data;
  const [{ uid: bronze }, { uid: silver }] = await read();
  const count = (customers: number, tiers: object) =>
    service.deps.db.execute(
      `insert into figure_count (counted_at, customers, tiers)
      values ($1, $2, $3::text::jsonb)
      on conflict (one) do update
      set customers = excluded.customers, tiers = excluded.tiers`,
      [service.clock.now(), customers, JSON.stringify(tiers)],
    );
  await count(9_999, { "": 9_000, [silver]: 999 });
  expect(await read()).toEqual([
    { uid: bronze, customers: 0 },
    { uid: silver, customers: 0 },
  ]);
  const removed = "00000000-0000-7000-8000-000000000001";
  await count(20_000, { "": 12_000, [silver]: 5_000, [bronze]: 2_000, [removed]: 1_000 });
  expect(await read()).toEqual([
    { uid: bronze, customers: 15_000 },
    { uid: silver, customers: 5_000 },
  ]);
});
