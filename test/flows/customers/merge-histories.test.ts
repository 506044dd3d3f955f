import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/** A person's points, the slow and obvious way (program.md 5): UTC, three months, sliding, swept at midnight. */
interface Person {
  readonly lots: { left: bigint; since: Temporal.Instant; own: Temporal.Instant | null }[];
  activeAt: Temporal.Instant | null;
}

const dateOf = (person: Person, lot: Person["lots"][number]): Temporal.Instant => {
  const slid = person.activeAt !== null && Temporal.Instant.compare(person.activeAt, lot.since) > 0;
  const start = (slid ? person.activeAt : lot.since)?.toZonedDateTimeISO("UTC").add({ months: 3 });
  const at = lot.own?.toZonedDateTimeISO("UTC") ?? start;
  if (at === undefined) throw new Error("no date");
  return (at.equals(at.startOfDay()) ? at : at.add({ days: 1 }).startOfDay()).toInstant();
};
const sum = (person: Person) => person.lots.reduce((total, { left }) => total + left, 0n);

function expire(person: Person, now: Temporal.Instant): void {
  for (const lot of person.lots) if (Temporal.Instant.compare(dateOf(person, lot), now) <= 0) lot.left = 0n;
}

function take(person: Person, points: bigint): void {
  const burning = person.lots
    .filter(({ left }) => left > 0n)
    .sort(
      (a, b) =>
        Temporal.Instant.compare(dateOf(person, a), dateOf(person, b)) ||
        Number(a.own === null) - Number(b.own === null) ||
        (a.own !== null && b.own !== null ? Temporal.Instant.compare(a.own, b.own) : 0) ||
        Temporal.Instant.compare(a.since, b.since),
    );
  let wanted = points;
  for (const lot of burning) {
    const taken = lot.left < wanted ? lot.left : wanted;
    lot.left -= taken;
    wanted -= taken;
  }
}

const op = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("post" as const),
      who: fc.nat(2),
      points: fc.bigInt({ min: -60n, max: 60n }).filter((n) => n !== 0n),
      extends: fc.boolean(),
      ownDays: fc.option(fc.integer({ min: 1, max: 200 }), { freq: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("merge" as const), who: fc.nat(2), into: fc.nat(2) }) },
);
const history = fc.array(fc.record({ afterHours: fc.integer({ min: 1, max: 24 * 40 }), op }), {
  minLength: 4,
  maxLength: 24,
});

let service: TestService;
beforeAll(async () => {
  const program = { store: { time_zone: "UTC" }, expiration: { delay_months: 3, mode: "sliding" } };
  service = await startTestService({ worker: false, program });
});
afterAll(() => service.stop());

const post = async (id: string, posting: { points: bigint; extends: boolean; expiresAt: Temporal.Instant | null }) =>
  service.deps.db.tx(async (tx) => {
    const [ref] = await tx.query<{ bucket: number; customerUid: string }>(
      `select bucket, customer_uid as "customerUid" from customer_alias where storefront_id = $1`,
      [id],
    );
    if (ref === undefined) throw new Error("no customer");
    const change = { kind: "add", pointValue: posting.points, shortfall: "refuse" } as const;
    const plain = plainPosting(service.deps.random.uid(), "api", "test", change);
    const extended = posting.extends ? ("credit" as const) : ("never" as const);
    return postAllotments(tx, service.deps, [
      { customer: ref, posting: { ...plain, extends: extended, expiresAt: posting.expiresAt } },
    ]);
  });

async function expectSame(id: string, person: Person, now: Temporal.Instant): Promise<void> {
  const { data } = (await service.client.get(`/api/storefront/point_balances/${id}`)).body;
  const alive = person.lots.filter((lot) => lot.left > 0n && Temporal.Instant.compare(dateOf(person, lot), now) > 0);
  expect(BigInt(data.point_balance)).toBe(alive.reduce((total, { left }) => total + left, 0n));
  const byDate = new Map<string, bigint>();
  for (const lot of alive) {
    const date = dateOf(person, lot).toString();
    byDate.set(date, (byDate.get(date) ?? 0n) + lot.left);
  }
  const expiries = (await service.client.get(`/api/storefront/point_balances/${id}/expiries`)).body.data;
  const shown = expiries.map((row: { expires_at: string; point_value: number }) => [
    Temporal.Instant.from(row.expires_at).toString(),
    BigInt(row.point_value),
  ]);
  expect(shown).toEqual([...byDate].sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("three customers who become one at random times are as one person who had all their lots", async () => {
  let now = Temporal.Instant.from("2026-03-01T09:30:00Z");
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const customers = [
        await makeCustomer(service.deps),
        await makeCustomer(service.deps),
        await makeCustomer(service.deps),
      ];
      const ids = customers.map(({ storefrontId }) => storefrontId);
      const gone = new Set<number>();
      const people: Person[] = ids.map(() => ({ lots: [], activeAt: null }));
      for (const { afterHours, op } of steps) {
        now = now.add({ hours: afterHours });
        service.clock.set(now);
        const [person, id] = [people[op.who], ids[op.who]];
        if (person === undefined || id === undefined) throw new Error("nobody");
        if (op.kind === "post") {
          const expiresAt = op.points > 0n && op.ownDays !== null ? now.add({ hours: 24 * op.ownDays }) : null;
          expire(person, now);
          const [outcome] = await post(id, { ...op, expiresAt });
          expect(outcome?.kind).toBe(sum(person) + op.points < 0n ? "refused" : "posted");
          if (outcome?.kind !== "posted") continue;
          if (op.points < 0n) take(person, -op.points);
          else person.lots.push({ left: op.points, since: now, own: expiresAt });
          if (op.points > 0n && op.extends) person.activeAt = now;
        } else {
          const [kept, keptId] = [people[op.into], ids[op.into]];
          if (kept === undefined || keptId === undefined || keptId === id) continue;
          await mergeInto(service.deps, id, keptId);
          if (kept === person || gone.has(op.who)) continue; // an id that was merged away is nobody's to merge
          gone.add(op.who);
          expire(person, now);
          kept.lots.push(...person.lots.filter(({ left }) => left > 0n));
          const later = [kept.activeAt, person.activeAt]
            .filter((at) => at !== null)
            .sort(Temporal.Instant.compare)
            .at(-1);
          kept.activeAt = later ?? null;
          for (const [i, each] of people.entries()) if (each === person) people[i] = kept;
        }
        for (const [i, each] of people.entries()) await expectSame(ids[i] ?? "", each, now);
      }
    }),
    { numRuns: exampleRuns(12), endOnFailure: true },
  );
  const printed: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
});
