import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { balanceOf, settingsOf, upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";
import { waitUntil } from "../support/wait-until.ts";

// One file for several things, by the dashboard's interface.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

type Kind = "points" | "spend" | "history" | "move";
const send = (content: string, kind: Kind, name = `${kind}.csv`) =>
  upload({ url: service.url, cookie: manager.cookie }, content, { kind, name });

async function until(uid: string, state: string) {
  await waitUntil(async () => (await manager.get(`/imports/${uid}`)).body.data.state === state);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

/** Has an upload checked and imported. */
async function bringIn(data: Record<string, unknown>, columns: object) {
  const uid = String(data["uid"]);
  const settings = settingsOf(data, { has_header: true, columns });
  expect((await manager.post(`/imports/${uid}/check`, settings)).status).toBe(200);
  await until(uid, "checked");
  expect((await manager.post(`/imports/${uid}/start`, {})).status).toBe(200);
  expect((await until(uid, "imported")).import).toMatchObject({ good_count: 1 });
}
async function undo(uid: string) {
  expect((await manager.post(`/imports/${uid}/undo`, {})).status).toBe(200);
  await until(uid, "undone");
}

/** What each kind of file has brought a customer. */
async function standingOf(storefrontId: string) {
  const sql = `select coalesce((
      select sum(b.spend_minor) from customer_spend_base b
      where b.bucket = a.bucket and b.customer_uid = a.customer_uid), 0)::integer as spend,
    (select count(*) from history_entry h where h.bucket = a.bucket and h.customer_uid = a.customer_uid)::integer as history
    from customer_alias a
    where a.storefront_id = $1`;
  const [row] = await service.deps.db.query<{ spend: number; history: number }>(sql, [storefrontId]);
  return { points: Number(await balanceOf(service.deps, storefrontId)), ...row };
}

describe("a file with points, orders and history", () => {
  const KINDS = ["history", "spend", "points"] as const;
  const COLUMNS = {
    history: { customer: 0, happened_at: 1, points: 2 },
    spend: { customer: 0, happened_at: 1, spent: 3 },
    points: { customer: 0, points: 2 },
  } as const;
  const ALL = { points: 5, spend: 100, history: 1 };

  test("counts once for each of them, and each is undone by itself", async () => {
    const { storefrontId } = await makeCustomer(service.deps, {});
    const text = `id,date,points,total\n${storefrontId},2026-02-01,5,100\n`;
    const uids = new Map<Kind, string>();
    for (const kind of KINDS) {
      const { data } = (await send(text, kind)).body;
      await bringIn(data, COLUMNS[kind]);
      uids.set(kind, data.uid);
    }
    expect(await standingOf(storefrontId)).toEqual(ALL);
    for (const kind of KINDS) {
      const { status, body } = await send(text, kind, "second.csv");
      const source = { pointer: `/imports/${uids.get(kind)}` };
      expect([status, body.errors[0]]).toMatchObject([409, { code: "import_exists", source }]);
      expect(body.errors[0].detail).toContain(`this content as ${kind}.csv at `);
    }
    for (const kind of KINDS) {
      await undo(uids.get(kind) ?? "");
      expect(await standingOf(storefrontId), kind).toEqual({ ...ALL, [kind]: 0 });
      await bringIn((await send(text, kind)).body.data, COLUMNS[kind]);
      expect(await standingOf(storefrontId), kind).toEqual(ALL);
    }
  });

  test("of several uploads at once for the same thing one is taken", async () => {
    const { storefrontId } = await makeCustomer(service.deps, {});
    const text = `id,date,points,total\n${storefrontId},2026-02-01,5,100\n`;
    for (const kind of KINDS) {
      const answers = await Promise.all([1, 2].map(() => send(text, kind)));
      expect(answers.map(({ status }) => status).toSorted(), kind).toEqual([201, 409]);
    }
  });
});

describe("a file of another app's members", () => {
  test.each(["points", "spend"] as const)("is no file of %s beside it, whichever comes first", async (kind) => {
    for (const [first, second] of [
      ["move", kind],
      [kind, "move"],
    ] as const) {
      const text = `email,points,total\n${first}-${second}@one.example,5,100\n`;
      const taken = await send(text, first);
      expect(taken.status).toBe(201);
      const { status, body } = await send(text, second);
      expect([status, body.errors[0].source]).toEqual([409, { pointer: `/imports/${taken.body.data.uid}` }]);
      expect((await send(text, "history")).status, "history is counted nowhere").toBe(201);
    }
  });
});
