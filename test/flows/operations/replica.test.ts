import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openPool, sqlState } from "../../../src/db/pool.ts";
import type { Reads } from "../../../src/db/reads.ts";
import { createReplica, type Replica } from "../../../src/db/replica.ts";
import { makeExports } from "../../../src/exports/make-exports.ts";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { createLog } from "../../../src/log.ts";
import type { Answer } from "../../support/client.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type AdminClient, adminClient, signIn } from "../../support/staff.ts";
import { type ReplicatedDatabase, startReplicatedDatabase } from "../../support/standby.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** While the standby stands still, a busy machine may take long to ask it. */
const PATIENT_MS = 60_000;
/** Where its age is waited for: several beats, each of which a busy machine may hold up. */
const AGE_MAX_MS = 6_000;
const LIST = "/api/storefront/point_allotments?direction=desc";
const FRESH = { "cache-control": "no-cache" };

const RECOVERY_CONFLICT = "40001";
let servers: ReplicatedDatabase;
let replica: Replica;
let service: TestService;
let staff: AdminClient;
let lines: string[] = [];

beforeAll(async () => {
  servers = await startReplicatedDatabase();
  replica = openReplica(PATIENT_MS);
  service = await startTestService({
    database: servers.primary,
    reads: { run: (work, need) => replica.run(work, need), replica: () => replica.replica() },
    config: { replicaAgeMaxMs: PATIENT_MS },
    worker: false,
  });
  staff = await signIn(service, "owner");
  for (const id of ["ann", "bob"]) await service.client.put(`/api/storefront/customers/${id}`, {});
});
beforeEach(async () => {
  await waitUntil(() => replica.replica()?.isUsed === true);
  await servers.catchUp();
  lines = [];
});
afterEach(() => servers.onStandby("select pg_wal_replay_resume()").catch(() => {}));
afterAll(async () => {
  await service?.stop();
  await replica?.close();
  await servers?.drop();
});

function openReplica(ageMaxMs: number): Replica {
  const { primary, standby } = servers;
  const log = createLog({ level: "info", pretty: false, write: (line) => void lines.push(line) });
  const pool = openPool({ connection: standby, statementMs: 60_000 });
  return createReplica({ primary: primary.db, replica: pool, nodeUid: randomUUID(), ageMaxMs, log });
}

/** From now on the service has a standby that may be as old as this. */
async function useReplica(ageMaxMs: number): Promise<void> {
  const before = replica;
  replica = openReplica(ageMaxMs);
  await before.close();
  await waitUntil(() => replica.replica()?.isUsed === true);
  lines = [];
}

async function award(points: number): Promise<string> {
  const body = { customer_id: "ann", point_value: points };
  return (await service.client.post("/api/storefront/point_allotments", body)).body.data.uid;
}

const uidsOf = (answer: Answer): string[] => answer.body.data.map(({ uid }: { uid: string }) => uid);
const list = (headers?: Record<string, string>) => service.client.get(LIST, headers);

/** What is replayed then may end the statement that asked for it, as one that reads what is removed. */
async function resumeReplay(): Promise<void> {
  await servers.onStandby("select pg_wal_replay_resume()").catch((error: unknown) => {
    if (sqlState(error) !== RECOVERY_CONFLICT) throw error;
  });
}

async function pauseReplay(): Promise<void> {
  await servers.onStandby("select pg_wal_replay_pause()");
  const state = "select pg_get_wal_replay_pause_state() as state";
  await waitUntil(async () => (await servers.onStandby(state))[0]?.["state"] === "paused"); // until then it goes on
}

test("lists come from the standby and say how old they are; what a customer has, from the primary", async () => {
  await pauseReplay();
  const uid = await award(5);
  const stale = await list();
  expect([uidsOf(stale).includes(uid), stale.headers.get("age")]).toEqual([false, expect.any(String)]);
  expect(Number(stale.headers.get("age"))).toBeLessThanOrEqual(PATIENT_MS / 1_000);
  const own = await service.client.get("/api/storefront/point_allotments/ann?direction=desc");
  expect([uidsOf(own)[0], own.headers.get("age")]).toEqual([uid, null]);
});

test("who asks for it gets what is there now, or what is new enough", async () => {
  await pauseReplay();
  const uid = await award(5);
  const fresh = await list(FRESH);
  expect([uidsOf(fresh)[0], fresh.headers.get("age")]).toEqual([uid, null]);
  expect((await list({ "cache-control": "max-age=0" })).headers.get("age")).toBeNull();
  expect((await list({ "cache-control": "max-age=60" })).headers.get("age")).not.toBeNull();
});

