import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredIssue } from "../../src/imports/issue.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { startUndo } from "../../src/imports/undo/start-undo.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { type MemberMove, moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { surveyMove } from "../../src/moving-in/survey-move.ts";
import { upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { createMoveUploads, memberMove } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

// The same members in another file, by the dashboard's interface, and at the moment of the posting.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const HEADER = "email,points_approved";
async function expectSoundLedger() {
  const lines: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => lines.push(line))).ok, lines.join("\n")).toBe(true);
}

const moveOf = (rows: readonly string[], firstRow = HEADER) => memberMove(service, rows, firstRow);
const { checked, recheck, imported, until, pointsOf } = createMoveUploads(() => ({ service, manager }));

describe("the dashboard's interface", () => {
  test("says who received points before, leaves them out, refuses a file of nobody else, and gives again when asked to", async () => {
    const first = await checked(`${HEADER}\na@again.example,10\nb@again.example,20\n`);
    expect(first.survey.earlier).toEqual([]);
    await imported(first.uid);

    const saved = await checked(`${HEADER}\r\n"b@again.example",20\r\n"a@again.example",10\r\n`);
    expect(saved.survey.earlier).toMatchObject([
      { source: "LoyaltyLion", is_same_app: true, customers: 2, points: 30 },
    ]);
    expect(saved.check).toMatchObject({ row_count: 2, good_count: 0, fault_count: 2 });
    const refused = await manager.post(`/imports/${saved.uid}/start`, {});
    expect([refused.status, refused.body.errors.at(-1)]).toMatchObject([
      422,
      { source: { pointer: "/options/again" } },
    ]);
    const { body } = await manager.get(`/imports/${saved.uid}/faults?phase=check`);
    expect(body.data[0]).toMatchObject({ line: 2, code: "moved_before", member: "points", value: "20" });

    const set = await recheck(saved, { sets_balance: true });
    expect([set.check.good_count, set.survey.earlier.length]).toEqual([2, 1]);
    const again = await recheck(saved, { again: true });
    expect([again.check.good_count, again.options.again]).toEqual([2, true]);
    await imported(saved.uid);
    expect([await pointsOf("a@again.example"), await pointsOf("b@again.example")]).toEqual([20, 40]);

    expect((await manager.post(`/imports/${first.uid}/undo`, {})).status).toBe(200);
    await until(first.uid, "undone");
    expect((await manager.post(`/imports/${saved.uid}/undo`, {})).status).toBe(200);
    await until(saved.uid, "undone");
    const fresh = await checked(`${HEADER}\na@again.example,10\nb@again.example,20\n\n`);
    expect([fresh.survey.earlier, fresh.check.good_count]).toEqual([[], 2]);
    await expectSoundLedger();
  });

  test("ends where a part can never be checked, says which, and is undone and imported again", async () => {
    const content = `${HEADER}\nnever@again.example,10\n`;
    const data = await checked(content);
    await service.owner.execute(`create function never_check() returns trigger language plpgsql as $$ begin
      if new.kind = 'customers' then new.state := 'uploaded'; new.error := 'could_not_be_read';
      else new.attempts := 6; end if;
      return new; end $$`);
    await service.owner.execute(`create trigger never_checked before update of state on import for each row
      when (new.state = 'checking' and new.kind = 'customers' or new.state = 'importing' and new.kind = 'move')
      execute function never_check()`);
    const done = await imported(data.uid);
    await service.owner.execute("drop trigger never_checked on import");
    expect(done.import, "the page lists issues where rows are left").toMatchObject({ points_added: 0, fault_count: 1 });
    const faults = (await manager.get(`/imports/${data.uid}/faults?phase=import`)).body.data;
    expect(faults).toMatchObject([{ code: "part_not_imported", value: "customers" }]);
    const file = await manager.get(`/imports/${data.uid}/faults.csv?phase=import`);
    expect(file.text.split("\r\n")[1]).toBe(`,,,"${faults[0].detail}"`);
    expect((await manager.post(`/imports/${data.uid}/undo`, {})).status).toBe(200);
    await until(data.uid, "undone");
    await imported((await checked(content)).uid);
    expect(await pointsOf("never@again.example")).toBe(10);
  });

  test("two files that were checked before either was started: the second one's rows are left out and say why", async () => {
    const one = await checked(`${HEADER}\nc@again.example,5\nd@again.example,6\n`);
    const two = await checked(`${HEADER}\nd@again.example,6\nc@again.example,5\ne@again.example,7\n`);
    expect([one.check.good_count, two.check.good_count]).toEqual([2, 3]);
    const both = await Promise.all([imported(one.uid), imported(two.uid)]);
    const sums = both.map(({ import: { points_added } }) => points_added).reduce((sum, points) => sum + points, 0);
    expect(sums).toBe(18);
    const points = ["c", "d", "e"].map((name) => pointsOf(`${name}@again.example`));
    expect(await Promise.all(points)).toEqual([5, 6, 7]);
    const leftOut = both.reduce((sum, { import: done }) => sum + done.fault_count, 0);
    expect(leftOut).toBe(2);
    await expectSoundLedger();
  });
});

