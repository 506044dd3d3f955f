import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDice } from "../../demo/season/dice.ts";
import type { CustomerRow } from "../../src/customers/customer.ts";
import type { AllotmentType } from "../../src/ledger/allotment-types.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { countStoreCustomers } from "../../src/metrics/count-store-customers.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const START = "2025-12-20T03:00:00Z";
const DAYS = 71; // up to the 1st of March

const rule = (name: string, requirement: number) => ({
  name,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
});

describe("a store in its second month", () => {
  let shop: Dashboard;
  beforeAll(async () => {
    shop = await startDashboard({
      now: START,
      worker: false,
      program: {
        store: { name: "茶房さくら" },
        tiers: { rules: [rule("ブロンズ", 0), rule("シルバー", 50_000), rule("ゴールド", 200_000)] },
      },
    });
    await fill(shop);
  });
  afterAll(() => shop?.stop());

  test("shows what moved, and each figure leads to the list behind it", async () => {
    const page = await shop.open({ role: "manager", path: "/" });
    await page.getByRole("heading", { name: "Points over time" }).waitFor();
    await page.locator("svg[data-plot]").first().waitFor();
    await shop.look(page, "home-en");
    const link = page.locator("dl a").nth(1);
    expect(await link.getAttribute("href")).toBe(
      "/admin/ledger?type=fulfillment%2Ctax%2Creward%2Capi%2Cflow&direction=earned&from=2026-01-31&to=2026-03-01",
    );
    const { body } = await (await shop.as("manager")).get("/home");
    expect(await link.textContent()).toBe(body.data.totals.issued.toLocaleString("en-GB"));
    expect(body.data.totals.issued).toBeGreaterThan(0);
    // What was given and taken in whatever way makes up the change of the points outstanding.
    for (const label of ["Returned from coupons", "Adjusted", "Customers with points activity"]) {
      await page.locator("dl").getByText(label, { exact: true }).waitFor();
    }
    const said = page.locator("dl > div", { hasText: "Adjusted" }).locator("dd").last();
    expect(await said.textContent()).toMatch(/ By hand, by imports and segments, and of deleted customers$/); // also without a pointer
    const plot = page.locator("svg[data-plot]").first();
    await plot.hover({ position: { x: 1, y: 50 } });
    const [{ issued, spent }] = body.data.days;
    const shown = [/31 Jan/, "Issued", issued.toLocaleString("en-GB"), "Spent", spent.toLocaleString("en-GB")];
    for (const text of shown) await plot.locator("..").getByText(text, { exact: true }).waitFor();
    await shop.look(page, "home-pointed-en");
    await page.close();
  });

  test("the period is in the address, and a chart can be read as a table", async () => {
    const page = await shop.open({ role: "viewer", path: "/" });
    await page.getByLabel("Period").selectOption({ label: "90 days" });
    await page.waitForURL(/days=90/);
    await page.getByText("Table", { exact: true }).first().click();
    await page.getByRole("columnheader", { name: "Week from" }).waitFor();
    await shop.look(page, "home-table-en");
    await page.close();
  });

  test("last month and this quarter are chosen by name, and the period before is drawn", async () => {
    const page = await shop.open({ role: "viewer", path: "/" });
    await page.getByLabel("Period").selectOption({ label: "Last month" });
    await page.waitForURL(/preset=last_month/);
    await page.getByText("Dashed: the period before, 1 Jan 2026 to 31 Jan 2026.").first().waitFor();
    await page.locator("svg[data-plot] path[data-mark=dashes]").nth(2).waitFor({ state: "attached" }); // given, spent, outstanding
    await shop.look(page, "home-last-month-en");
    await page.getByLabel("Period").selectOption({ label: "This quarter" });
    await page.getByText("Dashed: the period before, 1 Oct 2025 to 29 Nov 2025.").first().waitFor();
    await page.close();
  });

  test("in Japanese, dark, and on a phone", async () => {
    const dark = await shop.open({ role: "manager", language: "ja", path: "/?days=365", colorScheme: "dark" });
    await dark.getByRole("heading", { name: "失効予定のポイント" }).waitFor();
    await dark.locator("svg[data-plot]").first().waitFor();
    await shop.look(dark, "home-ja-dark");
    await dark.close();
    const phone = await shop.open({ role: "manager", language: "ja", path: "/", width: 360 });
    await phone.locator("svg[data-plot]").first().waitFor();
    await shop.look(phone, "home-ja-phone");
    const width = Number(await phone.evaluate("document.documentElement.scrollWidth"));
    expect(width).toBeLessThanOrEqual(360);
    await phone.close();
  });
});

