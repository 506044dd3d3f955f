import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isLeaseOver, type LeasedRow, leasesOf } from "../../src/db/lease.ts";
import { createRandom } from "../../src/random.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

interface Task extends LeasedRow {
  readonly attempts: number;
}

const tasks = leasesOf<Task>({
  update: "update task",
  key: "uid",
  free: `select w.uid
  from task w
  where w.lease_until is null
    or ${isLeaseOver("w")}
  order by w.place`,
  columns: `l.uid, l.lease_uid as "leaseUid", l.attempts`,
  seconds: 60,
});

const random = createRandom();
const uids = ["first", "second", "third"].map(() => random.uid());
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.owner.execute(`create table task (
    uid uuid primary key,
    place integer not null,
    lease_uid uuid,
    lease_until timestamptz,
    attempts smallint not null default 0)`);
});
beforeEach(async () => {
  await database.db.execute("delete from task");
  await database.db.execute("insert into task (uid, place) select * from unnest($1::uuid[], $2::integer[])", [
    uids,
    uids.map((_, place) => place),
  ]);
});
afterAll(() => database.drop());

const claim = () => tasks.claim(database.db, random.uid());

async function claimed(): Promise<Task> {
  const task = await claim();
  if (task === undefined) throw new Error("expected a free task");
  return task;
}

/** As after the lease's 60 seconds. */
async function expire(uid: string): Promise<void> {
  await database.db.execute("update task set lease_until = clock_timestamp() - interval '1 second' where uid = $1", [
    uid,
  ]);
}

async function secondsLeft(uid: string): Promise<number> {
  const text = `select extract(epoch from lease_until - clock_timestamp())::float8 as left from task where uid = $1`;
  const [row] = await database.db.query<{ left: number }>(text, [uid]);
  return row?.left ?? Number.NaN;
}

async function stored(uid: string): Promise<unknown> {
  const text = `select lease_uid as "leaseUid", attempts from task where uid = $1`;
  return (await database.db.query(text, [uid]))[0];
}

test("of claims at the same moment each gets a row of its own, in order, until none is free", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, claim));
  const won = all.filter((task) => task !== undefined);
  expect(won.map(({ uid }) => uid).sort()).toEqual([...uids].sort());
  expect(new Set(won.map(({ leaseUid }) => leaseUid)).size).toBe(3);
  expect(won.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
});

test("a claim passes over a row that another transaction is just taking", async () => {
  await database.db.tx(async (tx) => {
    expect((await tasks.claim(tx, random.uid()))?.uid).toBe(uids[0]);
    expect((await claimed()).uid).toBe(uids[1]);
  });
});

test("a lease is for so many seconds, is renewed for as many again, and a row whose lease is over is free", async () => {
  const task = await claimed();
  await expire(task.uid);
  expect(await tasks.renew(database.db, task)).toBe(true); // nobody took it meanwhile
  expect(await secondsLeft(task.uid)).toBeGreaterThan(50);
  expect(await secondsLeft(task.uid)).toBeLessThanOrEqual(60);
  expect((await claimed()).uid).toBe(uids[1]);
  await expire(task.uid);
  expect(await claimed()).toMatchObject({ uid: task.uid, attempts: 2 });
});

test("whoever lost a lease neither renews it nor gives it back nor counts for the one who has it", async () => {
  const lost = await claimed();
  await expire(lost.uid);
  const holder = await claimed();
  expect(holder.uid).toBe(lost.uid);
  expect(await tasks.renew(database.db, lost)).toBe(false);
  await tasks.release(database.db, lost, { waitS: 0, isCounted: false });
  await tasks.postpone(database.db, lost, 0);
  await tasks.noteProgress(database.db, lost);
  expect(await stored(lost.uid)).toEqual({ leaseUid: holder.leaseUid, attempts: 2 });
  expect(await secondsLeft(lost.uid)).toBeGreaterThan(50);
  expect(await tasks.renew(database.db, holder)).toBe(true);
});

test("a row that was given back waits its seconds, and its attempt counts where it is told to", async () => {
  const task = await claimed();
  await tasks.release(database.db, task, { waitS: 30, isCounted: true });
  expect(await stored(task.uid)).toEqual({ leaseUid: null, attempts: 1 });
  expect(await secondsLeft(task.uid)).toBeGreaterThan(20);
  expect(await secondsLeft(task.uid)).toBeLessThanOrEqual(30);
  expect((await claimed()).uid).toBe(uids[1]);
  expect(await tasks.renew(database.db, task)).toBe(false); // a renewal under way takes nothing back
  await expire(task.uid);
  const again = await claimed();
  await tasks.release(database.db, again, { waitS: 0, isCounted: false });
  expect(await stored(task.uid)).toEqual({ leaseUid: null, attempts: 1 });
});

test("a postponed row stays under its lease, and progress makes the next failure the first", async () => {
  const task = await claimed();
  await tasks.postpone(database.db, task, 300);
  expect(await stored(task.uid)).toEqual({ leaseUid: task.leaseUid, attempts: 1 });
  expect(await secondsLeft(task.uid)).toBeGreaterThan(250);
  await tasks.noteProgress(database.db, task);
  expect(await stored(task.uid)).toEqual({ leaseUid: task.leaseUid, attempts: 0 });
});