test("every address that may be read from the standby is, so none of them writes", async () => {
  const uid = await award(7);
  await servers.catchUp();
  const paths = [
    ...["/home", "/ledger", "/ledger/totals", "/customers", "/customers?q=ann", "/orders", "/audit"],
    ...["/webhooks/deliveries", "/intake/receipts", "/customers/ann/explanation", `/ledger/${uid}/explanation`],
    ...["/audit/count", "/webhooks/deliveries/count", "/intake/receipts/count", "/mails", "/mails/count"],
    `/customers/ann/ledger/${uid}/explanation`,
  ];
  for (const path of paths) {
    const answer = await staff.get(path);
    expect([path, answer.status, answer.headers.get("age") === null]).toEqual([path, 200, false]);
  }
  const explained = await service.client.get(`/api/storefront/point_allotments/uid/${uid}/explanation`);
  expect([explained.status, explained.headers.get("age") === null]).toEqual([200, false]);
  expect(lines.filter((line) => line.includes("tried to write"))).toEqual([]);
});

test("what the standby does not have yet is no reason to refuse", async () => {
  await pauseReplay();
  const uid = await award(9);
  const explained = await service.client.get(`/api/storefront/point_allotments/uid/${uid}/explanation`);
  expect([explained.status, explained.headers.get("age")]).toEqual([200, null]);
  expect(replica.replica()?.isUsed).toBe(true);
});

test("a person who changed something sees it in every list", async () => {
  await award(3);
  await servers.catchUp();
  await pauseReplay();
  const body = { point_value: 11, note: "of a test", request_uid: randomUUID() };
  const changed = await staff.post("/customers/ann/adjustments", body);
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
  const cookie = changed.headers.get("set-cookie")?.split(";", 1)[0];
  expect(cookie).toBe("pointkeeper_changed=1");
  const newest = (answer: Answer) => answer.body.data[0].point_value;
  const other = await staff.get("/ledger");
  expect([newest(other) === 11, other.headers.get("age") === null]).toEqual([false, false]);
  const own = await adminClient(service.url, `${staff.cookie}; ${cookie}`).get("/ledger");
  expect([newest(own), own.headers.get("age")]).toEqual([11, null]);
});

test("a page behind a position that the standby has not settled comes from the primary", async () => {
  for (let n = 0; n < 3; n++) await award(1);
  service.clock.advance({ seconds: 1 });
  await advanceSettledMark(service.deps);
  await servers.catchUp();
  await pauseReplay();
  service.clock.advance({ seconds: 60 });
  const newer = [await award(2), await award(3)];
  const first = await service.client.get(`${LIST}&per_page=1`, FRESH);
  const next = await service.client.get(`${LIST}&per_page=1&cursor=${first.body.meta.next_cursor}`);
  expect([uidsOf(first), uidsOf(next), next.headers.get("age")]).toEqual([[newer[1]], [newer[0]], null]);
});

test("a reader that goes on by cursors, of whichever server, misses nothing and sees nothing twice", async () => {
  const first = await award(1);
  const settled = `select true from allotment a join ledger_mark m on m.settled_at >= a.allotted_at where a.uid = '${first}'`;
  service.clock.advance({ seconds: 1 });
  await waitUntil(async () => {
    await advanceSettledMark(service.deps);
    return (await servers.primary.db.query(settled)).length === 1;
  });
  const begin = (await service.client.get("/api/storefront/point_allotments?per_page=1", FRESH)).body.meta.next_cursor;
  const before = (await servers.primary.db.query<{ uid: string }>("select uid from allotment")).length;
  let isOver = false;
  const writing = Promise.all(Array.from({ length: 4 }, () => awardSome())).finally(() => {
    isOver = true;
  });
  async function awardSome(): Promise<void> {
    for (let n = 0; n < 40; n++) {
      service.clock.advance({ milliseconds: 7 });
      await award(1);
    }
  }
  const seen: string[] = [];
  const sources = new Set<boolean>();
  let cursor = begin;
  await waitUntil(async () => {
    const headers = seen.length % 2 === 0 ? FRESH : undefined; // the primary's readers move the mark
    const page = await service.client.get(`/api/storefront/point_allotments?per_page=7&cursor=${cursor}`, headers);
    sources.add(page.headers.get("age") === null);
    seen.push(...uidsOf(page));
    cursor = page.body.meta.next_cursor;
    if (headers === undefined && page.body.data.length === 0) await list(FRESH);
    return isOver && seen.length >= before - 1 + 160;
  });
  await writing;
  const rows = await servers.primary.db.query<{ uid: string }>("select uid from allotment order by allotted_at, uid");
  expect(seen).toEqual(rows.slice(1).map(({ uid }) => uid));
  expect(sources.size).toBe(2);
});