describe("a store that is new", () => {
  let shop: Dashboard;
  beforeAll(async () => {
    shop = await startDashboard({ now: "2026-03-01T00:00:00Z", worker: false });
  });
  afterAll(() => shop?.stop());

  test.each([
    ["en", "Name, currency and time zone"],
    ["ja", "ストア名・通貨・タイムゾーン"],
  ] as const)("says what to do first (%s)", async (language, step) => {
    const page = await shop.open({ role: "owner", language, path: "/" });
    const link = page.getByRole("link", { name: step });
    expect(await link.getAttribute("href")).toBe("/admin/program/store");
    await page.getByText("My store, JPY, Asia/Tokyo").waitFor();
    await shop.look(page, `home-new-${language}`);
    await page.close();
  });

  test("a step that is right as it is is confirmed", async () => {
    const page = await shop.open({ role: "manager", path: "/" });
    await page.getByRole("button", { name: "Tiers: Keep as it is" }).click();
    await page.getByText("1 of 7 done").waitFor();
    await page.getByRole("button", { name: "Tiers: Review again" }).click();
    await page.getByText("0 of 7 done").waitFor();
    await page.close();
  });

  test("once a program was applied, the checklist says so", async () => {
    const { deps } = shop.service;
    await applyProgram(deps, { document: { store: { name: "Tea" } }, author: "test", isDryRun: false });
    const page = await shop.open({ role: "manager", path: "/" });
    await page.getByText("A program was applied in place of the built-in one.").waitFor();
    await page.close();
  });
});

/** Two months of points of 30 customers, some of them in higher tiers, and a delivery that gave up. */
async function fill({ service }: Dashboard): Promise<void> {
  const { deps, client, clock } = service;
  const dice = createDice(7);
  const customers: CustomerRow[] = [];
  for (let n = 0; n < 30; n++) customers.push(await makeCustomer(deps));
  for (const [n, { storefrontId }] of customers.slice(0, 12).entries()) {
    const path = `/api/storefront/point_balances/${storefrontId}/tiers`;
    expect((await client.post(path, { tier: n < 4 ? "ゴールド" : "シルバー" })).status).toBe(200);
  }
  for (let day = 0; day < DAYS; day++) {
    const postings = Array.from({ length: 6 + dice.below(8) }, () => {
      const [type, value] = dice.pick<readonly [AllotmentType, number]>([
        ["fulfillment", 400],
        ["fulfillment", 900],
        ["reward", 300],
        ["api", -350],
        ["refund", -120],
        ["expiration", -60],
      ]);
      const pointValue = BigInt(Math.round(value * (0.5 + dice.below(100) / 100)));
      const change = { kind: "add", pointValue, shortfall: "cap" } as const;
      const posting = { ...plainPosting(deps.random.uid(), type, "shop", change), extends: "credit" as const };
      return { customer: dice.pick(customers), posting };
    });
    await deps.db.tx((tx) => postAllotments(tx, deps, postings));
    clock.advance({ hours: 24 });
  }
  await deps.db.execute(
    `insert into subscription (topic, uid, callback_url, activated_at, secret_sealed, failures)
     values ('point_balance/update', gen_random_uuid(), 'http://127.0.0.1:1/', now(), '', 5)`,
  );
  await deps.db.execute(
    `insert into delivery (bucket, uid, subscription_uid, state, attempts, due_at)
     select 1, gen_random_uuid(), s.uid, 'failed', 21, now() from subscription s, generate_series(1, 3)`,
  );
  await aggregateAll(deps);
  await countStoreCustomers(deps);
}
