import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import { findCustomer } from "../../../src/customers/find-customer.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { nextReservationDueAt } from "../../../src/points/reservations/next-reservation-due-at.ts";
import { releaseDueReservations } from "../../../src/points/reservations/release-due-reservations.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const PATH = "/api/storefront/reservations";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, program: { store: { time_zone: "UTC" } } });
});
afterAll(async () => {
  expect(await faults()).toEqual([]);
  await service.stop();
});

async function faults(): Promise<string[]> {
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line));
  return lines.filter((line) => line.startsWith("FAIL"));
}

const give = (customer_id: string, point_value: number) =>
  service.client.post("/api/storefront/point_allotments", { customer_id, point_value });

async function customerWith(points: number): Promise<string> {
  const { storefrontId } = await makeCustomer(service.deps);
  await give(storefrontId, points);
  return storefrontId;
}

const reserve = (customer_id: string, point_value: number, ttl_seconds = 900) =>
  service.client.post(PATH, { customer_id, point_value, ttl_seconds });

const end = (uid: string, how: "capture" | "release", body?: object) =>
  service.client.post(`${PATH}/${uid}/${how}`, body);

async function shown(id: string): Promise<{ point_balance: number; expires_at: string | null }> {
  return (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data;
}

async function ledger(id: string): Promise<[string, number][]> {
  const { body } = await service.client.get(`/api/storefront/point_allotments/${id}`);
  return body.data.map((row: { type: string; point_value: number }) => [row.type, row.point_value]);
}

async function row(id: string) {
  const [found] = await service.deps.db.query<{ held: bigint; until: Temporal.Instant | null }>(
    `select b.held_points as held, b.held_until as until
     from balance b join customer_alias a using (bucket, customer_uid) where a.storefront_id = $1`,
    [id],
  );
  return found;
}

describe("many at once", () => {
  test("64 clients never hold more than there is", async () => {
    const id = await customerWith(100);
    const answers = await Promise.all(Array.from({ length: 64 }, () => reserve(id, 7)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(14);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(50);
    expect(await shown(id)).toMatchObject({ point_balance: 2 });
    expect((await row(id))?.held).toBe(98n);
  });

  test("holds, awards and deductions mixed never overdraw", async () => {
    const id = await customerWith(50);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? reserve(id, 5) : give(id, i % 3 === 1 ? -4 : 1))),
    );
    const gained = answers.filter(({ body }) => body.data?.point_value === 1).length;
    const spent = 4 * answers.filter(({ body }) => body.data?.point_value === -4).length;
    const held = 5 * answers.filter(({ body }) => body.data?.state === "held").length;
    expect(gained).toBe(20);
    expect(held).toBeGreaterThan(0);
    expect(await shown(id)).toMatchObject({ point_balance: 50 + gained - spent - held });
  });

  test("of captures and releases of one reservation at once exactly one counts", async () => {
    const id = await customerWith(100);
    const uid = (await reserve(id, 40)).body.data.id;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => end(uid, i % 2 === 0 ? "capture" : "release")),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const isCaptured = won[0]?.body.data.state === "captured";
    expect(await shown(id)).toMatchObject({ point_balance: isCaptured ? 60 : 100 });
  });
});

const DAY_S = 86_400;

/** Points with a date of their own, so many days from now. */
async function grant(id: string, points: bigint, days: number): Promise<void> {
  const { deps } = service;
  const customer = await findCustomer(deps.db, id);
  const change = { kind: "add", pointValue: points, shortfall: "refuse" } as const;
  const expiresAt = deps.clock.now().add({ hours: 24 * days });
  const posting = { ...plainPosting(deps.random.uid(), "csv", "test", change), expiresAt };
  await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }]));
}

const midnight = (days: number, from = service.clock.now()) =>
  from
    .add({ hours: 24 * days })
    .toZonedDateTimeISO("UTC")
    .startOfDay()
    .toInstant();
const wire = (at: Temporal.Instant) => at.toString({ smallestUnit: "microsecond" });