test("an export has all that was there when it was begun", async () => {
  await pauseReplay();
  await award(13);
  const period = { start_datetime: "2020-01-01", end_datetime: "2099-01-01" };
  const asked = await service.client.post("/api/storefront/point_balances/export", period);
  const ages: (number | null)[] = [];
  const reads: Reads = {
    ...replica,
    run: (work, need) =>
      replica.run((source) => {
        ages.push(source.ageMs);
        return work(source);
      }, need),
  };
  const making = makeExports({ ...service.deps, reads });
  await resumeReplay();
  expect(await making).toBe(1);
  const { data } = (await service.client.get(`/api/storefront/point_balances/export/${asked.body.data.uid}`)).body;
  const file = await service.client.as(null).get(new URL(data.url).pathname + new URL(data.url).search);
  const [balance] = await servers.primary.db.query<{ points: bigint }>(
    "select sum(point_value)::bigint as points from allotment",
  );
  expect(file.text).toContain(`,${balance?.points},`);
  expect(ages).toEqual([expect.any(Number)]);
});

test("a query that the recovery cancels is answered by the primary, and the standby is used on", async () => {
  await servers.primary.owner.execute("create table if not exists scrap (n integer)");
  await servers.primary.owner.execute("grant select on scrap to public");
  await servers.primary.owner.execute("insert into scrap select generate_series(1, 1000)");
  await servers.catchUp();
  const seen: (number | null)[] = [];
  const count = await replica.run(async ({ db, ageMs }) => {
    seen.push(ageMs);
    await db.query("select count(*) from scrap");
    if (ageMs !== null) {
      await servers.primary.owner.execute("delete from scrap");
      await servers.primary.owner.execute("vacuum scrap");
      await servers.catchUp();
    }
    return (await db.query<{ n: bigint }>("select count(*) as n from scrap"))[0]?.n;
  });
  expect(count).toBe(0n);
  expect([seen.length, seen[0] === null, seen[1]]).toEqual([2, false, null]);
  expect(replica.replica()?.isUsed).toBe(true);
});

test("beyond its age the standby is not read, and is again when it has caught up", async () => {
  await useReplica(AGE_MAX_MS);
  await pauseReplay();
  const uid = await award(17);
  await waitUntil(async () => replica.replica()?.isUsed === false);
  const answer = await list();
  expect([uidsOf(answer)[0], answer.headers.get("age")]).toEqual([uid, null]);
  expect((await staff.get("/home")).body.data.health.replica).toBe("unused");
  await resumeReplay();
  await waitUntil(async () => (await list()).headers.get("age") !== null);
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([
    "the replica is not used: reads go to the primary",
    "the replica is used",
  ]);
});

test("a standby that says nothing holds readers up for a moment, once", async () => {
  const thaw = await servers.freezeStandby();
  try {
    const beganMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => list()));
    expect(answers.every(({ status, headers }) => status === 200 && headers.get("age") === null)).toBe(true);
    expect(performance.now() - beganMs).toBeLessThan(20_000); // two seconds for all of them; a statement may take a minute
    expect(replica.replica()).toMatchObject({ isUsed: false, reason: "it does not answer" }); // nobody asks it now
    expect((await list()).headers.get("age")).toBeNull();
  } finally {
    thaw();
  }
});

test("a standby that is killed is missed by nobody, and used when it is back", async () => {
  await servers.killStandby();
  const answers = await Promise.all(Array.from({ length: 20 }, () => list()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers.every(({ headers }) => headers.get("age") === null)).toBe(true);
  await servers.startStandby();
  await waitUntil(async () => (await list()).headers.get("age") !== null);
  expect(lines.filter((line) => line.includes("is not used"))).toHaveLength(1);
});

test("a standby that was promoted is refused from then on", async () => {
  await servers.onStandby("select pg_promote()");
  const uid = await award(19);
  await waitUntil(() => replica.replica()?.isUsed === false);
  expect(replica.replica()?.reason).toBe("it is no standby");
  const answer = await list();
  expect([uidsOf(answer)[0], answer.headers.get("age")]).toEqual([uid, null]);
});