describe("orders and history, by the dashboard's interface", () => {
  const day = "2026-02-01";
  async function checkedOf(kind: "spend" | "history", content: string, options: object) {
    const sent = await upload({ url: service.url, cookie: manager.cookie }, content, { kind, name: `${kind}.csv` });
    expect(sent.status, sent.text).toBe(201);
    return recheck(sent.body.data, options);
  }
  const faultsOf = async (uid: string, language: string) =>
    (await manager.get(`/imports/${uid}/faults?phase=check&language=${language}`)).body.data;

  test("orders of an app that are exported again are left out in words, and counted once more on purpose", async () => {
    const { storefrontId } = await makeCustomer(service.deps, { email: "orders@again.example" });
    const text = (total: string) => `email,created_at,total\norders@again.example,${day}T00:00:00Z,${total}\n`;
    const spent = async () => {
      const sql = `select coalesce(sum(b.spend_minor), 0)::integer as spent
from customer_spend_base b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where c.storefront_id = $1`;
      return (await service.deps.db.query<{ spent: number }>(sql, [storefrontId]))[0]?.spent;
    };
    const first = await checkedOf("spend", text("100"), { source: "Rivo" });
    expect(first.check).toMatchObject({ good_count: 1, fault_count: 0 });
    await imported(first.uid);
    const once = await spent();
    expect(once).toBeGreaterThan(0);

    const saved = await checkedOf("spend", `${text("100")}\n`, { source: "Rivo" });
    expect(saved.check).toMatchObject({ good_count: 0, fault_count: 1 });
    const words = await Promise.all(["en", "ja"].map((language) => faultsOf(saved.uid, language)));
    expect(words.map(([fault]) => [fault.code, fault.detail])).toEqual([
      ["spent_before", "What the customer spent came with an earlier file of this app: it stays as it is."],
      ["spent_before", "購入金額は、同じアプリの以前のファイルでインポート済みです。そのままにしました。"],
    ]);
    const refused = await manager.post(`/imports/${saved.uid}/start`, {});
    expect([refused.status, refused.body.errors.at(-1)]).toMatchObject([
      422,
      { source: { pointer: "/options/again" } },
    ]);
    const other = await recheck(saved, { source: "Smile.io" });
    expect(other.check, "orders of another app are others").toMatchObject({ good_count: 1 });
    const again = await recheck(saved, { source: "Rivo", again: true });
    expect(again.check).toMatchObject({ good_count: 1, fault_count: 0 });
    await imported(saved.uid);
    expect(await spent()).toBe(2 * (once ?? 0));
  });

  test("history of an app that is exported again is a fault in words", async () => {
    await makeCustomer(service.deps, { email: "told@again.example" });
    const text = `email,date,points,type,note\ntold@again.example,${day},5,earned,A\n`;
    const first = await checkedOf("history", text, { source: "Rivo" });
    await imported(first.uid);
    const saved = await checkedOf("history", `${text}\n`, { source: "Rivo" });
    expect(saved.check).toMatchObject({ good_count: 0, fault_count: 1 });
    const words = await Promise.all(["en", "ja"].map((language) => faultsOf(saved.uid, language)));
    expect(words.map(([fault]) => [fault.code, fault.detail])).toEqual([
      ["history_before", "An earlier file of this app brought this entry: it is shown once."],
      ["history_before", "この履歴は、同じアプリの以前のファイルでインポート済みです。表示は1回だけです。"],
    ]);
  });
});

