import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import type { Tx } from "../../src/db/pool.ts";
import { SHARDS } from "../../src/imports/csv-import.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { startUndo } from "../../src/imports/undo/start-undo.ts";
import { undoPoints } from "../../src/imports/undo/undo-points.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { mergeCustomers } from "../../src/intake/merge-customers.ts";
import { moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { undoMove } from "../../src/moving-in/undo-move.ts";
import { behind } from "../support/behind.ts";
import { balanceOf, upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { createMoveUploads, memberMove } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

// What the page of another app's file shows while the file is undone, and afterwards.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const HEADER = "email,points_approved";
const { checked, recheck, imported, until, pointsOf } = createMoveUploads(() => ({ service, manager }));
const read = async (uid: string) => (await manager.get(`/imports/${uid}`)).body.data;

const LOCK_BALANCE = `select b.bucket
from balance b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where c.email = $1
for update of b`;

test("what a file took back counts, however long undoing it takes", async () => {
  await makeCustomer(service.deps, { email: "slow@undoing.example" });
  const { uid } = await checked(`${HEADER}\nslow@undoing.example,10\n`);
  await imported(uid);
  await service.deps.db.tx(async (tx) => {
    await tx.query(LOCK_BALANCE, ["slow@undoing.example"]); // what undoing it waits for
    expect((await manager.post(`/imports/${uid}/undo`, {})).status).toBe(200);
    await waitUntil(async () => (await read(uid)).parts[0].state === "undoing");
    service.clock.advance({ minutes: 5 });
  });
  const done = await until(uid, "undone");
  expect(done.undo).toMatchObject({ row_count: 1, good_count: 1, points_taken: 10 });
});

test("a part that was undone by a clock that is ahead is shown", async () => {
  await makeCustomer(service.deps, { email: "ahead@undoing.example" });
  const { uid } = await checked(`${HEADER}\nahead@undoing.example,10\n`);
  const { parts } = await imported(uid);
  expect((await manager.post(`/imports/${uid}/undo`, {})).status).toBe(200);
  await until(uid, "undone");
  const later = "update import set undone_at = undone_at + interval '1 second' where uid = $1";
  await service.deps.db.execute(later, [parts[0].uid]);
  expect((await read(uid)).parts).toMatchObject([{ uid: parts[0].uid, kind: "points", state: "undone" }]);
});

test("a kind that was undone and imported again meanwhile counts once", async () => {
  await makeCustomer(service.deps, { email: "twice@undoing.example" });
  const rows = ["twice@undoing.example,10"];
  const { uid } = await checked(`${HEADER}\n${rows[0]}\n`);
  const [first] = (await imported(uid)).parts;
  expect((await manager.post(`/imports/${first.uid}/undo`, {})).status).toBe(200);
  await until(first.uid, "undone");
  service.clock.advance({ minutes: 5 });
  const second = await moveKind(service.deps, memberMove(service, rows, HEADER), "points", {
    by: { uid: manager.uid, name: "M" },
    onLeftOut: async () => {},
    work: async (part, phase) => {
      const busy = phase === "check" ? "checking" : "importing";
      await waitUntil(async () => (await read(part)).state !== busy);
      return selectImport(service.deps.db, part);
    },
  });
  expect((await read(uid)).parts).toMatchObject([{ uid: second?.uid, state: "imported" }]);
  expect((await manager.post(`/imports/${uid}/undo`, {})).status).toBe(200);
  expect((await until(uid, "undone")).undo).toMatchObject({ row_count: 1, good_count: 1, points_taken: 10 });
  expect(await pointsOf("twice@undoing.example")).toBe(0);
});

test("two who undo a file at the same moment both see it undone, and it is undone once", async () => {
  await makeCustomer(service.deps, { email: "both@undoing.example" });
  const rows = ["both@undoing.example,10,100", "new@undoing.example,11,100"];
  const header = `${HEADER},total_spent`;
  const { uid } = await checked(`${header}\n${rows.join("\n")}\n`);
  expect((await imported(uid)).parts).toHaveLength(3);
  const work = async (part: string) => {
    await waitUntil(async () => (await read(part)).state === "undone");
    return selectImport(service.deps.db, part);
  };
  const move = moveUidOf(memberMove(service, rows, header));
  const undo = () => undoMove(service.deps, move, { by: { uid: manager.uid, name: "M" }, work });
  const both = await Promise.all([undo(), undo(), undo()]);
  for (const parts of both) expect(parts.map(({ kind }) => kind)).toEqual(["spend", "points", "customers"]);
  expect([await pointsOf("both@undoing.example"), await pointsOf("new@undoing.example")]).toEqual([0, undefined]);
});

test.each([
  ["history", "date,points,type", "2026-02-01,5,earned", "history_entry"],
  ["spend", "created_at,total", "2026-02-01T00:00:00Z,900", "customer_spend_base"],
] as const)("%s that a merge moves while it is being undone is removed", async (kind, header, row, table) => {
  const email = `${kind}@merging.example`;
  const [removed, kept] = [await makeCustomer(service.deps, { email }), await makeCustomer(service.deps)];
  const content = `email,${header}\n${email},${row}\n`;
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content, { kind, name: `${kind}.csv` });
  const { uid } = await recheck(sent.body.data, { source: "Rivo" });
  await imported(uid);
  const merge = { removedId: removed.storefrontId, keptId: kept.storefrontId, appReference: "test" };
  await behind(
    service.deps.db,
    (tx) => mergeCustomers(tx, service.deps, merge),
    () => manager.post(`/imports/${uid}/undo`, {}).then(() => until(uid, "undone")),
  );
  expect(await service.deps.db.query(`select from ${table} where import_uid = $1`, [uid])).toEqual([]);
  expect((await read(uid)).undo).toMatchObject({ row_count: 1, good_count: 1 });
});

test.each(["merge", "undoing"])("of an undoing and a merge that undoes a deletion, the %s is first", async (first) => {
  const { deps } = service;
  const [removed, kept] = [await makeCustomer(deps), await makeCustomer(deps)];
  const merge = { removedId: removed.storefrontId, keptId: kept.storefrontId, appReference: "test" };
  const merging = (tx: Tx) => mergeCustomers(tx, deps, merge);
  const content = `id,points\n${removed.storefrontId},10\n`;
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content);
  const { uid } = await recheck(sent.body.data, {});
  await imported(uid);
  await deps.db.tx((tx) => deleteCustomer(tx, deps, removed.storefrontId, "test"));
  const undoing = (tx: Tx) => undoHere(tx, uid);
  const [work, other] = first === "merge" ? [merging, undoing] : [undoing, merging];
  await behind(deps.db, work, () => deps.db.tx(other));
  await workImports(deps); // as the worker does, if it does not already
  expect((await until(uid, "undone")).undo).toMatchObject({ good_count: 1, fault_count: 0, points_taken: 10 });
  expect(await balanceOf(deps, kept.storefrontId)).toBe(0n);
});

/** Undoes a file of points in a transaction of the test. */
async function undoHere(tx: Tx, uid: string): Promise<void> {
  await startUndo(tx, service.deps, uid, { by: { uid: manager.uid, name: "M" }, isApproved: true });
  const file = await selectImport(tx, uid);
  for (let shard = 0; shard < SHARDS; shard++)
    await undoPoints(tx, service.deps, file, { shard, size: 10, isTrusting: false });
}