describe("held points and their dates", () => {
  beforeAll(() => {
    service.clock.set(midnight(1));
  });

  test("do not expire while they are held; released by their time, they live on for 30 days", async () => {
    const { storefrontId: id } = await makeCustomer(service.deps);
    const start = service.clock.now();
    await grant(id, 100n, 10);
    await reserve(id, 60, 20 * DAY_S);
    service.clock.set(midnight(10, start));
    expect(await shown(id)).toMatchObject({ point_balance: 0, expires_at: null });
    await expirePoints(service.deps);
    expect(await shown(id)).toMatchObject({ point_balance: 0, expires_at: null });
    expect(await ledger(id)).toEqual([
      ["csv", 100],
      ["expiration", -40],
    ]);

    service.clock.set(midnight(20, start));
    const released = { point_balance: 60, expires_at: wire(midnight(50, start)) };
    expect(await shown(id)).toMatchObject(released);
    await releaseDueReservations(service.deps);
    expect(await shown(id)).toMatchObject(released);
    expect(await ledger(id)).toHaveLength(2);
    service.clock.set(midnight(50, start));
    expect(await shown(id)).toMatchObject({ point_balance: 0, expires_at: null });
  });

  test("are those that expire first: what lives longer stays available", async () => {
    const { storefrontId: id } = await makeCustomer(service.deps);
    const start = service.clock.now();
    await grant(id, 60n, 10);
    await grant(id, 40n, 100);
    const uid = (await reserve(id, 60, 50 * DAY_S)).body.data.id;
    service.clock.set(midnight(30, start));
    const before = { point_balance: 40, expires_at: wire(midnight(100, start)) };
    expect(await shown(id)).toMatchObject(before);
    await expirePoints(service.deps);
    expect(await shown(id)).toMatchObject(before);
    const expiries = await service.client.get(`/api/storefront/point_balances/${id}/expiries`);
    expect(expiries.body.data).toEqual([{ expires_at: before.expires_at, point_value: 40 }]);
    expect((await end(uid, "capture")).body.data.point_balance).toMatchObject(before);
    expect(await ledger(id)).toEqual([
      ["csv", 60],
      ["csv", 40],
      ["api", -60],
    ]);
  });

  test("captured in part after their date, the rest comes back for 30 days", async () => {
    const { storefrontId: id } = await makeCustomer(service.deps);
    const start = service.clock.now();
    await grant(id, 60n, 10);
    const uid = (await reserve(id, 60, 50 * DAY_S)).body.data.id;
    service.clock.set(midnight(30, start));
    const answer = await end(uid, "capture", { point_value: 20 });
    expect(answer.body.data).toMatchObject({
      captured: 20,
      point_balance: { point_balance: 40, expires_at: wire(midnight(60, start)) },
    });
  });

  test("after their end they expire like any other, however late the sweep comes", async () => {
    const { storefrontId: id } = await makeCustomer(service.deps);
    const start = service.clock.now();
    await grant(id, 60n, 10);
    await reserve(id, 60, 5 * DAY_S);
    service.clock.set(midnight(10, start));
    expect(await shown(id)).toMatchObject({ point_balance: 0 });
    expect((await give(id, 3)).body.data.point_balance.point_balance).toBe(3);
    expect(await ledger(id)).toEqual([
      ["csv", 60],
      ["expiration", -60],
      ["api", 3],
    ]);
    expect(await row(id)).toMatchObject({ held: 0n, until: null });
  });
});

describe("the sweep of reservations", () => {
  test("two nodes at once write down each end once", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => customerWith(10)));
    for (const id of ids) for (const ttl of [60, 90]) await reserve(id, 4, ttl);
    const first = await nextReservationDueAt(service.deps.db);
    expect(first?.toString()).toBe(service.clock.now().add({ seconds: 60 }).toString());
    service.clock.advance({ seconds: 89 });
    await Promise.all([releaseDueReservations(service.deps), releaseDueReservations(service.deps)]);
    for (const id of ids) expect((await row(id))?.held).toBe(4n);
    service.clock.advance({ seconds: 1 });
    expect(await releaseDueReservations(service.deps)).toBe(12);
    expect(await releaseDueReservations(service.deps)).toBe(0);
    for (const id of ids) expect(await row(id)).toMatchObject({ held: 0n, until: null });
  });

  test("the sandbox clock steps through it", async () => {
    const sandbox = await startTestService({ config: { sandbox: true } });
    await makeCustomer(sandbox.deps, { storefrontId: "77" });
    await sandbox.client.put("/sandbox/clock", { now: "2099-01-01T00:00:00Z" });
    await sandbox.client.post("/api/storefront/point_allotments", { customer_id: "77", point_value: 9 });
    await sandbox.client.post(PATH, { customer_id: "77", point_value: 5, ttl_seconds: 3_600 });
    expect((await sandbox.client.put("/sandbox/clock", { now: "2099-01-02T00:00:00Z" })).status).toBe(200);
    const rows = await sandbox.deps.db.query("select state, expires_at = ended_at as is_in_time from reservation");
    expect(rows).toEqual([{ state: "released", is_in_time: true }]);
    await sandbox.stop();
  });
});

