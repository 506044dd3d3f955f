import { describe, expect, test } from "vitest";
import { type ParsedProgram, parseProgramDocument, programOf, showProgramDocument } from "./program-document.ts";
import { changesBetween, completeProgramDocument, mergeProgramDocument, shortensExpiration } from "./program-merge.ts";
import type { ProgramDocument } from "./program-schema.ts";

const example = {
  earning: { excluded_product_tags: ["no-points"] },
  campaigns: [
    {
      name: "Summer",
      starts_at: "2026-07-01",
      ends_at: "2026-07-31",
      point_value: 2,
      by_tier: { Silver: { point_value: 4 } },
    },
  ],
  tiers: { rules: [{ name: "Bronze" }, { name: "Silver", currency_spent_requirement: 50000 }] },
};

let made = 0;
/** New uids for each document, as a verb gives them. */
function makeUids(): string[] {
  return Array.from({ length: 50 }, () => `00000000-0000-7000-8000-${String(++made).padStart(12, "0")}`);
}

function parse(input: unknown, previous: ProgramDocument | null = null): ParsedProgram {
  return parseProgramDocument(input, { previous, spareUids: makeUids() });
}

function sound(input: unknown, previous: ProgramDocument | null = null): ProgramDocument {
  const parsed = parse(input, previous);
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  return parsed.document;
}

function pointersOfFaults(input: unknown, previous: ProgramDocument | null = null): string[] {
  const parsed = parse(input, previous);
  return parsed.kind === "faults" ? parsed.faults.map(({ pointer }) => pointer ?? "?").toSorted() : [];
}

describe("a document in part", () => {
  const present = sound(example);
  const apply = (given: unknown) => sound(mergeProgramDocument(present, given), present);

  test("fields given replace, others stay, lists are replaced whole", () => {
    const after = apply({
      earning: { pending_days: 3, excluded_product_tags: ["a"] },
      expiration: { delay_months: null },
    });
    expect(changesBetween(present, after)).toEqual([
      { pointer: "/earning/pending_days", before: 0, after: 3 },
      { pointer: "/earning/excluded_product_tags/0", before: "no-points", after: "a" },
      { pointer: "/expiration/delay_months", before: 12, after: null },
    ]);
    expect(apply({ campaigns: [] }).campaigns).toEqual([]);
    expect(apply({})).toEqual(present);
  });

  test("what is no object is a fault, not nothing", () => {
    expect(pointersOfFaults(mergeProgramDocument(present, []))).toEqual([""]);
    expect(pointersOfFaults(mergeProgramDocument(present, { earning: [] }))).toEqual(["/earning"]);
  });

  test("tiers keep their uids by uid, then by name", () => {
    const [bronze, silver] = present.tiers.rules;
    const rules = [
      { name: "Silver", currency_spent_requirement: 90 },
      { uid: bronze?.uid, name: "Basic" },
      { name: "Bronze", currency_spent_requirement: 10 },
    ];
    const after = apply({ tiers: { rules } }).tiers.rules;
    expect(after.map(({ uid }) => uid).slice(0, 2)).toEqual([silver?.uid, bronze?.uid]);
    expect([bronze?.uid, silver?.uid]).not.toContain(after[2]?.uid);
    expect(apply({ tiers: { rules: [] } }).tiers.rules).toMatchObject([{ uid: bronze?.uid, name: "Bronze" }]);
  });

  test("a campaign follows a renamed tier and forgets a deleted one", () => {
    const [bronze, silver] = present.tiers.rules;
    const renamed = apply({ tiers: { rules: [bronze, { ...silver, name: "Argent" }] } });
    expect(Object.keys(showProgramDocument(renamed).campaigns[0]?.by_tier ?? {})).toEqual(["Argent"]);
    expect(apply({ tiers: { rules: [bronze] } }).campaigns[0]?.by_tier).toEqual({});
  });

  test("a kept document without a field of today has its default", () => {
    const { rewards, ...older } = present;
    expect(rewards.signup).toBe(0);
    expect(completeProgramDocument(older)).toEqual(present);
  });

  test.each<[object, boolean]>([
    [{}, false],
    [{ delay_months: 11 }, true],
    [{ delay_months: 13 }, false],
    [{ delay_months: null }, false],
    [{ mode: "per_allotment" }, true],
    [{ mode: "per_allotment", delay_months: null }, false],
    [{ sweep: "yearly" }, false],
    [{ delay_months: 1, sweep: "yearly" }, true],
  ])("%j shortens: %s", (expiration, expected) => {
    const rules = (document: ProgramDocument) => programOf(document, { version: 1, shortenedAt: null }).expiration;
    expect(shortensExpiration(rules(present), rules(apply({ expiration })))).toBe(expected);
  });
});
