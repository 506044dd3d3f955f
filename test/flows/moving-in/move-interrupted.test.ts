import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { readMoveHead } from "../../../src/commands/move-in/move-head.ts";
import { lockEmails } from "../../../src/customers/claim-queries.ts";
import { startImport } from "../../../src/imports/apply/start-import.ts";
import { startCheck } from "../../../src/imports/check/start-check.ts";
import { DEFAULT_OPTIONS } from "../../../src/imports/csv-import.ts";
import { selectImport } from "../../../src/imports/queries.ts";
import { storeUpload } from "../../../src/imports/store-upload.ts";
import { startUndo } from "../../../src/imports/undo/start-undo.ts";
import { columnsOf } from "../../../src/moving-in/member.ts";
import { activityUidOf, type MoveKind } from "../../../src/moving-in/move.ts";
import { moveKind } from "../../../src/moving-in/move-kind.ts";
import { smile } from "../../../src/moving-in/vendors/smile.ts";
import { createRandom } from "../../../src/random.ts";
import { type MoveStore, startMoveStore } from "../../support/move-store.ts";
import { runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

const API = "/api/storefront";

let store: MoveStore;
beforeAll(async () => {
  store = await startMoveStore();
});
afterAll(() => store.stop());

const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "killed" };

/** What was spent long ago counts toward no tier. */
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe("a call that finds another one's work", () => {
  /** What a call of `--orders` without `--again` leaves that was killed once its file was checked. */
  async function leaveChecked(text: string): Promise<void> {
    const by = BY;
    const sha256 = createHash("sha256").update(text).digest();
    const move = { uid: activityUidOf("spend", sha256), source: "Smile.io" };
    async function* bytes() {
      yield Buffer.from(text);
    }
    await withDatabase(store.env, async (db) => {
      const deps = { db, clock: systemClock, random: createRandom() };
      const options = { ...DEFAULT_OPTIONS, move };
      const file = await storeUpload(deps, { kind: "spend", fileName: "left.csv", bytes: bytes(), by, options });
      await db.tx((tx) => startCheck(tx, deps, file.uid, { settings: { ...file, options }, by }));
      await waitUntil(async () => (await selectImport(db, file.uid)).state === "checked");
    });
  }

  test("checks again what was checked without --again, and counts the orders once more", async () => {
    await store.client.put(`${API}/customers/910011`, { email: "left@example.com" });
    const text = `email,created_at,total\nleft@example.com,${yesterday()}T00:00:00Z,100`;
    expect((await store.importFile("smile", text, "--orders", "--yes")).code).toBe(0);
    const [first, second] = [`${text}\n`, `${text}\n\n`];
    await leaveChecked(first);
    const again = await store.importFile("smile", first, "--orders", "--yes", "--again");
    expect([again.code, again.said?.message], again.stderr).toEqual([0, expect.stringContaining("was imported")]);
    expect(await store.spentElsewhere("910011")).toBe(200);
    const same = await store.importFile("smile", first, "--orders", "--yes", "--again");
    expect([same.code, same.said.message]).toEqual([0, expect.stringContaining("counts once, with --again too")]);
    await leaveChecked(second);
    const refused = await store.importFile("smile", second, "--orders", "--yes");
    expect([refused.code, refused.said.fault_count]).toEqual([1, 1]);
    expect(await store.spentElsewhere("910011")).toBe(200);
  });

  test("goes on with the orders of a file whose history is in", async () => {
    await store.client.put(`${API}/customers/910014`, { email: "goes-on@example.com" });
    const text = `email,created_at,points,total\ngoes-on@example.com,${yesterday()}T00:00:00Z,5,100\n`;
    expect((await store.importFile("smile", text, "--history", "--yes")).code).toBe(0);
    await leaveChecked(text);
    const done = await store.importFile("smile", text, "--orders", "--yes");
    expect([done.code, done.said?.message], done.stderr).toEqual([0, expect.stringContaining("was imported")]);
    expect(await store.spentElsewhere("910014")).toBe(100);
  });

  test("leaves an import that was begun alone in a dry run", async () => {
    await store.client.put(`${API}/customers/910013`, { email: "begun@example.com" });
    const text = `email,created_at,total\nbegun@example.com,${yesterday()}T00:00:00Z,100\n`;
    await leaveChecked(text);
    await withDatabase(store.env, async (db) => {
      const [found] = await db.query<{ uid: string; moveUid: string }>(FIND_CHECKED);
      const { uid, moveUid } = found ?? { uid: "", moveUid: "" };
      await db.tx(async (tx) => {
        await tx.query(LOCK_BALANCE, ["begun@example.com"]); // what importing waits for
        await db.tx((other) => startImport(other, { clock: systemClock }, uid, { by: BY, isApproved: true, moveUid }));
        const dry = await store.importFile("smile", text, "--orders", "--dry-run");
        expect([dry.code, dry.said?.message], dry.stderr).toEqual([0, expect.stringContaining("was begun already")]);
        expect((await selectImport(db, uid)).state).toBe("importing");
      });
    });
    const done = await store.importFile("smile", text, "--orders", "--yes");
    expect(done.code, done.stderr).toBe(0);
    expect(await store.spentElsewhere("910013")).toBe(100);
  });

  test("says that the file is being undone and what to do, and imports it once that is over", async () => {
    await store.client.put(`${API}/customers/910012`, { email: "undoing@example.com" });
    const orders = `email,created_at,total\nundoing@example.com,${yesterday()}T00:00:00Z,100`;
    const members = "email,points\nundoing@example.com,7\n";
    const spent = await store.importFile("smile", orders, "--orders", "--yes");
    const moved = await store.importFile("smile", members, "--yes");
    expect([spent.code, moved.code], `${spent.stderr}${moved.stderr}`).toEqual([0, 0]);
    const undoing = await withDatabase(store.env, (db) =>
      db.tx(async (tx) => {
        await tx.query(LOCK_BALANCE, ["undoing@example.com"]); // what undoing them waits for
        const both = [store.undo(spent.said.move), store.undo(moved.said.move)];
        await waitUntil(async () => (await db.query(FIND_UNDOING)).length === both.length);
        for (const call of [
          await store.importFile("smile", orders, "--orders", "--yes"),
          await store.importFile("smile", members),
        ]) {
          expect([call.code, call.said?.message], call.stderr).toEqual([1, expect.stringContaining("is being undone")]);
          expect(call.said.message).toContain(`import --undo ${call.said.move} waits until that is done`);
        }
        return both;
      }),
    );
    for (const { code, stderr } of await Promise.all(undoing)) expect(code, stderr).toBe(0);
    expect((await store.importFile("smile", orders, "--orders", "--yes")).code).toBe(0);
    expect((await store.importFile("smile", members, "--yes")).code).toBe(0);
    expect([await store.spentElsewhere("910012"), await store.balanceOf("910012")]).toEqual([100, 7]);
  });
});