describe("what others see of a reservation", () => {
  test("no webhook tells that points are held or released, one that they are captured or live longer", async () => {
    const hooks = ["point_allotment/cascade", "point_balance/update"];
    for (const topic of hooks)
      await service.client.post("/api/storefront/webhooks", { topic, callback_url: "http://127.0.0.1:9/" });
    const { storefrontId: id, customerUid } = await makeCustomer(service.deps);
    const start = service.clock.now();
    await grant(id, 60n, 10);
    const told = async () => {
      const rows = await service.deps.db.query<{ topic: string; balance: number | null }>(
        "select topic, (payload::json ->> 'balance')::int as balance from outbox_event where customer_uid = $1 order by uid",
        [customerUid],
      );
      await service.deps.db.execute("delete from outbox_event where customer_uid = $1", [customerUid]);
      return rows.map(({ topic, balance }) => `${topic} ${balance}`);
    };
    await told();
    const [first, second] = [(await reserve(id, 20, 50 * DAY_S)).body.data.id, (await reserve(id, 10)).body.data.id];
    await end(second, "release");
    expect(await told()).toEqual([]);
    const third = (await reserve(id, 40, 50 * DAY_S)).body.data.id;
    await end(first, "capture", { point_value: 5 });
    expect(await told()).toEqual(["point_allotment/cascade null", "point_balance/update 15"]);
    service.clock.set(midnight(11, start)); // 15 expire, 40 get another date: one update for both
    await end(third, "release");
    expect(await told()).toEqual(["point_allotment/cascade null", "point_balance/update 40"]);
    for (const topic of hooks) await service.client.delete("/api/storefront/webhooks", { topic });
  });

  test("deleting a customer ends them and writes the whole balance off", async () => {
    const id = await customerWith(100);
    const uid = (await reserve(id, 30)).body.data.id;
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, id, "test"));
    expect(await row(id)).toMatchObject({ held: 0n });
    expect((await service.client.get(`${PATH}/${uid}`)).body.data).toMatchObject({
      state: "released",
      point_balance: { point_balance: 0 },
    });
    expect((await reserve(id, 1)).status).toBe(404);
  });
});

test("an id in capital letters ends the same reservation, and its capture is found again", async () => {
  const id = await customerWith(100);
  const [captured, released] = [await reserve(id, 30), await reserve(id, 40)].map(({ body }) => body.data.id);
  const ended = await end(captured.toUpperCase(), "capture", { point_value: 10 });
  expect([ended.status, ended.body.data.id, ended.body.data.captured]).toEqual([200, captured, 10]);
  expect((await end(released.toUpperCase(), "release")).body.data.point_balance.point_balance).toBe(90);
  expect(await faults()).toEqual([]);
});

test.each<[string, string]>([
  ["holds", "update balance set held_points = held_points - 1 where customer_uid = $1"],
  ["holds", "update balance set held_until = held_until + interval '1 second' where customer_uid = $1"],
  ["holds", "delete from reservation where customer_uid = $1 and state = 'held'"],
  ["captures", "update reservation set captured_points = 1 where customer_uid = $1 and state = 'captured'"],
  ["captures", "delete from reservation where customer_uid = $1 and state = 'captured'"],
])("verify's check of %s finds what was planted: %s", async (check, plant) => {
  const planted = await startTestService({ worker: false });
  const { client, deps } = planted;
  const { storefrontId: customer_id, customerUid } = await makeCustomer(deps);
  await client.post("/api/storefront/point_allotments", { customer_id, point_value: 100 });
  for (const capture of [false, true]) {
    const { body } = await client.post(PATH, { customer_id, point_value: 10, ttl_seconds: 60 });
    if (capture) await client.post(`${PATH}/${body.data.id}/capture`, { point_value: 4 });
  }
  const lines: string[] = [];
  expect((await verifyLedger(deps.db, () => {})).ok).toBe(true);
  expect(await deps.db.execute(plant, [customerUid])).toBe(1);
  await verifyLedger(deps.db, (line) => lines.push(line));
  expect(lines.filter((line) => line.startsWith(`FAIL ${check}: customer ${customer_id}`))).toHaveLength(1);
  await planted.stop();
});
