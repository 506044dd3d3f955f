import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

test("a month that begins or ends outside the years of the database is refused wherever a month is given", async () => {
  const lists = [
    (month: string) => `/growth/moves?direction=up&month=${month}`,
    (month: string) => `/results/benefits/list?kind=coupon&month=${month}`,
    (month: string) => `/results/benefits/list.csv?kind=coupon&month=${month}`,
    (month: string) => `/liability/movements?kind=redeemed&month=${month}`,
    (month: string) => `/liability/movements?kind=redeemed&month=2026-03&cohort=${month}`,
    (month: string) => `/liability/movements?kind=redeemed&month=2026-03&cause=${month}`,
  ];
  const conditions = ["joined_month", "first_ordered_month", "lapsed_month"];
  for (const [month, status] of [
    ["0000-01", 422],
    ["9999-12", 422],
    ["1000-01", 200],
    ["8999-12", 200],
  ] as const) {
    for (const list of lists)
      expect([list(month), (await manager.get(list(month))).status]).toEqual([list(month), status]);
    for (const condition of conditions) {
      const answer = await manager.post("/segments/preview", { filter: { [condition]: month } });
      expect([condition, month, answer.status]).toEqual([condition, month, status]);
    }
    const movements = await service.client.get(
      `/api/storefront/reports/liability/movements?kind=redeemed&month=${month}`,
    );
    expect([month, movements.status]).toEqual([month, status]);
  }
});
