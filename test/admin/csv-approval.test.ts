import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { beginMove } from "../../src/commands/move-in/begin-move.ts";
import type { Clock } from "../../src/deps.ts";
import { storeUpload } from "../../src/imports/store-upload.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { workMoves } from "../../src/moving-in/work-moves.ts";
import type { UploadKind } from "../../src/wire/import-fields.ts";
import { knowPresent } from "../support/clock.ts";
import { balanceOf, settingsOf, upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
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
  for (const storefrontId of ["501", "502"]) await makeCustomer(service.deps, { storefrontId });
});
afterAll(() => service.stop());

const send = (content: string) => upload({ url: service.url, cookie: manager.cookie }, content);

async function check(content: string) {
  const { uid, ...data } = (await send(content)).body.data;
  expect((await manager.post(`/imports/${uid}/check`, settingsOf(data))).status).toBe(200);
  await workImports(service.deps);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

const aheadBy = (minutes: number) => ({ now: () => service.clock.now().add({ minutes }) });
const aheadByYear = { now: () => systemClock.now().add({ hours: 24 * 365 }) };

/** Uploads a file at a node with this clock. */
async function uploadBy(clock: Clock, kind: UploadKind, content: string) {
  const bytes = Readable.from([Buffer.from(content)]);
  const by = { uid: manager.uid, name: "manager" };
  return storeUpload({ ...service.deps, clock }, { kind, fileName: "ahead.csv", bytes, by });
}

describe("approval", () => {
  const needed = async (uid: string, by: AdminClient) => (await by.get(`/imports/${uid}`)).body.data.needs_another;
  /** Requests its start or undoing, which waits; returns the request. */
  const ask = async (uid: string, verb: "start" | "undo", by: AdminClient): Promise<string> => {
    const { state } = (await by.get(`/imports/${uid}`)).body.data;
    const { status, body } = await by.post(`/imports/${uid}/${verb}`);
    expect([status, body.data.state]).toEqual([200, state]);
    return body.data.waiting.request_uid;
  };
  const approve = async (request: string, by: AdminClient) => {
    const { status } = await by.post(`/approvals/${request}/approve`, {});
    await workImports(service.deps);
    return status;
  };
  const stateOf = async (uid: string) => (await manager.get(`/imports/${uid}`)).body.data.state;

  test("rows of a customer above the limit need a second person, and so does undoing them", async () => {
    const { uid, largest_points } = await check("id,points\n501,6000\n502,9000\n501,4001\n501,-500\n");
    expect(largest_points).toBe(10_001);
    expect([await needed(uid, manager), await needed(uid, other)]).toEqual([true, true]);
    const start = await ask(uid, "start", manager);
    expect(await approve(start, manager)).toBe(403);
    expect((await manager.get(`/imports/${uid}`)).body.data.approval).toBeNull();
    expect(await approve(start, other)).toBe(200);
    expect(await stateOf(uid)).toBe("imported");
    const approvals = async () => {
      const { approval, undo_approval } = (await manager.get(`/imports/${uid}`)).body.data;
      return [approval?.by, undo_approval?.by];
    };
    const nameOf = async ({ uid: of }: AdminClient) =>
      (await service.deps.db.query<{ name: string }>("select name from staff where uid = $1", [of]))[0]?.name;
    expect(await approvals()).toEqual([await nameOf(other), undefined]);
    const undo = await ask(uid, "undo", other);
    expect(await approve(undo, other)).toBe(403);
    expect(await approve(undo, manager)).toBe(200);
    expect(await stateOf(uid)).toBe("undone");
    expect(await approvals()).toEqual([await nameOf(other), await nameOf(manager)]);
  });

  test("a file that sets balances needs one whatever it says: only once it is set is it known what it takes", async () => {
    await makeCustomer(service.deps, { storefrontId: "503", email: "rich@example.com" });
    const points = { customer_id: "503", point_value: 50_000 };
    expect((await service.client.post("/api/storefront/point_allotments", points)).status).toBe(200);
    const file = { kind: "move", name: "members.csv" } as const;
    const sent = await upload(
      { url: service.url, cookie: manager.cookie },
      "email,points_approved\nrich@example.com,0\n",
      file,
    );
    const { uid, options, ...data } = sent.body.data;
    const set = settingsOf({ ...data, options: { ...options, vendor: "loyaltylion", sets_balance: true } });
    expect((await manager.post(`/imports/${uid}/check`, set)).status).toBe(200);
    const { signal } = new AbortController();
    await workMoves(service.deps, signal);
    expect(await needed(uid, manager)).toBe(true);
    const start = await ask(uid, "start", manager);
    const balance = async () =>
      (await service.client.get("/api/storefront/point_balances/503")).body.data.point_balance;
    expect(await balance()).toBe(50_000);
    expect(await approve(start, other)).toBe(200);
    const moving = workMoves(service.deps, signal);
    await waitUntil(async () => {
      await workImports(service.deps);
      return (await stateOf(uid)) === "imported";
    });
    await moving;
    expect(await balance()).toBe(0);
  });

  test("so does undoing it, if it moves more than the limit for all together: whose balance it was is in no row", async () => {
    await makeCustomer(service.deps, { storefrontId: "504" });
    const points = { customer_id: "504", point_value: 50_000 };
    expect((await service.client.post("/api/storefront/point_allotments", points)).status).toBe(200);
    const { uid, options, ...data } = (await send("id,points\n504,0\n")).body.data;
    const set = settingsOf({ ...data, options: { ...options, sets_balance: true } });
    expect((await manager.post(`/imports/${uid}/check`, set)).status).toBe(200);
    await workImports(service.deps);
    expect(await approve(await ask(uid, "start", manager), other)).toBe(200);
    expect(await stateOf(uid)).toBe("imported");
    expect(await needed(uid, manager)).toBe(true);
  });

  test("the balance of two since the upload is not set, where the clock of the node that took the file is ahead", async () => {
    for (const id of ["506", "507"]) await makeCustomer(service.deps, { storefrontId: id });
    await service.client.post("/api/storefront/point_allotments", { customer_id: "506", point_value: 200 });
    await knowPresent(service);
    const { uid } = await uploadBy(aheadBy(5), "points", "id,points\n507,300\n");
    await mergeInto(service.deps, "506", "507");
    const { options, ...data } = (await manager.get(`/imports/${uid}`)).body.data;
    const set = settingsOf({ ...data, options: { ...options, sets_balance: true } });
    expect((await manager.post(`/imports/${uid}/check`, set)).status).toBe(200);
    await workImports(service.deps);
    expect(await approve(await ask(uid, "start", manager), other)).toBe(200);
    const left = (await manager.get(`/imports/${uid}/faults?phase=import`)).body.data;
    expect(left).toMatchObject([{ line: 2, code: "customer_merged" }]);
    expect(await balanceOf(service.deps, "507")).toBe(200n);
  });

  test("a node whose clock is ahead does not move the ledger's time with a file of customers or a dry run, nor by more than clocks differ", async () => {
    await knowPresent(service);
    const ledgerTime = () => service.deps.db.query("select floor_at as at from ledger_mark");
    const moveBy = (clock: Clock, isDryRun: boolean) => beginMove({ ...service.deps, clock }, { isDryRun });
    const before = await ledgerTime();
    await uploadBy(aheadBy(20), "customers", "id,name\n508,Hanako\n");
    await uploadBy(aheadByYear, "points", "id,points\n501,1\n");
    await moveBy(aheadByYear, false);
    await moveBy(aheadBy(20), true);
    expect(await ledgerTime()).toEqual(before);
    const begun = await moveBy(aheadBy(20), false);
    expect(await ledgerTime()).toEqual([{ at: begun.subtract({ microseconds: 1 }) }]);
  });

  test("a request whose file waits for another one is not approved, and its refusal leaves the file waiting", async () => {
    const { uid } = await check("id,points\n501,10005\n");
    const request = await ask(uid, "start", manager);
    const waits = "update import set waits_until = waits_until + $2::interval where uid = $1";
    await service.owner.execute(waits, [uid, "1 minute"]); // as of a later request, by a node whose clock is ahead
    expect(await approve(request, other)).toBe(409);
    expect((await other.post(`/approvals/${request}/refuse`, { note: "no" })).status).toBe(200);
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(409);
    expect(await stateOf(uid)).toBe("checked");
  });

  test("who says how another's file is read cannot start it either; the check is in the audit log, without its note", async () => {
    const sent = await send("id,points\n501,10002\n");
    const { uid, options } = sent.body.data;
    const settings = settingsOf(sent.body.data, { options: { ...options, note: "about somebody" } });
    expect((await other.post(`/imports/${uid}/check`, settings)).status).toBe(200);
    await workImports(service.deps);
    const request = await ask(uid, "start", other);
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(409);
    expect(await approve(request, other)).toBe(403);
    const third = await signIn(service, "manager");
    expect(await approve(request, third)).toBe(200);
    expect(await stateOf(uid)).toBe("imported");
    const entries = await service.deps.db.query<{ action: string; after: object }>(
      "select action, after from audit_entry where subject_id = $1 order by id",
      [uid],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      "import.uploaded",
      "import.check_started",
      "import.start_requested",
      "import.started",
      "import.start_approved",
    ]);
    expect(entries[1]?.after).toMatchObject({ columns: { customer: 0, points: 1 }, options: { origin: "migration" } });
    expect(JSON.stringify(entries)).not.toMatch(/about somebody|points\.csv/);
  });

  test("a request of a kind that only a newer release knows waits for its nodes", async () => {
    const { uid } = await check("id,points\n501,10003\n");
    const request = await ask(uid, "start", manager);
    await service.owner.execute(`alter table adjustment_request
      drop constraint adjustment_request_kind_check,
      drop constraint adjustment_request_import_check`);
    const rename = (kind: string) =>
      service.owner.execute("update adjustment_request set kind = $2 where uid = $1", [request, kind]);
    await rename("newer");
    expect(await approve(request, other)).toBe(404);
    expect((await other.post(`/approvals/${request}/refuse`, {})).status).toBe(404);
    expect(await stateOf(uid)).toBe("checked");
    await rename("import");
    expect(await approve(request, other)).toBe(200);
    expect(await stateOf(uid)).toBe("imported");
  });
});