test("undoing by the command says which part can no longer be undone, and what was", async () => {
  const members = "email,points,total_spent\nlate@example.com,7,100\n";
  const moved = await store.importFile("smile", members, "--yes");
  expect(moved.code, moved.stderr).toBe(0);
  await withDatabase(store.env, (db) => db.execute(MAKE_OLD, [moved.said.move]));
  const { code, stdout, stderr } = await store.undo(moved.said.move);
  expect(code, stderr).toBe(1);
  const said = JSON.parse(stdout);
  expect(said.message).toContain("The points of this file can no longer be undone");
  expect(said.imports).toMatchObject([{ kind: "spend", state: "undone" }]);
  expect(await store.balanceOf("late@example.com")).toBe(7);
  const again = await store.undo(moved.said.move);
  expect([again.code, JSON.parse(again.stdout).imports], again.stderr).toMatchObject([1, said.imports]);
  expect(await store.spentElsewhere("late@example.com")).toBe(0);
  const back = await store.importFile("smile", members, "--yes");
  expect([back.code, back.said?.message], back.stderr).toEqual([0, expect.stringContaining("was imported")]);
  expect([await store.balanceOf("late@example.com"), await store.spentElsewhere("late@example.com")]).toEqual([7, 100]);
  const done = await store.importFile("smile", members, "--yes");
  expect([done.code, done.said?.message]).toEqual([0, "This file is in already: nothing was changed."]);
});

test("the command says what of a file was undone alone", async () => {
  const members = "email,points,total_spent,vip_tier\nalone@example.com,7,100,Bronze\n";
  const moved = await store.importFile("smile", members, "--yes");
  expect(moved.code, moved.stderr).toBe(0);
  await withDatabase(store.env, async (db) => {
    const [{ uid } = { uid: "" }] = await db.query<{ uid: string }>(FIND_SPEND, [moved.said.move]);
    await db.tx((tx) => startUndo(tx, { clock: systemClock }, uid, { by: BY, isApproved: true }));
    await waitUntil(async () => (await selectImport(db, uid)).state === "undone");
  });
  const again = await store.importFile("smile", members, "--yes");
  expect([again.code, again.said?.message]).toEqual([1, expect.stringContaining("this was undone: spend")]);
});

const FIND_SPEND = "select i.uid from import i where i.options -> 'move' ->> 'uid' = $1 and i.kind = 'spend'";

const MAKE_OLD = `update import
set finished_at = finished_at - interval '90 days'
where options -> 'move' ->> 'uid' = $1
  and kind in ('customers', 'points')`;
const LOCK_BALANCE = `select b.bucket
from balance b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where c.email = $1
for update of b`;
const FIND_CHECKED = `select i.uid, i.options -> 'move' ->> 'uid' as "moveUid" from import i where i.state = 'checked'`;
const FIND_UNDOING = "select i.uid from import i where i.state = 'undoing'";

