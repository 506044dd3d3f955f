import { expect, test } from "vitest";
import { createFormat } from "../../ui/values/format.ts";
import { estimateText } from "./estimate-text.ts";

const format = createFormat({ language: "en", currency: "JPY", currencyDigits: 0, timeZone: "Asia/Tokyo" });

test.each([
  ["month", 24_313, "February 2026"],
  ["month", 24_323, "December 2026"],
  ["cohort", 0, "all months"],
  ["cohort", 24_312, "January 2026"],
  ["redemption_bps", 8_050, "80.5%"],
  ["point_price_millionths", 989_011, "¥0.989011"],
  ["rows", 24_313, null],
])("an estimate's %s %i is said as on its page", (field, value, text) => {
  expect(estimateText(field, value, format, "all months")).toBe(text);
});
