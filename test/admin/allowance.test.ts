import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RequestRow } from "../../src/admin/approvals/schema.ts";
import type { AdjustmentBody } from "../../src/admin/customers/schema.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { workMoves } from "../../src/moving-in/work-moves.ts";
import { balanceOf, settingsOf, upload } from "../support/csv.ts";
import { customerWithPoints, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn, signInAs } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let manager: AdminClient;
let other: AdminClient;

beforeAll(async () => {
  const staff = { approval_limit: 1_000, daily_limit: 2_500 };
  service = await startTestService({ worker: false, program: { staff } });
});
/** Each test begins with people who have moved nothing. */
beforeEach(async () => {
  manager = await signIn(service, "manager");
  other = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

const customerWith = (points: number) => customerWithPoints(service, points);

const adjust = async (id: string, wanted: Partial<AdjustmentBody>, by = manager): Promise<string> => {
  const { body } = await by.post(`/customers/${id}/adjustments`, { request_uid: randomUUID(), ...wanted });
  return body.data.state;
};

let files = 0;
/** A file that differs from every other one, uploaded and checked. */
async function checked(rows: readonly (readonly [string, number])[], by = manager, others = {}): Promise<string> {
  const text = `id,points,note\n${rows.map(([id, points]) => `${id},${points},${++files}\n`).join("")}`;
  const sent = await upload({ url: service.url, cookie: by.cookie }, text);
  expect(sent.status, sent.text).toBe(201);
  const { uid, options } = sent.body.data;
  const settings = settingsOf(sent.body.data, { options: { ...options, ...others } });
  expect((await by.post(`/imports/${uid}/check`, settings)).status).toBe(200);
  await workImports(service.deps);
  return uid;
}

/** Requests the start or the undoing of a file and runs the worker. Returns its state then, or that it waits for approval. */
async function begin(uid: string, verb: "start" | "undo" = "start", by = manager): Promise<string> {
  const { status, body, text } = await by.post(`/imports/${uid}/${verb}`);
  expect(status, text).toBe(200);
  await workImports(service.deps);
  if (body.data.waiting !== null) return "waiting";
  return (await by.get(`/imports/${uid}`)).body.data.state;
}

async function waitingFor(importUid: string): Promise<RequestRow | undefined> {
  const rows: RequestRow[] = (await manager.get("/approvals")).body.data;
  return rows.find(({ file }) => file?.import_uid === importUid);
}

const decide = (by: AdminClient, uid: string | undefined, how: string) => by.post(`/approvals/${uid}/${how}`, {});
const points = (id: string) => balanceOf(service.deps, id);

/** What stays of a second try of another app's file whose points were given up before their check. */
const GIVE_UP_PART = `insert into import (uid, kind, state, file_name, created_at, created_by_uid, created_by, content_sha256, options)
select gen_random_uuid(), kind, 'given_up', file_name, created_at + interval '1 second', created_by_uid, created_by, content_sha256, options
from import where kind = 'points' and options -> 'move' ->> 'uid' is not null`;

describe("the limit of a customer", () => {
  test("holds for several files of one person, one after the other", async () => {
    const id = await customerWith(0);
    const states: string[] = [];
    for (let n = 0; n < 5; n++) states.push(await begin(await checked([[id, 1_000]])));
    expect(states).toEqual(["imported", "waiting", "waiting", "waiting", "waiting"]);
    expect(await points(id)).toBe(1_000n);
    expect(await begin(await checked([[id, 1_000]], other), "start", other)).toBe("imported");
  });

  test("holds for several files, and adjustments beside them, at once", async () => {
    const id = await customerWith(0);
    const uids: string[] = [];
    for (let n = 0; n < 10; n++) uids.push(await checked([[id, 600]]));
    const ways = uids.flatMap((uid) => [
      () => manager.post(`/imports/${uid}/start`),
      () => adjust(id, { point_value: 600 }),
    ]);
    await Promise.all(ways.map((way) => way()));
    await workImports(service.deps);
    expect(await points(id)).toBe(600n);
  });

  test("counts adjustments with files, files with adjustments, and a balance that is set", async () => {
    const [a, b, c] = [await customerWith(0), await customerWith(0), await customerWith(1_100)];
    expect(await adjust(a, { point_value: 600 })).toBe("posted");
    expect(await begin(await checked([[a, 401]]))).toBe("waiting");
    expect(await begin(await checked([[a, 400]]))).toBe("imported");
    expect(await begin(await checked([[b, 600]]))).toBe("imported");
    const preview = await manager.get(`/customers/${b}/adjustment-preview?point_value=401`);
    expect(preview.body.data).toMatchObject({ needs_approval: true, excess: "customer", earlier_points: 600 });
    expect(await adjust(b, { point_value: 401 })).toBe("waiting");
    expect(await adjust(b, { balance: 1_000 })).toBe("posted");
    expect(await begin(await checked([[c, -600]]))).toBe("imported");
    expect(await adjust(c, { balance: 99 })).toBe("waiting");
    expect(await adjust(c, { balance: 100 })).toBe("posted");
    expect([await points(a), await points(b), await points(c)]).toEqual([1_000n, 1_000n, 100n]);
  });

  test("is one for whom customers were merged into, whichever of them a row names", async () => {
    const [kept, removed, late] = [await customerWith(0), await customerWith(0), await customerWith(0)];
    expect(await begin(await checked([[removed, 600]]))).toBe("imported");
    expect(await adjust(kept, { point_value: 100 })).toBe("posted");
    const uid = await checked([
      [late, 200],
      [kept, 200],
    ]);
    await mergeInto(service.deps, removed, kept);
    await mergeInto(service.deps, late, kept);
    expect(await begin(uid)).toBe("waiting");
    expect(await waitingFor(uid)).toMatchObject({ file: { largest_points: 1_100, points_added: 400, rows: 2 } });
    expect(await adjust(removed, { point_value: 301 })).toBe("waiting");
    expect(await adjust(removed, { point_value: 300 })).toBe("posted");
  });

  test("counts the undoing of a file as a movement the other way, and not as giving back", async () => {
    const id = await customerWith(5_000);
    const given = await checked([[id, 800]]);
    expect(await begin(given)).toBe("imported");
    expect(await begin(given, "undo")).toBe("undone");
    expect(await adjust(id, { point_value: 201 })).toBe("waiting");
    expect(await adjust(id, { point_value: -201 })).toBe("waiting");
    const taken = await checked([[id, -200]]);
    expect([await begin(taken), await begin(taken, "undo")]).toEqual(["imported", "undone"]);
    expect(await adjust(id, { point_value: 1 })).toBe("waiting");
    await pruneImports(service.deps);
    expect(await adjust(id, { point_value: 1 })).toBe("waiting");
    expect(await points(id)).toBe(5_000n);
  });

  test("counts all that the undoing of a file that set balances moved for each whom it names: its rows do not say what they moved", async () => {
    const [id, free] = [await customerWith(900), await customerWith(0)];
    const uid = await checked([[id, 0]], other, { sets_balance: true });
    expect(await begin(uid, "start", other)).toBe("waiting");
    expect((await decide(manager, (await waitingFor(uid))?.uid, "approve")).status).toBe(200);
    await workImports(service.deps);
    expect([await points(id), await begin(uid, "undo"), await points(id)]).toEqual([0n, "undone", 900n]);
    expect(await begin(await checked([[id, 101]]))).toBe("waiting");
    expect(await begin(await checked([[free, 101]]))).toBe("imported");
    expect(await adjust(id, { point_value: 101 })).toBe("waiting");
    expect(await adjust(id, { point_value: 100 })).toBe("posted");
    await service.owner.execute("update staff_movement set given = 1e19 where import_uid = $1", [uid]); // no bigint
    expect(await begin(await checked([[free, 1]]))).toBe("waiting");
  });

  test("counts all that another app's file moves for anybody until it is imported, then for whom it gave it to", async () => {
    const [id, email] = [await customerWith(0), "moved@allowance.example"];
    const members = `email,points_approved\n${email},600\n`;
    const sent = await upload({ url: service.url, cookie: manager.cookie }, members, { kind: "move" });
    const { uid, options } = sent.body.data;
    const { signal } = new AbortController();
    const settings = settingsOf(sent.body.data, { options: { ...options, vendor: "loyaltylion" } });
    await manager.post(`/imports/${uid}/check`, settings);
    await workMoves(service.deps, signal);
    const started = (await manager.post(`/imports/${uid}/start`)).body.data;
    expect(started).toMatchObject({ state: "importing", waiting: null });
    expect(await adjust(id, { point_value: 401 })).toBe("waiting");
    expect(await begin(await checked([[id, 401]]))).toBe("waiting");
    expect(await adjust(id, { point_value: 400 })).toBe("posted");
    const moving = workMoves(service.deps, signal);
    await waitUntil(async () => {
      await workImports(service.deps);
      return (await manager.get(`/imports/${uid}`)).body.data.state === "imported";
    });
    await moving;
    await service.deps.db.execute(GIVE_UP_PART);
    expect(await begin(await checked([[email, 401]]))).toBe("waiting");
    expect(await begin(await checked([[id, 401]]))).toBe("imported");
    expect(await adjust(email, { point_value: 401 })).toBe("waiting");
    expect(await adjust(email, { point_value: 400 })).toBe("posted");
  });

  test("does not count what a second person approved, and is free again after 24 hours", async () => {
    const id = await customerWith(0);
    const uid = await checked([[id, 5_000]]);
    expect(await begin(uid)).toBe("waiting");
    expect((await decide(other, (await waitingFor(uid))?.uid, "approve")).status).toBe(200);
    await workImports(service.deps);
    expect(await points(id)).toBe(5_000n);
    expect(await begin(await checked([[id, 1_000]]))).toBe("imported");
    const next = await checked([[id, 1_000]]);
    service.clock.advance({ hours: 24 });
    manager = await signInAs(service.url, manager);
    expect(await begin(next)).toBe("imported");
    const kept = "select count(*)::int as count from staff_movement where staff_uid = $1";
    expect(await service.deps.db.query(kept, [manager.uid])).toEqual([{ count: 1 }]);
  });
});

describe("the limit of a day", () => {
  test("holds for what one person gives to all customers, by whatever way", async () => {
    const ids = await Promise.all([0, 0, 0, 0].map(customerWith));
    const [a = "", b = "", c = "", d = ""] = ids;
    expect(await adjust(a, { point_value: 1_000 })).toBe("posted");
    expect(await begin(await checked([[b, 1_000]]))).toBe("imported");
    const preview = await manager.get(`/customers/${c}/adjustment-preview?point_value=501`);
    expect(preview.body.data).toMatchObject({ needs_approval: true, excess: "day", earlier_of_day: 2_000 });
    expect(await adjust(c, { point_value: 501 })).toBe("waiting");
    const both = await checked([
      [c, 300],
      [d, 201],
    ]);
    expect(await begin(both)).toBe("waiting");
    expect(await waitingFor(both)).toMatchObject({ file: { excess: "day", earlier_of_day: 2_000 } });
    expect(await adjust(c, { point_value: 500 })).toBe("posted");
    expect(await adjust(a, { point_value: -1_000 })).toBe("posted");
    expect(await adjust(d, { point_value: 1 })).toBe("waiting");
    expect(await adjust(d, { point_value: 1 }, other)).toBe("posted");
  });

  test("holds for selections of customers, however many and small they are", async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => customerWith(0)));
    const select = async (given: number) => {
      const wanted = { customers: ids, request_uid: randomUUID(), points: given, reason_type: null, note: null };
      const { status, body, text } = await manager.post("/bulk/points", wanted);
      expect(status, text).toBe(201);
      await workImports(service.deps);
      return begin(body.data.import);
    };
    expect([await select(400), await select(400), await select(400)]).toEqual(["imported", "imported", "waiting"]);
    expect([await select(30), await select(4)]).toEqual(["imported", "waiting"]);
    expect([await select(-400), await select(-400), await select(-400)]).toEqual(["imported", "imported", "waiting"]);
    expect(await Promise.all(ids.map(points))).toEqual([30n, 30n, 30n]);
  });

  test("lets no more through at once", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => customerWith(0)));
    const states = await Promise.all(ids.map((id) => adjust(id, { point_value: 900 })));
    expect(states.filter((state) => state === "posted")).toHaveLength(2);
  });
});

