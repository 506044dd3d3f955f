import fc from "fast-check";
import { expect, test } from "vitest";
import { parseProgramDocument, programOf } from "../../program/program-document.ts";
import { SETUP_STEPS, type SetupFacts, setupSteps } from "./setup-steps.ts";

function program(document: object) {
  const spareUids = Array.from({ length: 20 }, (_, n) => `0190a8f0-0000-7000-8000-${String(n).padStart(12, "0")}`);
  const parsed = parseProgramDocument(document, { previous: null, spareUids });
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  return programOf(parsed.document, { version: 1, shortenedAt: null });
}

const NEW_STORE: SetupFacts = {
  builtIn: program({}),
  program: program({}),
  lastReceiptAt: null,
  hasImport: false,
  owners: 1,
  confirmed: new Set(),
};

const doneOf = (facts: Partial<SetupFacts>) =>
  setupSteps({ ...NEW_STORE, ...facts })
    .filter(({ isDone }) => isDone)
    .map(({ step }) => step);

test("a new store has done nothing of it", () => {
  expect(doneOf({})).toEqual([]);
});

test.each([
  ["store", { program: program({ store: { currency: "USD", time_zone: "America/New_York" } }) }],
  ["rate", { program: program({ earning: { point_value: 5 } }) }],
  [
    "tiers",
    {
      program: program({
        tiers: {
          rules: [
            { name: "Bronze", currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
            { name: "Gold", currency_spent_requirement: 5, point_value: 1, currency_value: 100 },
          ],
        },
      }),
    },
  ],
  ["expiry", { program: program({ expiration: { delay_months: null } }) }],
  ["platform", { lastReceiptAt: Temporal.Instant.from("2026-03-01T00:00:00Z") }],
  ["import", { hasImport: true }],
  ["second_owner", { owners: 2 }],
] as const)("%s is done when it is there", (step, facts) => {
  expect(doneOf(facts)).toContain(step);
});

test("a confirmed step is done whatever is there, and only an unchanged one can be taken back", () => {
  fc.assert(
    fc.property(fc.subarray([...SETUP_STEPS]), fc.integer({ min: 0, max: 3 }), (confirmed, owners) => {
      const states = setupSteps({ ...NEW_STORE, owners, confirmed: new Set(confirmed) });
      for (const { step, isDone, isConfirmed } of states) {
        const isThere = step === "second_owner" && owners >= 2;
        expect({ isDone, isConfirmed }).toEqual({
          isDone: isThere || confirmed.includes(step),
          isConfirmed: !isThere && confirmed.includes(step),
        });
      }
    }),
  );
});
