import { expect, test } from "vitest";
import { createFormat } from "../../ui/values/format.ts";
import { formatValue } from "./format-value.ts";
import { words } from "./words.ts";

const format = createFormat({ language: "en", currency: "JPY", currencyDigits: 0, timeZone: "Asia/Tokyo" });
const formatting = { t: words.en, values: {}, tiers: ["Silver", "Gold"], format, time: (at: string) => at };

test("the period of a bonus is told with or without a start and an end, and a name that was removed is none", () => {
  const textOf = (starts_at: string | null, ends_at: string | null) =>
    formatValue("earning.bonus_collections", { point_value: 1, currency_value: 100, starts_at, ends_at }, formatting);
  expect([textOf(null, null), textOf("a", null), textOf(null, "b"), textOf("a", "b")]).toEqual(
    ["Always", "From a", "Until b", "a – b"].map((period) => `${period}, 1 pt for every ¥100`),
  );
  expect(formatValue("earning.bonus_collections.name", null, formatting)).toBe("None");
});

test("a rate says which part of it is that of Earning", () => {
  const textOf = (point_value: number | null, currency_value: number | null) =>
    formatValue("tiers.rules", { point_value, currency_value }, formatting);
  expect([textOf(1, 100), textOf(1, null), textOf(null, 200), textOf(null, null)]).toEqual([
    "1 pt for every ¥100",
    "1 pt for the amount in Earning",
    "points as in Earning for every ¥200",
    "as in Earning",
  ]);
});

test("a campaign is told with the rate of each tier, or double points would seem to be the lowest tier's for everybody", () => {
  const rate = { point_value: 2, currency_value: 100 };
  const by_tier = { Gold: { ...rate, point_value: 6 }, Silver: { ...rate, point_value: 4 } };
  const textOf = (rates: object) =>
    formatValue("campaigns", { starts_at: "a", ends_at: "b", ...rate, by_tier: rates }, formatting);
  expect(textOf({})).toBe("a – b, 2 pt for every ¥100");
  expect(textOf(by_tier)).toBe("a – b, 2 pt for every ¥100; Silver: 4 pt for every ¥100; Gold: 6 pt for every ¥100");
  expect(formatValue("campaigns.by_tier", {}, formatting)).toBe("None");
});
