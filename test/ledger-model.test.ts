import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../src/customers/customer.ts";
import { postAllotments } from "../src/ledger/post-allotments.ts";
import type { Outcome } from "../src/ledger/posting.ts";
import type { CustomerPosting } from "../src/ledger/queue/posting-batch.ts";
import { verifyLedger } from "../src/ledger/verify-ledger.ts";
import { START, type Step, step } from "./ledger-model/histories.ts";
import { faultsOf, readStored } from "./ledger-model/invariants.ts";
import { type ModelAnswer, ModelCustomer, type ModelRules } from "./ledger-model/model.ts";
import { postingOf } from "./ledger-model/posting-of.ts";
import { makeCustomer } from "./support/customers.ts";
import { exampleRuns } from "./support/example-runs.ts";
import { startTestService, type TestService } from "./support/service.ts";

const CUSTOMERS = 8;
const RUNS = exampleRuns(30);

const PROGRAMS: { name: string; rules: ModelRules }[] = [
  {
    name: "sliding, 3 months, Tokyo",
    rules: { delayMonths: 3, mode: "sliding", timeZone: "Asia/Tokyo", returnedDays: 30 },
  },
  {
    name: "per allotment, 1 month, New York",
    rules: { delayMonths: 1, mode: "per_allotment", timeZone: "America/New_York", returnedDays: 1 },
  },
  { name: "never", rules: { delayMonths: null, mode: "sliding", timeZone: "UTC", returnedDays: 30 } },
];

describe.each(PROGRAMS)("random histories of many customers in shared batches: $name", ({ rules }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      worker: false,
      program: {
        store: { time_zone: rules.timeZone },
        expiration: { delay_months: rules.delayMonths, mode: rules.mode, returned_days: rules.returnedDays },
      },
    });
  });
  afterAll(() => service.stop());

  test("agree with the model and hold every invariant after every step", async () => {
    let now = START;
    const histories = fc.array(fc.array(step, { minLength: 2, maxLength: 9 }), {
      minLength: CUSTOMERS,
      maxLength: CUSTOMERS,
    });
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.boolean()), async (steps, coins) => {
        const players = await Promise.all(steps.map((own) => makePlayer(service, rules, own)));
        for (let i = 0; players.some((player) => i < player.steps.length); i++) {
          now = now.add({ hours: players[i % CUSTOMERS]?.steps[i]?.afterHours ?? 0 });
          service.clock.set(now);
          await playStep(service, players, i, now, coins);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const printed: string[] = [];
    expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
  });
});

interface Player {
  readonly customer: CustomerRow;
  readonly model: ModelCustomer;
  readonly steps: readonly Step[];
}

async function makePlayer(service: TestService, rules: ModelRules, steps: readonly Step[]): Promise<Player> {
  return { customer: await makeCustomer(service.deps), model: new ModelCustomer(rules), steps };
}

/** One step of every customer, split at random over two transactions that run at the same time. */
async function playStep(
  service: TestService,
  players: readonly Player[],
  i: number,
  now: Temporal.Instant,
  coins: Iterator<boolean>,
): Promise<void> {
  const moves = players.flatMap((player) => {
    const each = player.steps[i];
    const posting = each === undefined ? null : postingOf(service.deps.random.uid(), player.model, each.op, now);
    if (each === undefined || posting === null) return [];
    player.model.expire(now);
    return [{ player, posting, answer: player.model.apply(each.op, now) }];
  });
  const halves: (typeof moves)[] = [[], []];
  for (const move of moves) halves[coins.next().value === true ? 1 : 0]?.push(move);
  await Promise.all(
    halves.map(async (half) => {
      const outcomes = await post(
        service,
        half.map(({ player, posting }) => ({ customer: player.customer, posting })),
      );
      for (const [n, { answer }] of half.entries()) expectAnswer(outcomes[n], answer);
    }),
  );
  const stored = await readStored(
    service.deps.db,
    players.map((player) => player.customer.customerUid),
  );
  for (const { customer, model } of players) {
    const rows = stored.get(customer.customerUid);
    if (rows === undefined) throw new Error("a customer's rows are gone");
    expect(faultsOf(rows)).toEqual([]);
    expect(rows.points).toBe(model.balance());
    expect(rows.lots.map((lot) => `${lot.version}/${lot.part}:${lot.left}:${lot.date?.toString()}`).sort()).toEqual(
      model.lots
        .filter((lot) => lot.left > 0n)
        .map((lot) => `${lot.version}/${lot.part}:${lot.left}:${lot.ownDate?.toString()}`)
        .sort(),
    );
  }
}

function post(service: TestService, postings: CustomerPosting[]): Promise<Outcome[]> {
  return service.deps.db.tx((tx) => postAllotments(tx, service.deps, postings));
}

function expectAnswer(outcome: Outcome | undefined, answer: ModelAnswer): void {
  expect(outcome?.kind).toBe(answer.kind);
  if (outcome?.kind === "posted" && answer.kind === "posted") expect(outcome.pointValue).toBe(answer.value);
}
