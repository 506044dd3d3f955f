import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import { mergeCustomers } from "../../../src/intake/merge-customers.ts";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { nextBirthdayRunAt } from "../../../src/rewards/next-birthday-run-at.ts";
import { rewardBirthdays } from "../../../src/rewards/reward-birthdays.ts";
import { mergeInto } from "../../support/customers.ts";
import { type StoryService, startStory } from "../../support/story.ts";

const REWARDS = { signup: 100, marketing_opt_in: 30, birthday: 500 };

let story: StoryService;
let year: number;
/** A time of the store's n-th whole year. */
const at = (n: number, rest: string) => `${year + n}-${rest}+09:00`;

beforeAll(async () => {
  story = await startStory({ store: { currency: "JPY", time_zone: "Asia/Tokyo" }, rewards: REWARDS });
  // The first whole year is a common one before a leap year.
  year = story.firstYear;
  while ((year + 1) % 4 !== 0) year++;
  await story.goTo(at(0, "01-10T00:00:00"));
});
afterAll(() => story.stop());

/** Without what expires between them. */
async function rewardRows(id: string) {
  return (await story.allotments(id)).filter(({ type }) => type === "reward");
}

async function rewardsOf(id: string): Promise<(readonly [object: unknown, points: unknown])[]> {
  const rows = await rewardRows(id);
  return rows.map(({ object, point_value }) => [object, point_value] as const);
}

async function put(id: string, body: object): Promise<void> {
  expect((await story.client.put(`/api/storefront/customers/${id}`, body)).status).toBeLessThan(300);
}

const now = async (): Promise<string> => (await story.client.get("/sandbox/clock")).body.now;

/** Merges two customers, and does something that waits for the merge's locks before it ends. */
async function duringMerge<T>(
  deps: StoryService["deps"],
  ids: { readonly removedId: string; readonly keptId: string },
  work: () => Promise<T>,
): Promise<T | undefined> {
  let working: Promise<T> | undefined;
  await deps.db.tx(async (tx) => {
    await mergeCustomers(tx, deps, { ...ids, appReference: "test" });
    working ??= work();
    const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await vi.waitFor(async () => expect(await deps.db.query(waits)).not.toEqual([]), 10_000);
  });
  return await working;
}

describe("a signup", () => {
  test("is rewarded once, with all that accounting needs", async () => {
    const created = { created_at: await now() };
    await story.customer("1", created);
    await story.customer("1", { ...created, name: "Hanako" });
    const [reward, ...more] = await story.allotments("1");
    expect(more).toEqual([]);
    expect(reward).toMatchObject({
      type: "reward",
      object: "reward-1",
      point_value: 100,
      app_reference: "pointkeeper",
    });
    const rows = await story.deps.db.query(
      "select source_key like 'reward/signup/%' as key, origin, extends from allotment",
    );
    expect(rows).toEqual([{ key: true, origin: "promotion", extends: true }]);
  });

  test("is none: an import, a customer from before this service, one without a date", async () => {
    await put("2", { email: "2@example.com" });
    await story.customer("3", { created_at: "2020-01-01T00:00:00Z" });
    await story.customer("4");
    for (const id of ["2", "3", "4"]) expect(await rewardsOf(id)).toEqual([]);
  });

  test("pays what the program of its time says, however late it is told", async () => {
    const before = at(0, "01-12T00:00:00");
    await story.goTo(at(0, "01-15T00:00:00"));
    await apply({ rewards: { signup: 70 } });
    await story.customer("5", { created_at: before });
    await story.customer("6", { created_at: at(0, "01-15T00:00:00") });
    await apply({ rewards: REWARDS });
    expect(await rewardsOf("5")).toEqual([["reward-1", 100]]);
    expect(await rewardsOf("6")).toEqual([["reward-1", 70]]);
  });

  test("of a customer who is merged meanwhile with one who had it is none", async () => {
    const created_at = await now();
    await story.goTo(at(0, "01-15T12:00:00"));
    await story.customer("8", { created_at });
    await story.customer("9");
    const payload = { customer_id: "9", created_at };
    await story.client.post("/intake/events", { type: "CustomerUpserted", occurred_at: created_at, payload });
    await duringMerge(story.deps, { removedId: "8", keptId: "9" }, () => processAllReceipts(story.deps));
    expect(await rewardsOf("9")).toEqual([]);
    expect(await story.balance("9")).toBe(100);
  });

  test("waits for a disabled account to be enabled", async () => {
    const created = { created_at: await now() };
    await story.customer("7", { ...created, account_enabled: false });
    expect(await rewardsOf("7")).toEqual([]);
    await story.customer("7", { ...created, account_enabled: true });
    expect(await rewardsOf("7")).toEqual([["reward-1", 100]]);
  });
});

