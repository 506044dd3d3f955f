import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RequestRow } from "../../src/admin/approvals/schema.ts";
import { changeProgram } from "../../src/tiers/change-program.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, acceptLink, signIn, signInAs } from "../support/staff.ts";

let service: TestService;
let owner: AdminClient;
let manager: AdminClient;
let other: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  owner = await signIn(service, "owner");
  manager = await signIn(service, "manager");
  other = await signIn(service, "manager");
});
afterAll(() => service.stop());

const LIMITS = { approval_limit: 1_000, daily_limit: 5_000 };
const PLAIN = { rewards: { signup: 10 }, earning: { point_value: 1 }, coupons: { point_worth: 1 }, staff: LIMITS };

/** A program applied on the command line needs no approval. */
const apply = (document: object) =>
  changeProgram(service.deps, { document, author: "command line", isDryRun: false, isNow: false });
beforeEach(() => apply(PLAIN));

const read = async () => (await owner.get("/program")).body.data;
const ask = async (by: AdminClient, document: object, more: object = {}) =>
  by.post("/program", { document, base_version: (await read()).version, ...more });
const preview = async (by: AdminClient, document: object) =>
  (await by.post("/program/preview", { document, base_version: (await read()).version })).body.data;
const decide = (by: AdminClient, uid: string, how: string, body: object = {}) =>
  by.post(`/approvals/${uid}/${how}`, body);

async function requested(by: AdminClient, document: object): Promise<string> {
  const { version } = await read();
  const { status, body } = await ask(by, document);
  expect([status, body.data.state, body.data.version]).toEqual([200, "waiting", version]);
  expect((await read()).version).toBe(version);
  return body.data.request_uid;
}

async function rowOf(uid: string, list = "waiting"): Promise<RequestRow | undefined> {
  const rows: RequestRow[] = (await other.get(`/approvals?list=${list}`)).body.data;
  return rows.find((row) => row.uid === uid);
}

