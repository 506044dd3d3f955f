import { afterAll, beforeAll, expect, test } from "vitest";
import type { CustomerRow } from "../../src/customers/customer.ts";
import { selectByEmails } from "../../src/customers/customer-queries.ts";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import type { Tx } from "../../src/db/pool.ts";
import { insertLateIssues } from "../../src/imports/check/survey-queries.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { redactCustomer } from "../../src/intake/redact-customer.ts";
import { type MemberMove, MOVE_KINDS, type MoveKind, moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { undoMove } from "../../src/moving-in/undo-move.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { createMoveUploads, memberMove } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";
import { waitUntil } from "../support/wait-until.ts";

// Customers whom another app's file names are deleted, erased, merged or get another address, while the file waits or is imported.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

const { checked, imported, until, pointsOf } = createMoveUploads(() => ({ service, manager }));
const HEADER = "email,points_approved";
const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const BUSY = ["checking", "importing", "undoing"];
const work = async (uid: string) => {
  for (;;) {
    await workImports(service.deps);
    const part = await selectImport(service.deps.db, uid);
    if (!BUSY.includes(part.state)) return part; // the service's own worker may have claimed it
  }
};

const remove = ({ storefrontId }: CustomerRow) =>
  service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, storefrontId, "test"));

const erase = ({ storefrontId }: CustomerRow) =>
  service.deps.db.tx((tx) => redactCustomer(tx, service.deps, { customerId: storefrontId, appReference: "test" }));

const balanceOf = async ({ storefrontId }: CustomerRow): Promise<number> =>
  (await service.client.get(`/api/storefront/point_balances/${storefrontId}`)).body.data.point_balance;

/** How many rows have an e-mail address, of deleted customers too. */
const countOf = async (email: string) => {
  const rows = await service.deps.db.query<{ id: string }>(
    "select storefront_id as id from customer where email = $1",
    [email],
  );
  return rows.length;
};

/** The ids by which former addresses are found, of one move or of all. */
const formerIds = async (move?: MemberMove) => {
  const rows = await service.deps.db.query<{ id: string }>(
    "select storefront_id as id from customer_alias where storefront_id like $1",
    [`email:former/${move === undefined ? "" : moveUidOf(move)}%`],
  );
  return rows.map(({ id }) => id);
};

const faultsOf = async (uid: string) => (await manager.get(`/imports/${uid}/faults?phase=import`)).body.data;

/** Imports a file like the command. `before`: what happens before a kind's file is made. Returns the codes of the rows that were left out. */
async function moveIn(move: MemberMove, before: Partial<Record<MoveKind, () => Promise<unknown>>>) {
  service.clock.advance({ seconds: 1 });
  const left: string[] = [];
  for (const kind of MOVE_KINDS) {
    await before[kind]?.();
    const onLeftOut = async (faults: readonly { readonly code: string }[]) =>
      void left.push(...faults.map(({ code }) => code));
    const part = await moveKind(service.deps, move, kind, { by: BY, work, onLeftOut });
    if (part === null) continue;
    const { body } = await manager.get(`/imports/${part.uid}/faults?phase=check`);
    left.push(...body.data.map(({ code }: { code: string }) => code));
  }
  return left;
}

