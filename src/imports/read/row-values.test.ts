import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POINTS_MAX } from "../../ledger/allotment-types.ts";
import { parseProgramDocument, programOf } from "../../program/program-document.ts";
import { DEFAULT_OPTIONS } from "../csv-import.ts";
import { type ImportOptions, pointsValues, tierValues } from "./row-values.ts";

const COLUMNS = { customer: 0, points: 1, extension: 2, reason: 3, note: 4, expires_at: 5 };
const EXPIRATION = {
  delayMonths: 12,
  mode: "per_allotment",
  sweep: "daily",
  couponsExtend: false,
  returnedDays: 30,
} as const;
const RULES = { ...EXPIRATION, shorteningDays: 0, shortenedAt: null, timeZone: "Asia/Tokyo" };
const NOW = Temporal.Instant.from("2026-11-23T00:00:00Z");
const DATES = { timeZone: "Asia/Tokyo", now: NOW, rules: RULES, currency: "JPY" };

function points(cells: readonly string[], options: ImportOptions = DEFAULT_OPTIONS) {
  const values = pointsValues(cells, COLUMNS, options, DATES);
  return "issues" in values ? values.issues.map(({ code }) => code) : values;
}

const fullWidth = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

describe("points", () => {
  test("a cell that a file of ours keeps from being a formula is read as it was", () => {
    for (const text of ["=1+1", "@sum", "＝1+1", "＋81", "－5", "＠sum"])
      expect(points(["1", "5", "", "", `'${text}`])).toMatchObject({ note: text });
    expect(points(["1", "5", "", "", "'\t=1"])).toMatchObject({ note: "=1" });
    expect(points(["1", "5", "", "", "'quoted'"])).toMatchObject({ note: "'quoted'" });
  });

  test("an expiry is a day of the store, to its end, or an instant; never past, and only of points that are given", () => {
    const expiring = (text: string, value = "5", options = DEFAULT_OPTIONS) =>
      points(["1", value, "", "", "", text], options);
    const day = expiring("2027-03-31");
    expect("expiresAt" in day && String(day.expiresAt)).toBe("2027-03-31T15:00:00Z");
    const instant = expiring("2027-03-31T12:00:00+09:00");
    expect("expiresAt" in instant && String(instant.expiresAt)).toBe("2027-03-31T03:00:00Z");
    expect(expiring("")).toMatchObject({ expiresAt: null });
    expect(expiring("2026-11-22")).toEqual(["expiry_past"]);
    expect(expiring("2026-11-23")).toMatchObject({ pointValue: 5n });
    for (const text of ["soon", "2027-02-30", "31/03/2027", "2027-03-31T12:00:00", "9999-01-01", "1e400"])
      expect(expiring(text), text).toEqual(["expiry_unclear"]);
    expect(expiring("2027-03-31", "-5")).toEqual(["expiry_of_deduction"]);
  });

  test("a balance that is set may be 0, and not below", () => {
    const setting = { ...DEFAULT_OPTIONS, setsBalance: true };
    expect(points(["1", "0"], setting)).toMatchObject({ pointValue: 0n });
    expect(points(["1", "-1"], setting)).toEqual(["balance_negative"]);
    expect(points(["1", "0"])).toEqual(["points_zero"]);
  });

  test("every integer within the limit is read, as people and spreadsheets write it", () => {
    const value = fc.bigInt({ min: -POINTS_MAX, max: POINTS_MAX }).filter((points) => points !== 0n);
    const style = fc.constantFrom<(points: bigint) => string>(
      (points) => points.toString(),
      (points) => ` ${points.toLocaleString("en-US")} `,
      (points) => fullWidth(points.toString()),
      (points) => points.toString().replace("-", "−"),
      (points) => points.toString().replace("-", "▲"),
      (points) => (points > 0n ? `+${points}` : points.toString()),
    );
    fc.assert(
      fc.property(value, style, (expected, write) => {
        expect(points(["1", write(expected)])).toMatchObject({ pointValue: expected });
      }),
    );
  });

  test("a whole number may have one or two zeros as decimal places", () => {
    expect(["100.0", "-5.00", "1,234.0", "１０．０"].map((text) => points(["1", text]))).toMatchObject([
      { pointValue: 100n },
      { pointValue: -5n },
      { pointValue: 1_234n },
      { pointValue: 10n },
    ]);
    for (const text of ["1.000", "1.01", ".0", "1.0.0", "1,2.0"])
      expect(points(["1", text])).toEqual(["points_not_integer"]);
    expect(points(["1", "0.0"])).toEqual(["points_zero"]);
  });

  test("anything else is an issue of its kind", () => {
    const codeOf = (text: string) => points(["1", text]);
    const texts = ["", "0", "-0", "1.5", "1e3", "1,00", "abc", "--1", "1 000", `${POINTS_MAX + 1n}`, "9".repeat(50)];
    expect(texts.map((text) => String(codeOf(text)))).toEqual([
      "points_missing",
      ...["points_zero", "points_zero"],
      ...Array<string>(6).fill("points_not_integer"),
      ...["points_too_large", "points_too_large"],
    ]);
  });

  test("a blank cell takes what was chosen for the file; all issues of a row are found at once", () => {
    const options = { ...DEFAULT_OPTIONS, extends: true, reasonType: "compensation", note: "sorry" } as const;
    expect(points(["A@B.example", "5"], options)).toEqual({
      named: "A@B.example",
      pointValue: 5n,
      earnedAt: null,
      extends: true,
      reasonType: "compensation",
      note: "sorry",
      expiresAt: null,
    });
    expect(points(["7", "5", "いいえ", "Test allotment", "own"], options)).toMatchObject({
      named: "7",
      extends: false,
      reasonType: "test_allotment",
      note: "own",
    });
    expect(points(["", "x", "maybe", "because", "é".repeat(256)])).toEqual([
      "customer_missing",
      "points_not_integer",
      "extension_unclear",
      "reason_unknown",
      "note_too_long",
    ]);
    expect(points(["1", "5", "", "", "\u{1F600}".repeat(255)])).toMatchObject({ pointValue: 5n });
    expect(points(["1", "5", "", "", "a\0b"])).toEqual(["text_unclean"]);
  });

  test("no text makes it throw", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("\uD800", "1\uD800", "yes", "12"),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 6 }), (cells) => {
        const values = pointsValues(cells, COLUMNS, DEFAULT_OPTIONS, DATES);
        if (!("issues" in values)) return;
        expect(values.issues.length).toBeGreaterThan(0);
        expect(
          values.issues.every(({ value }) => value === null || (value.isWellFormed() && !value.includes("\0"))),
        ).toBe(true);
      }),
    );
  });
});