describe("a file of which a killed call had imported some kinds", () => {
  /** What a call leaves that was killed after these kinds of a file. */
  async function leaveKinds(text: string, kinds: readonly MoveKind[]): Promise<void> {
    const file = { name: "left.csv", open: () => Readable.from([Buffer.from(text)]) };
    const head = await readMoveHead(file);
    const read = { file, head, vendor: smile, columns: columnsOf(smile, head.header), uploadedAt: systemClock.now() };
    const move = { ...read, setsBalance: false, again: false, asOf: null, keepTiersUntil: null };
    await withDatabase(store.env, async (db) => {
      const deps = { db, clock: systemClock, random: createRandom() };
      const work = async (uid: string) => {
        await waitUntil(async () => !["checking", "importing"].includes((await selectImport(db, uid)).state));
        return selectImport(db, uid);
      };
      for (const kind of kinds) await moveKind(deps, move, kind, { by: BY, work, onLeftOut: async () => {} });
    });
  }

  const IN_ALREADY = "This file is in already: nothing was changed.";

  test("the amounts and tiers that it had not got to are imported by the next call, once", async () => {
    const text = "email,points,total_spent,vip_tier\nrest@example.com,7,100,Bronze\n";
    await leaveKinds(text, ["customers", "points"]);
    const done = await store.importFile("smile", text, "--yes");
    expect([done.code, done.said?.message], done.stderr).toEqual([0, expect.stringContaining("was imported")]);
    const again = await store.importFile("smile", text, "--yes");
    expect([again.code, again.said?.message]).toEqual([0, IN_ALREADY]);
    expect([await store.balanceOf("rest@example.com"), await store.spentElsewhere("rest@example.com")]).toEqual([
      7, 100,
    ]);
    const parts = await withDatabase(store.env, (db) => db.query<{ kind: string }>(FIND_PARTS, [done.said.move]));
    expect(parts.map(({ kind }) => kind)).toEqual(["customers", "points", "spend", "tiers"]);
  });

  test("a file without rows of a kind that it has a column of is in", async () => {
    const text = "email,points,total_spent,vip_tier\nnone@example.com,8,0,Unknown here\n";
    expect((await store.importFile("smile", text, "--yes")).code).toBe(0);
    const again = await store.importFile("smile", text, "--yes");
    expect([again.code, again.said?.message, await store.balanceOf("none@example.com")]).toEqual([0, IN_ALREADY, 8]);
  });
});

const FIND_PARTS = `select i.kind
from import i
where i.options -> 'move' ->> 'uid' = $1
  and i.state = 'imported'
order by i.created_at`;

test("a file that changes while it is imported is imported as what was summed, or not at all", async () => {
  const path = join(store.folder, "changes.csv");
  const [first, second] = ["email,points\nchanges@example.com,7\n", "email,points\nchanges@example.com,70000\n"];
  await writeFile(path, first);
  const args = ["import", path, "--from", "smile", "--yes", "--json"];
  const [call] = await withDatabase(store.env, (db) =>
    db.tx(async (tx) => {
      await lockEmails(tx, ["changes@example.com"]); // what importing the customers waits for
      const running = runCli(args, store.env);
      await waitUntil(async () => (await db.query(FIND_CHANGING)).length === 1);
      await writeFile(path, second);
      return [running];
    }),
  );
  const changed = await call;
  expect([changed?.code, changed?.stderr]).toEqual([1, expect.stringContaining("changes.csv has changed")]);
  expect(await store.balanceOf("changes@example.com")).toBe(0);
  const again = await runCli(args, store.env);
  expect(again.code, again.stderr).toBe(0);
  expect(await store.balanceOf("changes@example.com")).toBe(70_000);
});

const FIND_CHANGING = `select i.uid
from import i
where i.kind = 'customers'
  and i.state = 'importing'
  and i.file_name like 'changes.csv%'`;

describe("a file that is too large", () => {
  test("is refused before it is read, with the bound and a command that splits it", async () => {
    const path = join(store.folder, "it's large.csv");
    await writeFile(path, "email,created_at,total\n");
    await truncate(path, 512 * 1_048_576 + 1); // has no blocks on the disk
    const calls = [
      ["import", path, "--from", "smile", "--orders", "--yes"],
      ["import", path, "--from", "smile", "--history"],
      ["import", "points", path, "--as", "nobody@store.example"],
    ];
    let said = "";
    for (const call of calls) {
      const { code, stderr } = await runCli(call, store.env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("has 513 MB: expected at most 512 MB. Split it")]);
      said = stderr;
    }
    const parts = join(store.folder, "parts");
    await mkdir(parts);
    await writeFile(join(parts, "it's large.csv"), "id,points\n1,1\n2,2\n3,3\n4,4\n5,5\n");
    const command = said.slice(said.indexOf("awk ")).replace("1000000", "3").replace(`${store.folder}/`, "");
    await promisify(execFile)("sh", ["-c", command], { cwd: parts });
    const names = (await readdir(parts)).filter((name) => name.startsWith("part-")).toSorted();
    const texts = await Promise.all(names.map((name) => readFile(join(parts, name), "utf8")));
    expect(texts).toEqual(["id,points\n1,1\n2,2\n3,3\n", "id,points\n4,4\n5,5\n"]);
    const documented = await readFile(join(import.meta.dirname, "../../../docs/moving-in.md"), "utf8");
    expect(documented, "the same command").toContain(said.slice(said.indexOf("awk "), said.indexOf("' '/") + 1));
  });
});
