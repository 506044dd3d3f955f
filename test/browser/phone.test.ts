import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { yen } from "../support/explain.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const LONG = "高橋 アレクサンドリーナ・マクシミリアノヴナ";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({
    worker: false,
    now: "2026-03-20T01:00:00Z",
    program: { store: { name: "茶葉店", currency: "JPY", time_zone: "Asia/Tokyo" } },
  });
  const { deps, client } = shop.service;
  const people = [
    { storefrontId: "71", name: "田中 美咲", email: "misaki@tea.example" },
    { storefrontId: "72", name: LONG, email: "a.very.long.address.of.somebody@long-domain.example" },
  ];
  for (const person of people) {
    await deps.db.tx((tx) => upsertCustomer(tx, deps, person));
    const award = { customer_id: person.storefrontId, point_value: 123_456, reason: { type: "reward" } };
    expect((await client.post("/api/storefront/point_allotments", award)).status).toBe(200);
    const lines = [{ line_id: "a", title: "玉露", quantity: 1, unit_price: yen(2_400) }];
    const payload = {
      ...{ order_id: `50${person.storefrontId}`, order_name: `#10${person.storefrontId}`, total: yen(2_400), lines },
      ...{ customer_id: person.storefrontId, processed_at: "2026-03-20T01:00:30Z", shop_currency: "JPY" },
    };
    const event = { type: "OrderPaid", occurred_at: "2026-03-20T01:00:40Z", payload };
    expect((await client.post("/intake/events", [event])).status).toBe(202);
  }
  await processAllReceipts(deps);
});
afterAll(() => shop?.stop());

/** Whether something of the page, or of a table in it, is only seen after scrolling sideways. */
async function isCut(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>(
    `[document.documentElement, ...document.querySelectorAll("table[data-lines]")]
      .some((one) => one.scrollWidth > innerWidth || one.getBoundingClientRect().right > innerWidth)`,
  );
}

const SEEN = `(row) => [...row.querySelectorAll("td")]
  .filter((cell) => cell.checkVisibility())
  .map((cell) => ({ box: cell.getBoundingClientRect(), text: cell.innerText }))
  .sort((a, b) => Math.round((a.box.bottom - b.box.bottom) / 8) || a.box.left - b.box.left)
  .map(({ text }) => text)
  .join(" | ")`;

/** What of a row is seen, from its top line to the next and from left to right. */
async function seenOf(page: Page, name: string): Promise<string> {
  return await page.evaluate<string>(
    `(${SEEN})([...document.querySelectorAll("tbody tr")].find((row) => row.innerText.includes("${name}")))`,
  );
}

describe("on a telephone a row of a list has two lines, the customer first", () => {
  test("customers, ledger and orders", async () => {
    const page = await shop.open({ path: "/account", role: "viewer", width: 360 });
    for (const [list, expected] of [
      ["customers", /^田中 美咲.* \| \+?123,4/],
      ["ledger", /^田中 美咲 \| \+/],
      ["orders", /^田中 美咲 \| /],
    ] as const) {
      await page.setViewportSize({ width: 360, height: 800 });
      await shop.go(page, `/${list}`);
      await page.getByRole("table").waitFor();
      await shop.look(page, `phone-${list}-360`);
      expect(await isCut(page), list).toBe(false);
      expect(await seenOf(page, "田中 美咲")).toMatch(expected);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole("columnheader").first().waitFor();
      await shop.look(page, `phone-${list}-1280`);
    }
  });

  test("nothing of the others is cut", async () => {
    const page = await shop.open({ path: "/account", language: "ja", width: 360 });
    for (const list of ["audit", "jobs", "intake", "webhooks", "results", "csv", "segments"]) {
      await shop.go(page, `/${list}`);
      await shop.look(page, `phone-${list}-ja-360`);
      expect(await isCut(page), list).toBe(false);
    }
  });
});

test("the current part of a page is in sight in a row that scrolls", async () => {
  const page = await shop.open({ path: "/account", width: 360 });
  for (const path of ["/program/versions", "/program/rewards", "/customers/71/tiers"]) {
    await shop.go(page, path);
    expect(await isCut(page), path).toBe(false);
    const place = `document.querySelector("main nav [aria-current=page]").getBoundingClientRect()`;
    expect(await page.evaluate(`${place}.left >= 0 && ${place}.right <= innerWidth`), path).toBe(true);
  }
});

test("the search is in the bar, and filters are behind one button", async () => {
  const page = await shop.open({ path: "/orders", role: "viewer", width: 360, language: "ja" });
  expect(await page.getByLabel("状態").isVisible()).toBe(false);
  await page.getByRole("button", { name: "絞り込み" }).click();
  await page.getByLabel("状態").waitFor();
  await shop.look(page, "phone-filters-ja-360");
  await page.getByRole("button", { name: "検索" }).click();
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox").fill("美咲");
  await palette.getByText("田中 美咲").first().click();
  await page.getByRole("heading", { name: "田中 美咲" }).waitFor();
});