describe("where the points are posted", () => {
  test("two moves whose files were made before either posted give each customer the points of one", async () => {
    const count = 200;
    const emails = Array.from({ length: count }, (_, i) => `race${i}@again.example`);
    for (const email of emails) await makeCustomer(service.deps, { email });
    const rows = emails.map((email, i) => `${email},${i + 1}`);
    const moves = [moveOf(rows), moveOf(rows.toReversed())];
    for (const move of moves)
      expect(await surveyMove(service.deps, move)).toMatchObject({ validRows: count, earlier: [] });
    let uploaded = 0;
    const parts = await Promise.all(
      moves.map((move) =>
        moveKind(service.deps, move, "points", {
          by: { uid: manager.uid, name: "M" },
          onLeftOut: async () => {
            throw new Error("the other move was faster than this test");
          },
          work: async (uid, phase) => {
            uploaded += phase === "check" ? 1 : 0;
            await waitUntil(async () => uploaded === moves.length);
            await workImports(service.deps);
            const busy = phase === "check" ? "checking" : "importing";
            await waitUntil(async () => (await selectImport(service.deps.db, uid)).state !== busy);
            return selectImport(service.deps.db, uid);
          },
        }),
      ),
    );
    expect(parts.map((part) => part?.state)).toEqual(["imported", "imported"]);
    const points = await Promise.all(emails.map((email) => pointsOf(email)));
    expect(points).toEqual(emails.map((_, i) => i + 1));
    const [left] = await service.deps.db.query<{ count: number }>(
      `select count(*)::int as count
      from import_fault f
      where f.code = 'moved_before'
        and f.phase = 'import'
        and f.import_uid = any($1::uuid[])`,
      [parts.map((part) => part?.uid ?? null)],
    );
    expect(left).toEqual({ count });
    await expectSoundLedger();
  });

  test("two calls at once with one file whose customer is merged between both readings give the points once", async () => {
    const emails = ["lost@calls.example", "kept@calls.example"];
    const [lost, kept] = await Promise.all(emails.map((email) => makeCustomer(service.deps, { email })));
    if (lost === undefined || kept === undefined) throw new Error("two were made");
    const move = moveOf(["lost@calls.example,40"]);
    const work = async (uid: string) => {
      await waitUntil(
        async () => !["checking", "importing"].includes((await selectImport(service.deps.db, uid)).state),
      );
      return selectImport(service.deps.db, uid);
    };
    const how = { by: { uid: manager.uid, name: "M" }, work, onLeftOut: async () => {} };
    const open = async function* () {
      await moveKind(service.deps, move, "points", how); // the other call
      await mergeInto(service.deps, lost.storefrontId, kept.storefrontId);
      yield* move.file.open();
    };
    const second = moveKind(service.deps, { ...move, file: { ...move.file, open } }, "points", how);
    await expect(second).rejects.toMatchObject({ code: "import_exists" });
    expect(await pointsOf("kept@calls.example")).toBe(40);
  });

  test("who has another address by then is told, and gets nothing", async () => {
    const move = moveOf(
      ["first@late.example,5,90077", "stays@late.example,6,90078"],
      "email,points_approved,merchant_id",
    );
    expect(await surveyMove(service.deps, move)).toMatchObject({ validRows: 2, unresolved: 0 });
    for (const [storefrontId, email] of [
      ["90077", "second@late.example"],
      ["90078", "stays@late.example"],
    ] as const)
      await makeCustomer(service.deps, { storefrontId, email });
    const told: unknown[] = [];
    await post(move, (faults) => told.push(...faults));
    expect(told).toMatchObject([{ n: 1, code: "id_of_another", field: "id", value: "90077" }]);
    expect(await Promise.all(["second@late.example", "stays@late.example"].map(pointsOf))).toEqual([0, 6]);
    expect(await surveyMove(service.deps, move)).toMatchObject({ validRows: 1, unresolved: 1 });
  });

  test("what a customer received goes with a merge, and is gone when it is undone", async () => {
    const customer = await makeCustomer(service.deps, { email: "merged@again.example" });
    const kept = await makeCustomer(service.deps, {});
    const first = moveOf(["merged@again.example,9"]);
    const part = await post(first);
    await mergeInto(service.deps, customer.storefrontId, kept.storefrontId);
    const second = moveOf(["Merged@again.example,9"]);
    expect(await surveyMove(service.deps, second)).toMatchObject({
      ...{ validRows: 0, leftOut: 1, faultCount: 1 },
      earlier: [{ moveUid: moveUidOf(first), customers: 1, points: 9n }],
    });
    const by = { by: { uid: manager.uid, name: "M" }, isApproved: true };
    await service.deps.db.tx((tx) => startUndo(tx, service.deps, part.uid, by));
    await waitUntil(async () => (await selectImport(service.deps.db, part.uid)).state === "undone");
    expect(await surveyMove(service.deps, second)).toMatchObject({ validRows: 1, leftOut: 0, earlier: [] });
    const left = await service.deps.db.query("select from moved_points where import_uid = $1", [part.uid]);
    expect(left).toEqual([]);
  });
});

async function post(move: MemberMove, onLeftOut: (faults: readonly StoredIssue[]) => void = () => {}) {
  const part = await moveKind(service.deps, move, "points", {
    by: { uid: manager.uid, name: "M" },
    onLeftOut: async (faults) => onLeftOut(faults),
    work: async (uid, phase) => {
      const busy = phase === "check" ? "checking" : "importing";
      await waitUntil(async () => (await selectImport(service.deps.db, uid)).state !== busy);
      return selectImport(service.deps.db, uid);
    },
  });
  if (part === null) throw new Error("the move has points");
  return part;
}
