import { expect, test } from "vitest";
import { VIEW_LISTS } from "../../../src/wire/saved-views.ts";
import { parseStoredDefaults, pathWithDefaultView } from "./default-views.ts";

const view = { list: "orders", uid: "1", filters: { state: "waiting", from: "2026-03-01" } } as const;

test("the navigation opens a list with the filters of its default view, and other pages as they are", () => {
  expect(pathWithDefaultView("/orders", [view])).toBe("/orders?state=waiting&from=2026-03-01");
  expect(pathWithDefaultView("/orders", [{ ...view, list: "customers" }])).toBe("/orders");
  expect(pathWithDefaultView("/", [view])).toBe("/");
});

test("every list with views has its path in the navigation", () => {
  const all = VIEW_LISTS.map((list) => ({ ...view, list }));
  const paths = [
    "/customers",
    "/orders",
    "/ledger",
    "/webhooks",
    "/audit",
    "/intake",
    "/approvals",
    "/results",
    "/mails",
  ];
  expect(paths.filter((path) => pathWithDefaultView(path, all) !== path)).toHaveLength(VIEW_LISTS.length);
});

test("what is not a view is left out of what the browser stored", () => {
  const stored = { orders: { uid: "1", filters: {} }, ledger: { uid: 1 }, people: { uid: "2" } };
  expect(parseStoredDefaults(JSON.stringify(stored))).toEqual([{ list: "orders", uid: "1" }]);
  for (const text of [null, "", "null", "[]", "1", "{", '{"orders":{}}', '{"orders":"1"}']) {
    expect(parseStoredDefaults(text)).toEqual([]);
  }
});