function apply(document: object) {
  return applyProgram(story.deps, { document, author: "test", isDryRun: false });
}

test("an opt-in is rewarded once in a life, whatever comes and goes, in any order", async () => {
  await story.goTo(at(0, "01-20T00:00:00"));
  const consent = (accepts: boolean, hours: string) => ({
    accepts_marketing: accepts,
    consent_updated_at: at(0, `01-20T${hours}:00:00`),
  });
  await story.customer("10", consent(false, "00"));
  expect(await rewardsOf("10")).toEqual([]);
  for (const [accepts, hours] of [
    [true, "01"],
    [false, "02"],
    [true, "03"],
  ] as const)
    await story.customer("10", consent(accepts, hours));
  expect(await rewardsOf("10")).toEqual([["reward-2", 30]]);
  await story.customer("11", consent(false, "02"));
  await story.customer("11", consent(true, "01"));
  expect(await rewardsOf("11")).toEqual([["reward-2", 30]]);
  await story.customer("12", { accepts_marketing: true, consent_updated_at: "2020-01-01T00:00:00Z" });
  expect(await rewardsOf("12")).toEqual([]);
});

describe("a birthday", () => {
  test("is rewarded at the start of the store's day, every year; 29 February on the 28th of a common year", async () => {
    await put("20", { birthday: "1990-02-20" });
    await put("21", { birthday: "--02-29" });
    await story.goTo(at(0, "02-19T23:59:59"));
    expect(await rewardsOf("20")).toEqual([]);
    await story.goTo(at(0, "02-20T00:00:00"));
    expect(await rewardsOf("20")).toEqual([["reward-3", 500]]);
    await story.goTo(at(0, "02-28T00:00:00"));
    expect(await rewardsOf("21")).toHaveLength(1);
    await story.goTo(at(1, "02-28T23:00:00"));
    expect([(await rewardsOf("20")).length, (await rewardsOf("21")).length]).toEqual([2, 1]);
    await story.goTo(at(1, "02-29T00:00:00"));
    expect(await rewardsOf("21")).toHaveLength(2);
    await story.goTo(at(2, "02-28T00:00:00"));
    expect([(await rewardsOf("20")).length, (await rewardsOf("21")).length]).toEqual([3, 3]);
    const times = (await rewardRows("21")).map(({ allotted_at }) => String(allotted_at).slice(0, 16));
    expect(times).toEqual([`${year}-02-27T15:00`, `${year + 1}-02-28T15:00`, `${year + 2}-02-27T15:00`]);
    const rows = await story.deps.db.query("select distinct extends from allotment where object = 'reward-3'");
    expect(rows).toEqual([{ extends: false }]);
  });

  test("changed to dodge the once-a-year rule brings nothing for 12 months", async () => {
    await story.goTo(at(3, "01-10T00:00:00"));
    await put("30", { birthday: "1990-01-15" });
    await story.goTo(at(3, "01-15T00:00:00"));
    await put("30", { birthday: "1990-06-01" });
    await story.goTo(at(3, "12-31T00:00:00"));
    expect(await rewardsOf("30")).toHaveLength(1);
    await story.goTo(at(4, "01-14T00:00:00"));
    await put("30", { birthday: "1990-01-14" });
    await story.goTo(at(4, "03-01T00:00:00"));
    expect(await rewardsOf("30")).toHaveLength(1);
    await story.goTo(at(5, "01-14T00:00:00"));
    expect(await rewardsOf("30")).toHaveLength(2);
  });

  test("told on its day or set to a day that has passed waits for the next year", async () => {
    await story.goTo(at(5, "05-10T12:00:00"));
    await put("31", { birthday: "1990-05-10" });
    await put("32", { birthday: "1990-04-01" });
    await story.goTo(at(5, "05-20T00:00:00"));
    expect([await rewardsOf("31"), await rewardsOf("32")]).toEqual([[], []]);
    await story.goTo(at(6, "05-10T00:00:00"));
    expect([(await rewardsOf("31")).length, (await rewardsOf("32")).length]).toEqual([1, 1]);
  });

  test("of a disabled or deleted account is not rewarded", async () => {
    await put("33", { birthday: "1990-07-01", account_enabled: false });
    await put("34", { birthday: "1990-07-01" });
    await story.send("CustomerDeleted", await now(), { customer_id: "34" });
    await story.goTo(at(6, "07-02T00:00:00"));
    expect(await rewardsOf("33")).toEqual([]);
    const rows = await story.deps.db.query(
      "select from allotment a join customer c using (bucket, customer_uid) where storefront_id = '34'",
    );
    expect(rows).toEqual([]);
  });

  test("that was known before its day is paid, whether a merge brings it or its year is stated on that day", async () => {
    await put("35", { birthday: "1990-07-20" });
    await put("39", { birthday: "--07-20" });
    await put("36", { name: "Hanako" });
    await story.goTo(at(6, "07-19T23:00:00"));
    const morning = { ...story.deps, clock: { now: () => Temporal.Instant.from(at(6, "07-20T00:00:10")) } };
    await mergeInto(morning, "35", "36");
    await morning.db.tx((tx) => upsertCustomer(tx, morning, { storefrontId: "39", birthday: "1990-07-20" }));
    expect(await rewardBirthdays(morning)).toBe(2);
    expect(await rewardsOf("36")).toEqual([["reward-3", 500]]);
  });

  test("brings nothing once a merge that waits for the same customer has brought the reward of another", async () => {
    await put("37", { birthday: "1990-07-24" });
    await put("38", { birthday: "1990-07-25" });
    await story.goTo(at(6, "07-24T12:00:00"));
    expect(await rewardsOf("37")).toHaveLength(1);
    const next = { ...story.deps, clock: { now: () => Temporal.Instant.from(at(6, "07-25T00:00:10")) } };
    expect(await duringMerge(next, { removedId: "37", keptId: "38" }, () => rewardBirthdays(next))).toBe(0);
    expect(await rewardsOf("38")).toEqual([]);
  });

  test("missed while the service was down is made up, by several nodes at once and after kills, once", async () => {
    const { deps } = story;
    const count = 1_100; // more than two batches
    await deps.db.execute(
      `with made as (select n, gen_random_uuid() as uid from generate_series(1, $1::bigint) n),
      customers as (
        insert into customer (bucket, customer_uid, storefront_id, birthday, created_at)
        select get_byte(uuid_send(uid), 15), uid, 'many-' || n, '1980-08-' || case when n % 2 = 0 then '01' else '03' end, $2 from made),
      aliases as (
        insert into customer_alias (storefront_id, bucket, customer_uid) select 'many-' || n, get_byte(uuid_send(uid), 15), uid from made)
      insert into balance (bucket, customer_uid) select get_byte(uuid_send(uid), 15), uid from made`,
      [count, await now().then(Temporal.Instant.from)],
    );
    const late = { ...deps, clock: { now: () => Temporal.Instant.from(at(6, "08-04T10:00:00")) } };
    let transactions = 0;
    const dying: typeof late = {
      ...late,
      db: {
        ...deps.db,
        tx: (work) =>
          deps.db.tx(async (tx) => {
            const answer = await work(tx);
            if (++transactions % 2 === 0) throw new Error("killed");
            return answer;
          }),
      },
    };
    expect(String(await nextBirthdayRunAt(deps.db))).toBe(`${year + 6}-07-31T15:00:00Z`);
    await expect(rewardBirthdays(dying)).rejects.toThrow("killed");
    const paid = await Promise.all([rewardBirthdays(late), rewardBirthdays(late), rewardBirthdays(late)]);
    expect(paid.reduce((sum, n) => sum + n, 0)).toBe(count - 500);
    const rows = await deps.db.query<{ count: bigint }>(
      "select count(*) from allotment a join customer c using (bucket, customer_uid) where c.storefront_id like 'many-%' group by customer_uid",
    );
    expect(rows.length).toBe(count);
    expect(new Set(rows.map((row) => row.count))).toEqual(new Set([1n]));
    expect(await rewardBirthdays(late)).toBe(0);
  });

  test("leaves the ledger whole", async () => {
    const lines: string[] = [];
    expect((await verifyLedger(story.deps.db, (line) => lines.push(line))).ok, lines.join("\n")).toBe(true);
  });
});
