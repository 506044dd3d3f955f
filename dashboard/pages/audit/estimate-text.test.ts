import { expect, test } from "vitest";
import { createFormat } from "../../ui/values/format.ts";
import { estimateText } from "./estimate-text.ts";

const formatOf = (currency: string, currencyDigits: number) =>
  createFormat({ language: "en", currency, currencyDigits, timeZone: "Asia/Tokyo" });

test.each([
  ["month", 24_313, "February 2026"],
  ["month", 24_323, "December 2026"],
  ["cohort", 0, "all months"],
  ["cohort", 24_312, "January 2026"],
  ["redemption_bps", 8_050, "80.5%"],
  ["point_price_millionths", 989_011, "¥0.989011"],
  ["rows", 24_313, null],
])("an estimate's %s %i is said as on its page", (field, value, text) => {
  const yen = { format: formatOf("JPY", 0), places: 0, allMonths: "all months" };
  expect(estimateText(field, value, yen)).toBe(text);
});

test.each([
  ["USD", 2, 950_000, "$0.0095"],
  ["BHD", 3, 1_500_000, "BHD 0.0015"],
])("a price in %s is of its minor unit", (currency, places, value, text) => {
  const own = { format: formatOf(currency, places), places, allMonths: "all months" };
  expect(estimateText("point_price_millionths", value, own)?.replace("\u00a0", " ")).toBe(text);
});
