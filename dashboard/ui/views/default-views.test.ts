import { expect, test } from "vitest";
import { VIEW_LISTS } from "../../../src/wire/saved-views.ts";
import { currentDefaultOf, parseDefaultViews, pathWithDefaultView } from "./default-views.ts";

const view = { uid: "1", filters: { state: "waiting", from: "2026-03-01" } };

test("the navigation opens a list with the filters of its default view, and other pages as they are", () => {
  expect(pathWithDefaultView("/orders", { orders: view })).toBe("/orders?state=waiting&from=2026-03-01");
  expect(pathWithDefaultView("/orders", { customers: view })).toBe("/orders");
  expect(pathWithDefaultView("/", { customers: view })).toBe("/");
});

test("every list with views has its path in the navigation", () => {
  const all = Object.fromEntries(VIEW_LISTS.map((list) => [list, view]));
  const paths = ["/customers", "/orders", "/ledger", "/webhooks", "/audit", "/intake"];
  expect(paths.filter((path) => pathWithDefaultView(path, all) !== path)).toHaveLength(VIEW_LISTS.length);
});

test("what is not a view is left out of what the browser stored", () => {
  expect(parseDefaultViews(JSON.stringify({ orders: view, ledger: { uid: 1 }, people: view }))).toEqual({
    orders: view,
  });
  for (const text of [null, "", "null", "[]", "1", "{", '{"orders":{"uid":"1","filters":{"a":1}}}']) {
    expect(parseDefaultViews(text)).toEqual({});
  }
});

test("a default view gets the filters that were read, and is none once it was removed", () => {
  const other = { uid: "2", filters: {} };
  const sameFilters = { from: "2026-03-01", state: "waiting" };
  expect(currentDefaultOf(view, [other, { ...view, filters: sameFilters }])).toBe(view);
  expect(currentDefaultOf(view, [{ ...view, filters: {} }])).toEqual({ uid: "1", filters: {} });
  expect(currentDefaultOf(view, [other])).toBeUndefined();
  expect(currentDefaultOf(undefined, [other])).toBeUndefined();
});
