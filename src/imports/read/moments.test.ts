import { expect, test } from "vitest";
import { dayOf, momentOf } from "./moments.ts";

const endOf = (text: string) =>
  momentOf(text, { form: "year_first", timeZone: "Asia/Tokyo", edge: "end" })?.toString() ?? text;

test.each([
  ...["2027-03-31", "2027/3/31", "2027年3月31日", "２０２７年０３月３１日", "2027.03.31", "20270331"],
  ...["令和9年3月31日", "令和９年３月３１日", "R9.3.31", "r09/03/31", "㋿9年3月31日"],
  ...["2027/3/31 23:59", "2027/03/31 9:05:00", "2027年3月31日 23時59分", "2027年3月31日23:59", "令和9年3月31日 12:00"],
])("%s is the end of that day in the store", (text) => {
  expect(endOf(text)).toBe("2027-03-31T15:00:00Z");
});

test.each(["31032027", "03312027", "20101990", "19012027", "2027033", "20271331"])(
  "%s is no day: the order is unknown",
  (text) => {
    expect(endOf(text)).toBe(text);
  },
);

test("a time behind hyphens is one of UTC", () => {
  expect(endOf("2027-03-31 23:59")).toBe("2027-03-31T23:59:00Z");
});

test.each(["令和0年1月1日", "R9.13.1", "令和9年2月30日", "X9.3.31", "9年3月31日", "2027/3/31 noon"])(
  "%s is no day",
  (text) => {
    expect(endOf(text)).toBe(text);
  },
);

test("the first year of an era has a name", () => {
  expect([dayOf("令和元年5月1日", "year_first"), dayOf("昭和元年12月25日", "day_first")]).toEqual([
    ...["2019-05-01", "1926-12-25"],
  ]);
});