describe("tiers", () => {
  const parsed = parseProgramDocument(
    {
      tiers: {
        rules: ["Bronze", "Silver", "silver", "ゴールド"].map((name, n) => ({
          name,
          uid: `0000000${n}-0000-7000-8000-000000000000`,
          currency_spent_requirement: n * 100,
        })),
      },
    },
    { previous: null, spareUids: [] },
  );
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  const { rules } = programOf(parsed.document, { version: 1, shortenedAt: null }).tiers;
  const columns = { customer: 0, tier: 1, minimum_tier: 2, skip_next_check: 3 };
  const read = (...cells: string[]) => {
    const values = tierValues(["1", ...cells], columns, rules, DATES);
    return "issues" in values ? values.issues.map(({ code, field }) => `${code} ${field}`) : values.update;
  };
  const uidOf = (place: number) => rules[place]?.uid;

  test("a tier is meant by name, by uid, in any case where that is clear, and by its place from 0", () => {
    const named = ["Bronze", "BRONZE", "Silver", "silver", "ゴールド", "3", "０", (uidOf(2) ?? "").toUpperCase()];
    const places = [0, 0, 1, 2, 3, 3, 0, 2];
    expect(named.map((text) => read(text))).toEqual(
      places.map((place) => expect.objectContaining({ tier: uidOf(place) })),
    );
    expect([read("SILVER"), read("4"), read("-1"), read("Platinum")]).toEqual(Array(4).fill(["tier_unknown tier"]));
  });

  test("blank leaves as it is, none clears the minimum, and something has to change", () => {
    expect(read("", "なし", "")).toEqual({ tier: undefined, minimumTier: null, skipNextCheck: undefined });
    expect(read("", "1", "no")).toEqual({ tier: undefined, minimumTier: uidOf(1), skipNextCheck: false });
    expect(read("", "", "")).toEqual(["nothing_to_change null"]);
    expect(read("x", "y", "z")).toEqual([
      "tier_unknown tier",
      "tier_unknown minimum_tier",
      "skip_unclear skip_next_check",
    ]);
  });
});
