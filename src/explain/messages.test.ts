import { expect, test } from "vitest";
import { createFormatter } from "./formatter.ts";
import { ENGLISH } from "./messages-en.ts";
import { JAPANESE } from "./messages-ja.ts";

test("one point is one in every English sentence about an allotment", () => {
  const line = {
    title: "Tea",
    gross: "¥100",
    discount: null,
    base: "¥100",
    rate: "1 per ¥100",
    bonus: null,
    left: null,
  };
  const step = { exact: "1", after: "1", before: "1", share: "1", isShipped: true };
  const sentences = [
    ...[ENGLISH.headline("+1", "1 May", "a reward"), ENGLISH.headline("−1", "1 May", "points expired")],
    ...[ENGLISH.orderLine({ ...line, exact: "1" }), ENGLISH.award(step), ENGLISH.cancellation(step)],
    ...[ENGLISH.correction("−1"), ENGLISH.requested("−1", "0"), ENGLISH.coupon("PK-1", "1", "¥1")],
    ...Object.values(ENGLISH.results).map((say) => say("1")),
    ...[ENGLISH.drawn("1", "a reward", "1 May"), ENGLISH.usedBy("1", "a coupon", "1 May"), ENGLISH.held("1")],
    ...[ENGLISH.remaining("1", "1 May"), ENGLISH.remaining("1", null), ENGLISH.settledDebt("1")],
    ...[ENGLISH.expired("1", "a reward", "1 May", "2 May")],
    ENGLISH.spent("¥100", "1 May", "1", "2 May"),
  ];
  const severalWords = /[+−\s]1 (points|months|orders|were|are)\b|\b(they|them|do not)\b/u;
  expect(sentences.filter((text) => severalWords.test(text))).toEqual([]);
  expect(ENGLISH.perAllotment(1)).toMatch(/^Points expire 1 month after/);
  expect(ENGLISH.sliding(1, null)).toMatch(/^A balance expires 1 month after/);
  expect(ENGLISH.requested("−1", "0")).toBe("−1 point was requested, 0 were posted.");
  expect(ENGLISH.remaining("21", "1 May")).toBe("Remaining: 21 points; they expire on 1 May.");
});

test("each reward has a name in both languages, and no name is that of the key", () => {
  for (const key of ["signup", "marketing_opt_in", "birthday"]) {
    expect(ENGLISH.rewards[key], key).toMatch(/^[a-z-]+$/);
    expect(JAPANESE.rewards[key], key).toMatch(/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u);
  }
});

test("what another app reports is of the time up to its last entry, if no points were moved in from it", () => {
  const sums = { app: "Old App", lastDay: "1 Aug 2025", earned: "1,000", used: "600", expired: null, adjusted: null };
  expect(ENGLISH.history({ ...sums, before: null, movedIn: null })).toBe(
    "Up to 1 Aug 2025 at Old App: earned 1,000, used 600.",
  );
  expect(JAPANESE.history({ ...sums, lastDay: "2025/08/01", before: null, movedIn: null })).toBe(
    "2025/08/01 までの「Old App」での記録: 獲得 1,000、利用 600。",
  );
});

test("decimals of points are grouped as whole numbers are, and stay exact", () => {
  const { decimal } = createFormatter("en", "UTC");
  expect(["9007199254740991", "1234.5", "0.000001", "100/3"].map(decimal)).toEqual([
    ...["9,007,199,254,740,991", "1,234.5", "0.000001", "100/3"],
  ]);
});
