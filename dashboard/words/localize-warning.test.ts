import { expect, test } from "vitest";
import { localizeWarning } from "./localize-warning.ts";

const detail = "subtotal is 900 JPY, the lines come to 1000 JPY after discounts";
const values = { stated: "900 JPY", lines: "1000 JPY" };

test.each([
  ["of a kind in Japanese", "subtotal_differs", "ja", "小計は900 JPYですが、値引き後の商品の合計は1000 JPYです"],
  ["of a kind in English", "subtotal_differs", "en", detail],
  ["that was kept before there were kinds", null, "ja", detail],
  ["of a kind that is newer than the page", "something_new", "ja", detail],
  ["that is called as what every object has", "toString", "ja", detail],
] as const)("a warning %s", (_, kind, language, said) => {
  expect(localizeWarning({ detail, kind, values }, language)).toBe(said);
});
