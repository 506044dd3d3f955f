import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePostings } from "../../src/ledger/decide-postings.ts";
import type { ExpiryRules } from "../../src/ledger/expiry/expiry.ts";
import { compareAge, compareDated, type Draw, type Lot } from "../../src/ledger/lots/lots.ts";
import type { CustomerChange, CustomerLedger, LotWindow, Posting } from "../../src/ledger/posting.ts";
import { rules, START, type Step, step } from "./histories.ts";
import { ModelCustomer, type ModelRules } from "./model.ts";
import { postingOf } from "./posting-of.ts";

const RUNS = 3_000;

/** The customer's rows as the database would keep them, in memory. */
interface Rows {
  ledger: CustomerLedger;
  lots: Lot[];
  draws: Map<bigint, Draw[]>;
}

const NEW_LEDGER: CustomerLedger = {
  bucket: 1,
  customerUid: "c",
  ledgerPoints: 0n,
  heldPoints: 0n,
  heldUntil: null,
  owedPoints: 0n,
  version: 0n,
  lastAllottedAt: null,
  activeAt: null,
  oldestSince: null,
  soonestExpiresAt: null,
  earnedAt: null,
};

function toExpiryRules(model: ModelRules): ExpiryRules {
  return { ...model, sweep: "daily", couponsExtend: true, shorteningDays: 30, shortenedAt: null };
}

function readWindow(rows: Rows, size: number, posting: Posting): LotWindow {
  const dated = rows.lots.filter((lot) => lot.expiresAt !== null).sort(compareDated);
  const undated = rows.lots.filter((lot) => lot.expiresAt === null).sort(compareAge);
  return {
    dated: dated.slice(0, size),
    datedMore: dated.length > size,
    undated: undated.slice(0, size),
    undatedMore: undated.length > size,
    named: rows.lots.filter((lot) => posting.drawFirst.includes(lot.version)),
  };
}

function apply(rows: Rows, change: CustomerChange): void {
  const gone = new Set([...change.lotsUsedUp, ...change.lotsChanged].map((lot) => `${lot.version}/${lot.part}`));
  rows.lots = [
    ...rows.lots.filter((lot) => !gone.has(`${lot.version}/${lot.part}`)),
    ...change.lotsChanged,
    ...change.lotsOpened,
  ];
  for (const draw of change.draws) rows.draws.set(draw.byVersion, [...(rows.draws.get(draw.byVersion) ?? []), draw]);
  rows.ledger = change.after;
}

function decide(rows: Rows, posting: Posting, now: Temporal.Instant, expiry: ExpiryRules): CustomerChange {
  let uid = 0;
  const context = { now, watermarkAt: null, rules: expiry, counted: new Map(), nextUid: () => `expiration-${uid++}` };
  for (let size = 0; ; size = size * 2 + 1) {
    const lots = readWindow(rows, size, posting);
    const change = decidePostings({ before: rows.ledger, lots, drawsOf: rows.draws, postings: [posting] }, context);
    if (change !== null) return change;
  }
}

describe("the decision of postings", () => {
  test("agrees with the model in thousands of random histories, whatever windows of lots it is given", () => {
    let histories = 0;
    fc.assert(
      fc.property(rules, fc.array(step, { minLength: 3, maxLength: 25 }), (modelRules, steps) => {
        histories++;
        runHistory(modelRules, steps);
      }),
      { numRuns: RUNS },
    );
    expect(histories).toBeGreaterThanOrEqual(RUNS);
  });
});

function runHistory(modelRules: ModelRules, steps: readonly Step[]): void {
  const model = new ModelCustomer(modelRules);
  const rows: Rows = { ledger: NEW_LEDGER, lots: [], draws: new Map() };
  let now = START;
  for (const [i, each] of steps.entries()) {
    now = now.add({ hours: each.afterHours });
    const posting = postingOf(`uid-${i}`, model, each.op, now);
    if (posting === null) continue;
    model.expire(now);
    const answer = model.apply(each.op, now);
    const change = decide(rows, posting, now, toExpiryRules(modelRules));
    apply(rows, change);
    const [outcome] = change.outcomes;
    expect(outcome?.kind).toBe(answer.kind);
    if (outcome?.kind === "posted" && answer.kind === "posted") expect(outcome.pointValue).toBe(answer.value);
    expectSame(rows, model);
  }
}

function expectSame(rows: Rows, model: ModelCustomer): void {
  expect(rows.ledger.ledgerPoints).toBe(model.balance());
  expect(Number(rows.ledger.version)).toBe(model.allotments.length);
  expect(rows.ledger.lastAllottedAt?.toString()).toBe(model.allotments.at(-1)?.at.toString());
  const left = (lots: readonly { version: bigint | number; part: number; left: bigint; date: string | undefined }[]) =>
    lots.map((lot) => `${lot.version}/${lot.part}: ${lot.left} until ${lot.date}`).sort();
  expect(left(rows.lots.map((lot) => ({ ...lot, left: lot.remaining, date: lot.expiresAt?.toString() })))).toEqual(
    left(model.lots.filter((lot) => lot.left > 0n).map((lot) => ({ ...lot, date: lot.ownDate?.toString() }))),
  );
  const oldest = rows.lots.filter((lot) => lot.expiresAt === null).sort(compareAge)[0];
  expect(rows.ledger.oldestSince?.toString()).toBe(oldest?.since.toString());
}