describe("a file that waits", () => {
  test("stays as it was checked, and starts as its person's once another one approves it, once", async () => {
    const id = await customerWith(0);
    const uid = await checked([[id, 2_000]]);
    expect(await begin(uid)).toBe("waiting");
    const { data } = (await manager.get(`/imports/${uid}`)).body;
    expect(data).toMatchObject({ state: "checked", waiting: { is_own: true } });
    const others = [
      () => manager.post(`/imports/${uid}/check`, settingsOf(data)),
      () => other.post(`/imports/${uid}/give_up`),
      () => other.post(`/imports/${uid}/start`),
      () => manager.post(`/imports/${uid}/start`),
    ];
    for (const way of others) expect((await way()).body.errors[0]).toMatchObject({ status: "409" });
    const request = await waitingFor(uid);
    expect(request).toMatchObject({ kind: "import", customer: null, file: { file_name: "points.csv", customers: 1 } });
    const answers = await Promise.all([manager, other, other].map((by) => decide(by, request?.uid, "approve")));
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 200]);
    await workImports(service.deps);
    expect(await points(id)).toBe(2_000n);
    const imported = (await manager.get(`/imports/${uid}`)).body.data;
    expect(imported).toMatchObject({ state: "imported", waiting: null, started_by: data.created_by });
    expect((await decide(await signIn(service, "owner"), request?.uid, "approve")).status).toBe(409);
  });

  test("may be changed, started and given up again once it is withdrawn or refused, or nobody decided in time", async () => {
    const id = await customerWith(0);
    const uid = await checked([[id, 2_000]]);
    for (const [by, how] of [
      [manager, "withdraw"],
      [other, "refuse"],
    ] as const) {
      expect(await begin(uid)).toBe("waiting");
      expect((await decide(by, (await waitingFor(uid))?.uid, how)).status).toBe(200);
    }
    expect(await begin(uid)).toBe("waiting");
    const late = (await waitingFor(uid))?.uid;
    service.clock.advance({ hours: 24 * 30 });
    [manager, other] = [await signInAs(service.url, manager), await signInAs(service.url, other)];
    expect((await decide(other, late, "approve")).status).toBe(409);
    expect((await manager.post(`/imports/${uid}/give_up`)).body.data.state).toBe("given_up");
    expect(await points(id)).toBe(0n);
  });

  test("is in the audit log: who asked, who decided", async () => {
    const uid = await checked([[await customerWith(0), 3_000]]);
    await begin(uid);
    await decide(other, (await waitingFor(uid))?.uid, "refuse");
    const entries = await service.deps.db.query(
      "select action, actor_id as by from audit_entry where subject_id = $1 and action like '%start%' order by id",
      [uid],
    );
    expect(entries).toEqual([
      { action: "import.check_started", by: manager.uid },
      { action: "import.start_requested", by: manager.uid },
      { action: "import.start_refused", by: other.uid },
    ]);
  });
});