describe("a change that pays more", () => {
  test.each([
    ["a signup reward", { rewards: { signup: 100_000 } }, "/rewards/signup"],
    ["a rate times ten", { earning: { point_value: 10 } }, "/earning/point_value"],
    ["the worth of a point", { coupons: { point_worth: 2 } }, "/coupons/point_worth"],
    [
      "a campaign",
      {
        campaigns: [
          {
            name: "C",
            starts_at: "2099-01-01T00:00:00.000000Z",
            ends_at: "2099-01-02T00:00:00.000000Z",
            point_value: 2,
          },
        ],
      },
      "/campaigns",
    ],
    [
      "a bonus of a collection",
      { earning: { bonus_collections: [{ collection_id: "7", point_value: 9 }] } },
      "/earning/bonus_collections",
    ],
  ])("%s waits until another person approves it, and is that person's who asked", async (_, document, pointer) => {
    expect((await preview(manager, document)).approval).toEqual({ raises: [pointer], other_approvers: 2 });
    const uid = await requested(manager, document);
    expect(await rowOf(uid)).toMatchObject({ kind: "program", customer: null, program: { raises: [pointer] } });
    const looked = (await other.get(`/approvals/${uid}/program`)).body.data;
    expect(looked.preview.changes.length).toBeGreaterThan(0);
    expect(looked.request.uid).toBe(uid);
    expect((await decide(manager, uid, "approve")).status).toBe(403);
    const answer = await decide(other, uid, "approve", { note: "agreed" });
    expect([answer.status, answer.body.data.state]).toEqual([200, "approved"]);
    const now = await read();
    expect(now.document).toMatchObject(document);
    const [newest] = (await owner.get("/program/versions")).body.data;
    expect(newest).toMatchObject({
      author: expect.stringContaining("manager"),
      approved_by: answer.body.data.decided_name,
    });
    expect(newest.author).not.toBe(newest.approved_by);
    expect(await rowOf(uid, "decided")).toMatchObject({ program: { version: now.version }, decision_note: "agreed" });
  });

  test("is one request however often it is sent, and is applied once by however many approve it", async () => {
    const document = { rewards: { birthday: 500 } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(manager, document)));
    const uids = new Set(answers.map(({ body }) => body.data.request_uid));
    expect(uids.size).toBe(1);
    const [uid = ""] = uids;
    const { version } = await read();
    const decided = await Promise.all([owner, other, owner, other].map((by) => decide(by, uid, "approve")));
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect((await read()).version).toBe(version + 1);
  });

  test("is refused with 409 where the program was changed meanwhile, and can still be refused or withdrawn", async () => {
    const [first, second] = [
      await requested(manager, { rewards: { signup: 20 } }),
      await requested(manager, { rewards: { signup: 30 } }),
    ];
    expect((await ask(manager, { coupons: { lifetime_hours: 30 } })).body.data.state).toBe("applied");
    for (const uid of [first, second]) {
      const late = await decide(other, uid, "approve");
      expect([late.status, late.body.errors[0].title]).toEqual([409, "The program was changed meanwhile"]);
      expect((await other.get(`/approvals/${uid}/program`)).status).toBe(409);
    }
    expect((await decide(other, first, "refuse")).body.data.state).toBe("refused");
    expect((await decide(manager, second, "withdraw")).body.data.state).toBe("withdrawn");
    expect((await read()).document.rewards.signup).toBe(10);
  });

  test("places customers at once where that was asked for", async () => {
    const rules = [{ name: "Bronze" }, { name: "Gold", currency_spent_requirement: 1_000, point_value: 5 }];
    const uid = (await ask(manager, { tiers: { rules } }, { apply_now: true })).body.data.request_uid;
    expect((await decide(other, uid, "approve")).status).toBe(200);
    const { version } = await read();
    const kept = "select scope from designation where program_version = $1";
    expect(await service.deps.db.query(kept, [version])).toEqual([{ scope: "all" }]);
  });

  test("waits at most twenty times at once", async () => {
    const uids: string[] = [];
    for (let n = 0; n < 20; n++) uids.push(await requested(owner, { rewards: { signup: 1_000 + n } }));
    expect((await ask(owner, { rewards: { signup: 999 } })).body.errors[0]).toMatchObject({ status: "409" });
    for (const uid of uids) expect((await decide(owner, uid, "withdraw")).status).toBe(200);
  });

  test("is in the audit log: who asked for what, who decided", async () => {
    const uid = await requested(manager, { rewards: { signup: 77 } });
    await decide(other, uid, "approve");
    const entries = await service.deps.db.query(
      `select action, actor_id as by
      from audit_entry
      where action like 'program.%' and (after->>'request' = $1 or after->'rewards'->>'signup' = '77')
      order by action`,
      [uid],
    );
    expect(entries).toEqual([
      { action: "program.change_approved", by: other.uid },
      { action: "program.change_requested", by: manager.uid },
      { action: "program.changed", by: other.uid },
    ]);
  });
});

describe("a change that does not need a second person", () => {
  test("pays less, or nobody has a limit", async () => {
    expect((await preview(manager, { rewards: { signup: 9 } })).approval).toBeNull();
    expect((await ask(manager, { rewards: { signup: 9 } })).body.data).toMatchObject({
      state: "applied",
      request_uid: null,
    });
    await apply({ staff: { approval_limit: null, daily_limit: null } });
    expect((await ask(manager, { rewards: { signup: 100_000 } })).body.data.state).toBe("applied");
  });

  test("is the operator's on the command line", async () => {
    await apply({ rewards: { signup: 100_000 } });
    expect((await read()).document.rewards.signup).toBe(100_000);
  });
});

describe("the limits", () => {
  test("are an owner's to change, loosened by a second person and tightened at once", async () => {
    for (const limit of ["approval_limit", "daily_limit"]) {
      const refused = await ask(manager, { staff: { [limit]: 1 } });
      expect(refused.status).toBe(403);
      expect(refused.body.errors[0].source).toEqual({ pointer: `/staff/${limit}` });
      expect((await preview(owner, { staff: { [limit]: null } })).approval).toMatchObject({
        raises: [`/staff/${limit}`],
      });
      const uid = await requested(owner, { staff: { [limit]: null } });
      expect((await decide(manager, uid, "refuse")).status).toBe(200);
    }
    expect((await ask(owner, { staff: { approval_limit: 999 } })).body.data.state).toBe("applied");
    const uid = await requested(owner, { staff: { approval_limit: 1_001 } });
    expect((await decide(manager, uid, "approve")).status).toBe(200);
    expect((await read()).document.staff.approval_limit).toBe(1_001);
  });
});