test("a checked file keeps who its rows belong to: it brings no deleted person back, and follows addresses and merges", async () => {
  const [gone, renamed, lost, kept, both] = await Promise.all(
    ["gone", "renamed", "lost", "kept", "both"].map((name) =>
      makeCustomer(service.deps, { email: `${name}@waits.example` }),
    ),
  );
  if (!gone || !renamed || !lost || !kept || !both) throw new Error("five were made");
  const rows = ["gone,40", "renamed,7", "lost,5", "kept,3", "both,2", "new,1"];
  const data = await checked(`${HEADER}\n${rows.map((row) => row.replace(",", "@waits.example,")).join("\n")}\n`);
  expect(data.survey).toMatchObject({ found_by_email: 5, created: 1 });
  await remove(gone);
  const path = `/api/storefront/customers/${renamed.storefrontId}`;
  expect((await service.client.put(path, { email: "other@waits.example" })).status).toBe(200);
  await mergeInto(service.deps, lost.storefrontId, kept.storefrontId);
  await mergeInto(service.deps, both.storefrontId, lost.storefrontId); // an id that was merged leads on
  expect(await formerIds(), "a merge keeps nothing for a file that waits").toEqual([]);
  const done = await imported(data.uid);
  expect(done.import).toMatchObject({ row_count: 6, good_count: 5, points_added: 18 });
  expect(await faultsOf(data.uid)).toMatchObject([{ line: 2, code: "customer_deleted" }]);
  expect(await Promise.all([balanceOf(renamed), balanceOf(kept), pointsOf("new@waits.example")])).toEqual([7, 10, 1]);
  await erase(gone);
  expect(await Promise.all(["gone", "renamed", "lost"].map((name) => countOf(`${name}@waits.example`)))).toEqual([
    0, 0, 0,
  ]);
  expect((await manager.post(`/imports/${data.uid}/undo`, {})).status).toBe(200);
  await until(data.uid, "undone");
  expect(await Promise.all([balanceOf(renamed), balanceOf(kept)])).toEqual([0, 0]);
});

test("members whom an undone file takes away are created again by one that was checked before", async () => {
  const { uid } = await checked(`${HEADER}\nmember@undone.example,40\n`);
  await imported(uid);
  const next = await checked(`${HEADER}\nmember@undone.example,50\n`, { sets_balance: true });
  expect(next.survey).toMatchObject({ found_by_email: 1, created: 0 });
  expect((await manager.post(`/imports/${uid}/undo`, {})).status).toBe(200);
  await until(uid, "undone");
  expect(await pointsOf("member@undone.example")).toBeUndefined();
  expect((await imported(next.uid)).import).toMatchObject({ row_count: 1, good_count: 1, points_added: 50 });
  expect(await pointsOf("member@undone.example")).toBe(50);
});

test("a row of a renamed customer and one of the new address set no balance twice", async () => {
  const renamed = await makeCustomer(service.deps, { email: "before@set-waits.example" });
  const rows = ["before@set-waits.example,40", "after@set-waits.example,7"];
  const data = await checked(`${HEADER}\n${rows.join("\n")}\n`, { sets_balance: true });
  const path = `/api/storefront/customers/${renamed.storefrontId}`;
  expect((await service.client.put(path, { email: "after@set-waits.example" })).status).toBe(200);
  expect((await imported(data.uid)).import).toMatchObject({ row_count: 2, good_count: 1, points_added: 40 });
  expect(await faultsOf(data.uid)).toMatchObject([{ line: 3, code: "row_repeated" }]);
  expect(await balanceOf(renamed)).toBe(40);
});

test("a person who is erased while the command imports a file is not created again, before or after a merge", async () => {
  const [erased, lost, kept] = await Promise.all(
    ["erased", "lost", "kept"].map((name) => makeCustomer(service.deps, { email: `${name}@command.example` })),
  );
  if (!erased || !lost || !kept) throw new Error("three were made");
  const rows = ["erased,40,4", "lost,20,2", "kept,3,3", "new,1,1"].map((row) => row.replace(",", "@command.example,"));
  const move = memberMove(service, rows, `${HEADER},total_spent`);
  const left = await moveIn(move, {
    points: async () => {
      await remove(erased);
      await erase(erased);
      await mergeInto(service.deps, lost.storefrontId, kept.storefrontId);
      expect(await formerIds(move)).toHaveLength(1);
    },
    spend: async () => {
      await erase(lost); // its id only: the survivor stays
      expect(await formerIds(move)).toEqual([]);
    },
  });
  expect(left).toEqual(["customer_unknown", "customer_unknown", "customer_unknown"]); // in points and spend, and the merged one in spend
  expect(await Promise.all(["erased", "lost"].map((name) => countOf(`${name}@command.example`)))).toEqual([0, 0]);
  expect(await Promise.all([balanceOf(kept), pointsOf("new@command.example")])).toEqual([23, 1]);
  await undoMove(service.deps, moveUidOf(move), { by: BY, work });
  expect(await balanceOf(kept)).toBe(0);
});

