import { afterAll, beforeAll, expect, test } from "vitest";
import type { CustomerRow } from "../../src/customers/customer.ts";
import { recordHistory } from "../../src/history/record-history.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { readProgram } from "../../src/program/read-program.ts";
import { placeManyInTier } from "../../src/tiers/place-many-in-tier.ts";
import { assignmentOf } from "../../src/tiers/tier-update.ts";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const APP = "Other Points";
const ID = "4820077";
let shop: Dashboard;
const at = (text: string) => Temporal.Instant.from(text);

/** As an import of another app leaves a customer. */
async function moveIn(customer: CustomerRow): Promise<void> {
  const { deps } = shop.service;
  const change = { kind: "add", pointValue: 300n, shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(deps.random.uid(), "csv", APP, change),
    origin: "migration" as const,
    expiresAt: at("2026-09-30T15:00:00Z"),
    earnedAt: at("2025-04-10T00:00:00Z"),
  };
  const { bucket, customerUid } = customer;
  const shared = { bucket, customerUid, importUid: deps.random.uid(), source: APP };
  await deps.db.tx(async (tx) => {
    await postAllotments(tx, deps, [{ customer, posting }]);
    await recordHistory(tx, [
      { ...shared, n: 1n, occurredAt: at("2024-05-01T03:00:00Z"), kind: "earned", points: 5_200n, note: "Order 1007" },
      { ...shared, n: 2n, occurredAt: at("2025-06-01T03:00:00Z"), kind: "used", points: -4_900n, note: null },
    ]);
    const { rules } = (await readProgram(tx)).tiers;
    const before = assignmentOf(rules, { tierUid: null, minimumTierUid: null, skipNextCheck: false });
    const after = { ...before, tier: rules.at(-1) ?? before.tier };
    const placement = { customer, before, after, keepUntil: at("2026-08-31T15:00:00Z") };
    await placeManyInTier(tx, deps, [placement], { cause: "manual", actor: null });
  });
}

beforeAll(async () => {
  const rules = [
    { name: "ブロンズ", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "ゴールド", default: false, currency_spent_requirement: 200_000, point_value: 3, currency_value: 100 },
  ];
  const store = { name: "花屋 Hanaya", time_zone: "Asia/Tokyo" };
  shop = await startDashboard({ worker: false, now: "2026-03-01T00:00:00Z", program: { store, tiers: { rules } } });
  await moveIn(await makeCustomer(shop.service.deps, { storefrontId: ID, email: "hanako@example.jp" }));
});
afterAll(() => shop?.stop());

test("points that were moved in say where they are from and until when they are good, and the tier until when it is kept", async () => {
  const page = await shop.open({ path: `/customers/${ID}`, role: "support" });
  await page.getByText(/Moved in · Own expiry .*2026.* · Earned .*2025/).waitFor();
  await page.getByText(/Not below ゴールド until .*2026/).waitFor();
  await shop.look(page, "customer-moved-in");
  await page.getByRole("link", { name: "Why this many?" }).click();
  await page.getByText(/at Other Points: earned 5,200, used 4,900; moved in: 300\./).waitFor();
  await shop.look(page, "customer-moved-in-why");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Earlier history" }).click();
  await page.getByRole("cell", { name: "Order 1007" }).waitFor();
  expect(page.url()).toMatch(/\/history$/);
  await shop.look(page, "customer-history");
});

test("the same in Japanese, as wide as a telephone", async () => {
  const page = await shop.open({ path: `/customers/${ID}`, role: "support", language: "ja", width: 360 });
  await page
    .getByText(/移行ポイント · 固有の期限/)
    .first()
    .waitFor();
  await shop.look(page, "customer-moved-in-ja-360");
  await shop.go(page, `/customers/${ID}/history`);
  await page.getByText("移行前に別のアプリで", { exact: false }).waitFor();
  await shop.look(page, "customer-history-ja-360");
  const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  expect(await page.evaluate(isWide)).toBe(false);
});