describe("a person who is alone", () => {
  const change = async (by: AdminClient, signup: number) => {
    const { version } = (await by.get("/program")).body.data;
    const body = { document: { rewards: { signup } }, base_version: version };
    return (await by.post("/program", body)).body.data.state;
  };
  const others = async (by: AdminClient) => (await by.get("/approvals/waiting")).body.data.other_approvers;

  test("stays so beside people whom they made, until those count as somebody else; the made ones are not", async () => {
    const alone = await startTestService({ worker: false, program: PLAIN });
    try {
      let sole = await signIn(alone, "owner");
      const email = "made@store.example";
      const { uid } = (await sole.post("/people", { email, name: "Made", role: "manager" })).body.data;
      expect([await others(sole), await change(sole, 100)]).toEqual([0, "applied"]);
      const { data } = (await sole.post(`/people/${uid}/password`)).body;
      const puppet = await acceptLink(alone.url, data, email);
      expect([await others(sole), await change(sole, 200)]).toEqual([0, "applied"]);
      expect([await others(puppet), await change(puppet, 300)]).toEqual([0, "waiting"]);
      alone.clock.advance({ hours: 24 * 7 + 1 });
      sole = await signInAs(alone.url, sole);
      expect([await others(sole), await change(sole, 400)]).toEqual([1, "waiting"]);
    } finally {
      await alone.stop();
    }
  });

  test("is not who resets, raises, strips or switches the others off and on", async () => {
    const alone = await startTestService({ worker: false, program: PLAIN });
    try {
      const sole = await signIn(alone, "owner");
      const ways: ((uid: string) => Promise<{ status: number }>)[] = [
        (uid) => sole.post(`/people/${uid}/password`),
        (uid) => sole.delete(`/people/${uid}/totp`),
        async (uid) => {
          await sole.post(`/people/${uid}/disable`);
          return sole.post(`/people/${uid}/enable`);
        },
        (uid) => sole.put(`/people/${uid}`, { role: "owner" }), // last: a role that was lost counts by itself
      ];
      for (const [i, way] of ways.entries()) {
        const { uid } = await signIn(alone, "manager");
        expect((await way(uid)).status).toBe(200);
        expect([await others(sole), await change(sole, 100 + i)]).toEqual([0, "waiting"]);
        await alone.deps.db.execute("update staff set disabled_at = '2000-01-01' where uid = $1", [uid]);
      }
    } finally {
      await alone.stop();
    }
  });

  test("changes it at once, seven days after the last other one was disabled or demoted", async () => {
    const alone = await startTestService({ worker: false, program: PLAIN });
    try {
      const sole = await signIn(alone, "owner");
      const change = async (by: AdminClient, signup: number) => {
        const { version } = (await by.get("/program")).body.data;
        const body = { document: { rewards: { signup } }, base_version: version };
        return (await by.post("/program", body)).body.data.state;
      };
      expect(await change(sole, 100)).toBe("applied");
      const [second, third] = [await signIn(alone, "manager"), await signIn(alone, "manager")];
      expect(await change(sole, 200)).toBe("waiting");
      await sole.put(`/people/${second.uid}`, { role: "support" });
      await alone.deps.db.execute("update staff set disabled_at = $2 where uid = $1", [third.uid, alone.clock.now()]);
      expect((await sole.get("/approvals/waiting")).body.data.other_approvers).toBe(0);
      expect(await change(sole, 300)).toBe("waiting");
      await alone.deps.db.execute("update staff set role = 'support' where uid = $1", [second.uid]);
      alone.clock.advance({ hours: 24 * 7 - 1 });
      expect(await change(await signInAs(alone.url, sole), 400)).toBe("waiting");
      alone.clock.advance({ hours: 25 });
      expect(await change(await signInAs(alone.url, sole), 500)).toBe("applied");
    } finally {
      await alone.stop();
    }
  });
});