test("two rows of an address that is merged meanwhile count once where balances are set", async () => {
  const rows = ["lost@twice.example,40", "lost@twice.example,40", "new@twice.example,1"];
  const move = { ...memberMove(service, rows, HEADER), setsBalance: true };
  const left = await moveIn(move, {
    points: async () => {
      const [made] = (await selectByEmails(service.deps.db, ["lost@twice.example"])).get("lost@twice.example") ?? [];
      const kept = await makeCustomer(service.deps, { email: "kept@twice.example" });
      await mergeInto(service.deps, made?.storefrontId ?? "", kept.storefrontId);
    },
  });
  expect([left, await pointsOf("kept@twice.example")]).toEqual([["row_repeated"], 40]);
});

test("a row that is left out while a person is erased, or after, keeps nothing that names anybody", async () => {
  const person = await makeCustomer(service.deps, { email: "late@erased.example" });
  const { uid } = await checked(`${HEADER}\nlate@erased.example,1\n`);
  const keep = (tx: Tx, n: number) => {
    const value = "late@erased.example";
    return insertLateIssues(tx, uid, [{ n, line: n + 1, code: "customer_deleted", field: "email", value }]);
  };
  const { db } = service.deps;
  const [erasing] = await db.tx(async (tx) => {
    await keep(tx, 1);
    const running = erase(person);
    await waitUntil(
      async () => (await db.query("select from pg_locks where not granted and locktype = 'advisory'")).length > 0,
    );
    return [running];
  });
  await erasing;
  await db.tx((tx) => keep(tx, 2));
  const values = (await faultsOf(uid)).map(({ line, value }: { line: number; value: string | null }) => [line, value]);
  expect(values).toEqual([
    [2, null],
    [3, null],
  ]);
});

test("a person's data has the rows by which a checked file names them apart from those that were imported", async () => {
  const person = await makeCustomer(service.deps, { email: "named@files.example" });
  const { uid } = await checked(`${HEADER}\nnamed@files.example,5\n`);
  const { data } = (await service.client.get(`/api/storefront/customers/${person.storefrontId}/data`)).body;
  expect([data.named_in_files, data.imported_rows]).toEqual([[{ import: uid, line: 2 }], []]);
});

test("the erasure of a survivor, and the end of the move, remove what leads from former addresses", async () => {
  const [lost, kept, lostToo, keptToo] = await Promise.all(
    ["lost", "kept", "lost2", "kept2"].map((name) => makeCustomer(service.deps, { email: `${name}@ends.example` })),
  );
  if (!lost || !kept || !lostToo || !keptToo) throw new Error("four were made");
  const move = memberMove(service, ["lost@ends.example,20", "lost2@ends.example,4", "new@ends.example,1"], HEADER);
  const left = await moveIn(move, {
    points: async () => {
      await mergeInto(service.deps, lost.storefrontId, kept.storefrontId);
      await mergeInto(service.deps, lostToo.storefrontId, keptToo.storefrontId);
    },
  });
  expect([left, await balanceOf(kept), await balanceOf(keptToo)]).toEqual([[], 20, 4]);
  expect(await formerIds(move)).toHaveLength(2);
  await erase(kept);
  expect(await formerIds(move)).toHaveLength(1);
  await pruneImports(service.deps);
  expect(await formerIds(move), "the next kind of the file is still expected").toHaveLength(1);
  service.clock.advance({ hours: 25 });
  await pruneImports(service.deps);
  expect(await formerIds(move)).toEqual([]);
});
