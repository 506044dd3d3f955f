import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newRequest } from "../../src/adjustments/adjustment-request.ts";
import { insertImportRequest } from "../../src/adjustments/change-queries.ts";
import { startCheck } from "../../src/imports/check/start-check.ts";
import { DEFAULT_OPTIONS } from "../../src/imports/csv-import.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { storeUpload } from "../../src/imports/store-upload.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { redactCustomer } from "../../src/intake/redact-customer.ts";
import { activityUidOf } from "../../src/moving-in/move.ts";
import { workMoves } from "../../src/moving-in/work-moves.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let manager: AdminClient;
let other: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, program: { staff: { approval_limit: 10_000 } } });
  manager = await signIn(service, "manager");
  other = await signIn(service, "manager");
});
afterAll(() => service.stop());

const STARTED_AS_A_WHOLE = expect.objectContaining({
  code: "import_state",
  detail: "expected an import of its own: this one is a part of a file of another app, which is started as a whole",
});

describe("a file of another app", () => {
  let uid: string;
  const read = async () => (await manager.get(`/imports/${uid}`)).body.data;
  const partOf = async (kind: string) => (await read()).parts.find((part: { kind: string }) => part.kind === kind);

  /** Works until the worker of a part has something to do in this state; what the parts before it need is done. */
  async function reach(kind: string, wanted: string, before?: string) {
    await waitUntil(async () => {
      if ((await partOf(kind))?.state === wanted) return true;
      if (before !== undefined && /ing$/.test((await partOf(before))?.state)) await workImports(service.deps);
      return false;
    });
  }

  /** Stores a request to start a part, as versions did that let a person start it. */
  async function requestStart(importUid: string): Promise<string> {
    const { clock, random, db } = service.deps;
    const [request, at] = [random.uid(), clock.now()];
    const by = { uid: manager.uid, name: "manager" };
    const file = { fileName: "members.csv", rows: 1, customers: 1, given: "777", taken: "0", largest: "777" };
    const about = { kind: "import", importUid, excess: "customer", earlierOfDay: 0n, file } as const;
    const base = newRequest({ uid: request, by, at, expiresAt: at.add({ hours: 24 }) });
    await db.tx((tx) => insertImportRequest(tx, { ...base, ...about }));
    return request;
  }

  /** Works until the move's worker has nothing left to do. */
  async function finish(moving: Promise<unknown>) {
    let isOver = false;
    const ended = moving.then(() => {
      isOver = true;
    });
    await waitUntil(async () => {
      await workImports(service.deps);
      return isOver;
    });
    await ended;
  }

  const work = (signal = new AbortController().signal) => workMoves(service.deps, signal);

  /** Uploads a file and checks it. Returns its uid. */
  async function begin(content: string): Promise<string> {
    const sent = await upload({ url: service.url, cookie: manager.cookie }, content, {
      ...{ kind: "move", name: "members.csv" },
    });
    const { options, ...data } = sent.body.data;
    const settings = settingsOf({ ...data, options: { ...options, vendor: "loyaltylion" } });
    expect((await manager.post(`/imports/${data.uid}/check`, settings)).status).toBe(200);
    await work();
    return data.uid;
  }

  test("stops where the check of a part fails and says so, goes on from there, and counts what a later part leaves out", async () => {
    uid = await begin("email,points_approved\nstays@parts.example,10\ngone@parts.example,20\n");
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
    const failing = work();
    await reach("customers", "checking");
    await service.owner.execute(
      "update import set state = 'uploaded', error = 'could_not_be_read' where kind = 'customers' and state = 'checking'",
    );
    await failing;
    expect(await read()).toMatchObject({
      state: "importing",
      parts: [{ kind: "customers", state: "uploaded", has_failed: true }],
    });

    await service.owner.execute("update import set lease_until = null where uid = $1", [uid]);
    const moving = work();
    await reach("points", "checking", "customers");
    const [{ id } = { id: "" }] = await service.deps.db.query<{ id: string }>(
      "select storefront_id as id from customer where email = 'gone@parts.example'",
    );
    await service.deps.db.execute("update customer set deleted_at = $2 where storefront_id = $1", [id, "2026-03-01"]);
    await finish(moving);
    const counts = { row_count: 2, good_count: 1, fault_count: 1, points_added: 10 };
    expect(await read()).toMatchObject({ state: "imported", import: counts, parts: [{}, { kind: "points" }] });
    const names = (await manager.get("/imports")).body.data.map((row: { file_name: string }) => row.file_name);
    expect(names).toContain("members.csv (LoyaltyLion)");
  });

  test("shows how far its undoing is; interrupted between two parts, it counts both", async () => {
    expect((await manager.post(`/imports/${uid}/undo`)).status).toBe(200);
    const stop = new AbortController();
    const stopped = work(stop.signal);
    await reach("customers", "undoing", "points");
    await waitUntil(async () => (await read()).undo?.points_taken === 10);
    stop.abort();
    await stopped;
    await finish(work());
    expect(await read()).toMatchObject({ state: "undone", undo: { row_count: 3, points_taken: 10 } });
  });

  test("has parts that nobody reads in another way: their worker starts them without another look at the allowance", async () => {
    await makeCustomer(service.deps, { storefrontId: "900000", email: "big@parts.example" });
    await makeCustomer(service.deps, { storefrontId: "777" });
    uid = await begin("email,points_approved\nbig@parts.example,777\n");
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
    const stop = new AbortController();
    const stopped = work(stop.signal);
    await reach("points", "checking", "customers");
    stop.abort();
    await stopped;
    await workImports(service.deps);
    const part = (await manager.get(`/imports/${(await partOf("points")).uid}`)).body.data;
    expect(part.state).toBe("checked");
    const swapped = settingsOf(part, { columns: { ...part.columns, customer: 1, points: 0 } });
    const refused = await manager.post(`/imports/${part.uid}/check`, swapped);
    expect([refused.status, refused.body.errors?.[0].detail]).toEqual([
      409,
      "expected an import of its own: this one is a part of a file of another app, which is checked as a whole",
    ]);
    const started = await manager.post(`/imports/${part.uid}/start`);
    expect([started.status, started.body.errors?.[0]]).toEqual([409, STARTED_AS_A_WHOLE]);
    expect(part.is_part).toBe(true);
    const request = await requestStart(part.uid);
    const approved = await other.post(`/approvals/${request}/approve`, {});
    expect([approved.status, approved.body.errors?.[0]]).toEqual([409, STARTED_AS_A_WHOLE]);
    expect((await other.post(`/approvals/${request}/refuse`, {})).status).toBe(200);
    await finish(work());
    const balance = async (id: string) =>
      (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;
    expect([await balance("777"), await balance("900000")]).toEqual([0, 777]);
  });

  test("says that the file is gone when somebody's erasure cancels its points while they are checked", async () => {
    const { storefrontId: customerId } = await makeCustomer(service.deps);
    uid = await begin("email,points_approved\nstill@parts.example,30\n");
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
    const moving = work();
    await reach("points", "checking", "customers");
    await service.deps.db.tx((tx) => redactCustomer(tx, service.deps, { customerId, appReference: "test" }));
    await moving;
    expect(await read()).toMatchObject({ state: "imported", import: { row_count: 1, good_count: 0, points_added: 0 } });
    expect((await manager.get(`/imports/${uid}/faults?phase=import`)).body.data).toMatchObject([{ code: "file_gone" }]);
  });

  test("gives nothing for rows that its check left out, also if they have become valid since", async () => {
    const first = await begin("email,points_approved\nmore@parts.example,1\n");
    expect((await manager.post(`/imports/${first}/start`)).status).toBe(200);
    await finish(work());
    uid = await begin("email,points_approved\nmore@parts.example,5000000\nother@parts.example,1\n");
    expect(await read()).toMatchObject({ state: "checked", check: { points_added: 1, fault_count: 1 } });
    expect((await manager.post(`/imports/${first}/undo`)).status).toBe(200);
    await finish(work());
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
    await finish(work());
    const done = { row_count: 1, good_count: 1, fault_count: 0, points_added: 1 };
    expect(await read()).toMatchObject({ state: "imported", import: done });
    const faults = (await manager.get(`/imports/${uid}/faults?phase=check`)).body.data;
    expect(faults).toMatchObject([{ code: "moved_before", line: 2 }]);
    const [sum] = await service.deps.db.query<{ points: bigint }>(
      `select sum(b.ledger_points)::bigint as points
       from customer c
       join balance b using (bucket, customer_uid)
       where c.email in ('more@parts.example', 'other@parts.example')`,
    );
    expect(sum).toEqual({ points: 1n });
    expect((await manager.post(`/imports/${uid}/undo`)).status).toBe(200);
    await finish(work());
    expect(await read()).toMatchObject({ state: "undone" });
  });
});

test.each([["history"], ["spend"]] as const)(
  "a file of %s of the command is checked and started by the command",
  async (kind) => {
    const { deps } = service;
    await makeCustomer(deps, { storefrontId: `activity-${kind}` });
    const bytes = Buffer.from(`customer,points,spent,happened_at\nactivity-${kind},5,5,2026-01-01\n`);
    const options = { ...DEFAULT_OPTIONS, move: { uid: activityUidOf(kind, bytes), source: "Smile.io" } };
    const by = { uid: manager.uid, name: "M" };
    const { uid } = await storeUpload(deps, { kind, fileName: "a.csv", bytes: asyncOf(bytes), by, options });
    const settings = { ...(await selectImport(deps.db, uid)), options };
    await deps.db.tx((tx) => startCheck(tx, deps, uid, { settings, by }));
    await workImports(deps);
    const { data } = (await manager.get(`/imports/${uid}`)).body;
    expect([data.state, data.is_part]).toEqual(["checked", true]);
    const detailOf = (step: string) =>
      `expected an import of its own: the command pointkeeper import began this one and has it ${step}: run the command again with the same file`;
    const checked = await manager.post(`/imports/${uid}/check`, settingsOf(data, {}));
    const started = await manager.post(`/imports/${uid}/start`);
    expect([checked, started].map(({ status, body }) => [status, body.errors?.[0].detail])).toEqual([
      [409, detailOf("checked")],
      [409, detailOf("started")],
    ]);
  },
);

async function* asyncOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
