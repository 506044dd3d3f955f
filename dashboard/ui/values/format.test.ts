import { describe, expect, test } from "vitest";
import type { Language } from "../../../src/wire/language.ts";
import { createFormat } from "./format.ts";

const formatIn = (language: Language, currency = "JPY", currencyDigits = 0) =>
  createFormat({ language, currency, currencyDigits, timeZone: "Asia/Tokyo" });

/** Replaces special spaces by plain ones. */
const plain = (text: string) => text.replaceAll(/\s/g, " ");

describe("one form of days, months, money and numbers in each language", () => {
  const [en, ja] = [formatIn("en"), formatIn("ja")];

  test.each([
    ["a day", en.day("2026-03-01"), "1 Mar 2026", ja.day("2026-03-01"), "2026/03/01"],
    [
      "a span",
      en.days("2026-03-01", "2026-03-31"),
      "1 – 31 Mar 2026",
      ja.days("2026-03-01", "2026-03-31"),
      "2026/03/01～2026/03/31",
    ],
    [
      "one day as a span",
      en.days("2026-03-01", "2026-03-01"),
      "1 Mar 2026",
      ja.days("2026-03-01", "2026-03-01"),
      "2026/03/01",
    ],
    ["a month of an axis", en.shortMonth("2026-03"), "Mar ’26", ja.shortMonth("2026-03"), "26年3月"],
    ["a month", en.month("2026-03"), "March 2026", ja.month("2026-03-15"), "2026年3月"],
    ["a birthday", en.birthday("1990-04-12"), "12 Apr 1990", ja.birthday("1990-04-12"), "1990/04/12"],
    ["one without a year", en.birthday("--02-29"), "29 February", ja.birthday("--02-29"), "2月29日"],
    [
      "an instant's day in the store's zone",
      en.date("2026-02-28T15:00:00Z"),
      "1 Mar 2026",
      ja.date("2026-02-28T15:00:00Z"),
      "2026/03/01",
    ],
    ["a weekday", en.weekday("2026-03-02"), "Mon", ja.weekday("2026-03-02"), "月"],
    ["a language", en.languageName("ja"), "Japanese", ja.languageName("ja"), "日本語"],
    ["a month's name", en.monthName(4), "April", ja.monthName(4), "4月"],
    ["money", en.money(-1_200), "−¥1,200", ja.money(-1_200), "−¥1,200"],
    ["a part", en.percent(0.174), "17.4%", ja.percent(0.77), "77.0%"],
    ["a change", en.change(-0.125), "−12.5%", ja.change(0.5), "+50.0%"],
    ["per cent as a text", en.percentText("80.25"), "80.25%", ja.percentText("97"), "97%"],
    ["a price of less than a minor unit", en.price("0.0095"), "¥0.0095", ja.price("1"), "¥1"],
  ])("%s", (_, english, inEnglish, japanese, inJapanese) => {
    expect(plain(english)).toBe(inEnglish);
    expect(plain(japanese)).toBe(inJapanese);
  });

  test("money of another currency is named by its code, in its own minor units", () => {
    expect(plain(en.moneyOf({ minor: 1_250, currency: "EUR" }))).toBe("EUR 12.50");
    expect(en.moneyOf({ minor: 1_250, currency: "JPY" })).toBe("¥1,250");
    expect(plain(formatIn("en", "USD", 2).moneyOf({ minor: 1_250, currency: "BHD" }))).toBe("BHD 1.250");
  });
});
