import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseImports } from "../../src/imports/erase-imports.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { createMoveUploads } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// What happens between the upload of another app's file and its import, and before it is undone.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const HEADER = "email,points_approved";
const { checked, imported, until, pointsOf } = createMoveUploads(() => ({ service, manager }));
async function expectSoundLedger() {
  const lines: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => lines.push(line))).ok, lines.join("\n")).toBe(true);
}

test("what can no longer be undone when its turn comes ends the undoing, which says what is left", async () => {
  const data = await checked("email,points_approved,total_spent\nold@again.example,10,100\n");
  expect((await imported(data.uid)).parts).toHaveLength(3);
  await service.deps.db.execute(
    `update import
    set finished_at = finished_at - interval '90 days'
    where options -> 'move' ->> 'uid' is not null
      and file_name = $1
      and kind in ('customers', 'points')`,
    [`members.csv (LoyaltyLion)`],
  );
  expect((await manager.post(`/imports/${data.uid}/undo`, {})).status).toBe(200);
  const ended = await until(data.uid, "imported");
  expect(ended).toMatchObject({ undone_by: null, undone_at: null });
  expect(ended.undo).toMatchObject({ row_count: 1, good_count: 0, fault_count: 1, points_taken: 0 });
  const states = ended.parts.map(({ kind, state }: Record<string, unknown>) => [kind, state]);
  expect(Object.fromEntries(states)).toEqual({ customers: "imported", points: "imported", spend: "undone" });
  await service.deps.db.tx((tx) => eraseImports(tx, [])); // the erasure of a person, who is not named there
  const { body } = await manager.get(`/imports/${data.uid}/faults?phase=undo`);
  expect(body.data).toMatchObject([{ code: "part_not_undone", value: "points" }]);
  expect(body.data[0].detail).toContain("The points of this file can no longer be undone");
  expect(await pointsOf("old@again.example")).toBe(10);
  expect((await manager.post(`/imports/${data.uid}/undo`, {})).status).toBe(200);
  await until(data.uid, "imported");
  expect((await manager.get(`/imports/${data.uid}/faults?phase=undo`)).body.data).toHaveLength(1);
  const file = await manager.get(`/imports/${data.uid}/faults.csv?phase=undo`);
  expect(file.text.split("\r\n")[1]).toMatch(/^From another app,,,part_not_undone,"The points of this file can/);
  await expectSoundLedger();
});

test("why a file was not undone stays, and rows that were left by a late undoing as long as others", async () => {
  await makeCustomer(service.deps, { email: "spent@again.example" });
  const data = await checked(`${HEADER},total_spent\nspent@again.example,10,100\n`);
  const { parts } = await imported(data.uid);
  const part = parts.find(({ kind }: Record<string, unknown>) => kind === "points");
  await service.deps.db.execute("insert into import_fault select $1, 'undo', 0, 0, 'part_not_undone', null, 'points'", [
    data.uid,
  ]);
  const [{ storefrontId } = { storefrontId: "" }] = await service.deps.db.query<{ storefrontId: string }>(
    `select c.storefront_id as "storefrontId" from customer c where c.email = 'spent@again.example'`,
  );
  const path = `/api/storefront/point_balances/${storefrontId}/set_balances`;
  expect((await service.client.post(path, { balance: 3 })).status).toBe(200);
  expect((await manager.post(`/imports/${part.uid}/undo`, {})).status).toBe(200);
  await until(part.uid, "undone");
  await service.deps.db.execute("update import set created_at = created_at - interval '40 days' where uid = any($1)", [
    [data.uid, part.uid],
  ]);
  await pruneImports(service.deps);
  const faultsOf = async (uid: string) =>
    (await manager.get(`/imports/${uid}/faults?phase=undo`)).body.data.map(({ code }: { code: string }) => code);
  expect([await faultsOf(data.uid), await faultsOf(part.uid)]).toEqual([["part_not_undone"], ["points_left"]]);
  await service.deps.db.execute("update import set undone_at = undone_at - interval '2 days' where uid = $1", [
    part.uid,
  ]);
  await pruneImports(service.deps);
  const rowsLeft = () => service.deps.db.query("select from import_row where import_uid = $1", [part.uid]);
  expect(await rowsLeft()).toHaveLength(1); // with it the list of what is left names the customer
  await service.deps.db.execute("update import set undone_at = undone_at - interval '40 days' where uid = $1", [
    part.uid,
  ]);
  await pruneImports(service.deps);
  expect([await faultsOf(data.uid), await faultsOf(part.uid)]).toEqual([["part_not_undone"], []]);
  expect(await rowsLeft()).toEqual([]);
});

test("a balance to set of a customer who was merged between the upload and the import stays as it is", async () => {
  const { storefrontId } = await makeCustomer(service.deps, { email: "joined@again.example" });
  const kept = await makeCustomer(service.deps);
  await makeCustomer(service.deps, { email: "alone@again.example" });
  const give = { customer_id: kept.storefrontId, point_value: 500 };
  expect((await service.client.post("/api/storefront/point_allotments", give)).status).toBe(200);
  const content = `${HEADER},loyalty_tier_name\njoined@again.example,40,\nalone@again.example,41,\n`;
  const data = await checked(content, { sets_balance: true });
  service.clock.advance({ hours: 1 });
  await mergeInto(service.deps, storefrontId, kept.storefrontId);
  service.clock.advance({ hours: 1 });
  expect((await imported(data.uid)).import).toMatchObject({ good_count: 1, fault_count: 1, points_added: 41 });
  expect([await pointsOf("joined@again.example"), await pointsOf("alone@again.example")]).toEqual([500, 41]);
  await expectSoundLedger();
});
