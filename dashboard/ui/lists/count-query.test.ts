import { expect, test } from "vitest";
import { countQuery } from "./count-query.ts";

test("the number of rows of a list that moves is counted again every minute, unless it took too long", () => {
  const moving = countQuery("intake", "/intake/receipts/count", { filter: { state: "", after: "9" }, isMoving: true });
  const still = countQuery("audit", "/audit/count", { filter: { after: "" } });
  const intervalOf = ({ refetchInterval }: typeof still, count: number | null) =>
    refetchInterval({ state: { data: { count, counted_to: 10_000 } } });
  expect(moving.queryKey).toEqual(["intake", "count", { state: "" }]); // the number is that of all pages
  expect([intervalOf(moving, 5), intervalOf(moving, null), intervalOf(still, 5)]).toEqual([60_000, false, false]);
});
