import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { MOVE_KINDS, type MoveKind, moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { undoMove } from "../../src/moving-in/undo-move.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { exampleRuns } from "../support/example-runs.ts";
import { createMoveUploads, memberMove } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

// Customers whose e-mail address another app's file names are merged into customers with other addresses, which removes the address, while the file
// waits or is imported.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

const { checked, imported, pointsOf } = createMoveUploads(() => ({ service, manager }));
const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const BUSY = ["checking", "importing", "undoing"];
const work = async (uid: string) => {
  for (;;) {
    await workImports(service.deps);
    const part = await selectImport(service.deps.db, uid);
    if (!BUSY.includes(part.state)) return part; // the service's own worker may have claimed it
  }
};

async function give(customerId: string, points: number): Promise<void> {
  const body = { customer_id: customerId, point_value: points };
  expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

const liveIdOf = async (email: string) => {
  const [row] = await service.deps.db.query<{ id: string }>(
    "select storefront_id as id from customer where email = $1 and deleted_at is null",
    [email],
  );
  return row?.id ?? "";
};

const balanceOf = async (id: string): Promise<number> =>
  (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;

const spentOf = async (storefrontId: string) => {
  const [row] = await service.deps.db.query<{ spent: number }>(
    `select coalesce(sum(b.spend_minor), 0)::int as spent
from customer_alias a
join customer_spend_base b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
where a.storefront_id = $1`,
    [storefrontId],
  );
  return row?.spent ?? 0;
};

/** Merges of four people: two customers and a new member, whom the file names, and a customer whom it does not. */
const merges = fc.array(
  fc.record({
    /** Before this kind's file is made, or, if `isLate`, between its check and its import. */
    at: fc.constantFrom<MoveKind>("points", "points", "spend"),
    isLate: fc.boolean(),
    removed: fc.nat(2),
    kept: fc.nat(3),
  }),
  { minLength: 1, maxLength: 3 },
);
type Merges = typeof merges extends fc.Arbitrary<infer M> ? M : never;
const PEOPLE = [0, 1, 2, 3];
const MEMBER = 2;

/** Imports a file while its people are merged. Returns who each of the four is part of at the end, and their ids. */
async function importMeanwhile(run: number, steps: Merges) {
  const emails = PEOPLE.map((each) => `p${each}@former${run}.example`);
  for (const email of emails.filter((_, each) => each !== MEMBER))
    await give((await makeCustomer(service.deps, { email })).storefrontId, 100);
  const [known = "", other = "", made = ""] = emails;
  const rows = [`${known},1,10`, `${other},2,20`, `${made},4,40`];
  const move = memberMove(service, rows, "email,points_approved,total_spent");
  service.clock.advance({ seconds: 1 });
  const ids: string[] = [];
  const owners = [...PEOPLE];
  const act = async (kind: MoveKind, isLate: boolean) => {
    if (ids.length === 0) for (const email of emails) ids.push(await liveIdOf(email));
    for (const step of steps.filter((each) => each.at === kind && each.isLate === isLate)) {
      const [removed = 0, kept = 0] = [owners[step.removed], owners[step.kept]];
      if (removed === kept) continue;
      await mergeInto(service.deps, ids[removed] ?? "", ids[kept] ?? "");
      for (const [each, owner] of owners.entries()) if (owner === removed) owners[each] = kept;
    }
  };
  for (const kind of MOVE_KINDS) {
    if (kind !== "customers") await act(kind, false);
    await moveKind(service.deps, move, kind, {
      by: BY,
      onLeftOut: async (faults) => expect(faults).toEqual([]),
      work: async (uid, phase) => {
        const part = await work(uid);
        if (phase === "check" && kind !== "customers") await act(kind, true);
        return part;
      },
    });
  }
  return { move, ids, owners };
}

let runs = 0;
test("rows of addresses that merges remove meanwhile count for the customer who remains, once", async () => {
  await fc.assert(
    fc.asyncProperty(merges, async (steps) => {
      const { move, ids, owners } = await importMeanwhile(++runs, steps);
      const sumOf = (values: readonly number[], who: number) =>
        PEOPLE.filter((each) => owners[each] === owners[who]).reduce((sum, each) => sum + (values[each] ?? 0), 0);
      const sums = (values: readonly number[], people = PEOPLE) => people.map((who) => sumOf(values, who));
      expect(await Promise.all(ids.map(balanceOf))).toEqual(sums([101, 102, 4, 100]));
      expect(await Promise.all(ids.map(spentOf))).toEqual(sums([10, 20, 40, 0]));
      await undoMove(service.deps, moveUidOf(move), { by: BY, work });
      const isAlone = owners.filter((owner) => owner === owners[MEMBER]).length === 1;
      const left = PEOPLE.filter((who) => who !== MEMBER || !isAlone);
      expect(await Promise.all(left.map((who) => balanceOf(ids[who] ?? "")))).toEqual(sums([100, 100, 0, 100], left));
    }),
    { numRuns: exampleRuns(5), endOnFailure: true },
  );
});

const HEADER = "email,points_approved";

test("a customer merged between the check of a file and its start becomes no new member", async () => {
  const [lost, kept] = ["lost@waiting.example", "kept@waiting.example"];
  const removed = await makeCustomer(service.deps, { email: lost });
  const survivor = await makeCustomer(service.deps, { email: kept });
  const data = await checked(`${HEADER}\n${lost},40\n${kept},2\n`);
  expect(data.survey).toMatchObject({ found_by_email: 2, created: 0 });
  await mergeInto(service.deps, removed.storefrontId, survivor.storefrontId);
  const done = await imported(data.uid);
  expect(done.import).toMatchObject({ row_count: 2, good_count: 2, points_added: 42 });
  expect([await pointsOf(kept), await pointsOf(lost)]).toEqual([42, undefined]);
});

test("rows of a balance that is set and of an address merged into its customer are both reported", async () => {
  const [lost, kept] = ["lost@set.example", "kept@set.example"];
  const removed = await makeCustomer(service.deps, { email: lost });
  const survivor = await makeCustomer(service.deps, { email: kept });
  await give(removed.storefrontId, 500);
  service.clock.advance({ seconds: 1 });
  const data = await checked(`${HEADER}\n${lost},40\n${kept},2\n`, { sets_balance: true });
  await mergeInto(service.deps, removed.storefrontId, survivor.storefrontId);
  const done = await imported(data.uid);
  expect(done.import).toMatchObject({ row_count: 2, good_count: 0, points_added: 0, points_taken: 0 });
  expect(await pointsOf(kept)).toBe(500);
});

test("an address whose customer was merged into a deleted one is reported", async () => {
  const removed = await makeCustomer(service.deps, { email: "lost@deleted.example" });
  const survivor = await makeCustomer(service.deps, { email: "kept@deleted.example" });
  const data = await checked(`${HEADER}\nlost@deleted.example,40\nstays@deleted.example,2\n`);
  await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, survivor.storefrontId, "test"));
  await mergeInto(service.deps, removed.storefrontId, survivor.storefrontId);
  const done = await imported(data.uid);
  expect(done.import).toMatchObject({ row_count: 2, good_count: 1, points_added: 2 });
  const { body } = await manager.get(`/imports/${data.uid}/faults?phase=import`);
  expect(body.data).toMatchObject([{ line: 2, code: "customer_deleted" }]);
});
