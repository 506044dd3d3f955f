import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockEmails } from "../../../src/customers/claim-queries.ts";
import { SHARDS } from "../../../src/imports/csv-import.ts";
import { type MoveStore, startMoveStore } from "../../support/move-store.ts";
import { runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

// A file that was saved or exported again is another file. The same members must not get their points twice by it.

const API = "/api/storefront";

let store: MoveStore;
beforeAll(async () => {
  store = await startMoveStore();
});
afterAll(() => store.stop());

async function expectSoundLedger() {
  const verified = await runCli(["verify"], store.env);
  expect(verified.code, verified.stdout).toBe(0);
}

/** A file as an app exports it, and the same members as a spreadsheet saves them: with a mark, other line ends, quotes, another order. */
function twoFiles(domain: string, count = 4): { exported: string; saved: string; points: number } {
  const members = Array.from({ length: count }, (_, i) => [`m${i}@${domain}`, `Member ${i}`, String(10 * (i + 1))]);
  const lines = members.map(([email, name, points]) => `${email},${name},${points},2031-03-31`);
  const quoted = members.map(([email, name, points]) => `"${points}";"${email?.toUpperCase()}";"${name}";"2031-03-31"`);
  return {
    exported: `${["email,name,points_approved,points_expire_at", ...lines].join("\n")}\n`,
    saved: `\uFEFF${['"points_approved";"email";"name";"points_expire_at"', ...quoted.toReversed()].join("\r\n")}`,
    points: members.reduce((sum, [, , points]) => sum + Number(points), 0),
  };
}

describe("a file that was saved again", () => {
  test("is named in the dry run and refused; on purpose it gives the points again, and both are undone apart", async () => {
    const { exported, saved, points } = twoFiles("saved.example");
    const first = await store.importFile("loyaltylion", exported, "--yes");
    expect([first.code, first.said.received_before], first.stderr).toEqual([0, []]);

    const dry = await store.importFile("loyaltylion", saved, "--dry-run");
    const before = { move: first.said.move, source: "LoyaltyLion", members: 4, points };
    expect([dry.code, dry.said.received_before]).toMatchObject([1, [before]]);
    expect(dry.said.faults[0]).toMatchObject({ line: 2, field: "points", code: "moved_before", value: "40" });
    const refused = await store.importFile("loyaltylion", saved, "--yes");
    expect([refused.code, refused.said.message]).toEqual([1, expect.stringContaining("--again")]);
    expect(refused.said.message).toContain(`--undo ${first.said.move}`);
    const skipped = await store.importFile("loyaltylion", saved, "--yes", "--skip-faults");
    expect([skipped.code, skipped.said.points], skipped.stderr).toEqual([0, 0]);
    expect(await store.balanceOf("m3@saved.example")).toBe(40);

    const again = await store.importFile("loyaltylion", saved, "--yes", "--again");
    expect(again.code, again.stderr).toBe(0);
    expect(await store.balanceOf("m3@saved.example")).toBe(80);
    expect((await store.undo(again.said.move)).code).toBe(0);
    expect(await store.balanceOf("m3@saved.example")).toBe(40);
    await expectSoundLedger();
  });

  test("after the first one was undone it is a first file again", async () => {
    const { exported, saved } = twoFiles("undone.example");
    const first = await store.importFile("loyaltylion", exported, "--yes");
    expect((await store.undo(first.said.move)).code).toBe(0);
    const dry = await store.importFile("loyaltylion", saved, "--dry-run");
    expect([dry.code, dry.said.received_before]).toEqual([0, []]);
    const second = await store.importFile("loyaltylion", saved, "--yes");
    expect(second.code, second.stderr).toBe(0);
    expect(await store.balanceOf("m3@undone.example")).toBe(40);
    const third = await store.importFile("loyaltylion", exported, "--yes");
    expect([third.code, third.said.received_before], "the first file, once more").toMatchObject([
      1,
      [{ move: second.said.move, members: 4 }],
    ]);
  });

  test("a later export with new members: refused as a whole, and with --skip-faults only the new ones are brought in", async () => {
    const { exported } = twoFiles("later.example");
    expect((await store.importFile("loyaltylion", exported, "--yes")).code).toBe(0);
    const later = `${exported}new@later.example,Somebody New,7,2031-03-31\n`;
    const dry = await store.importFile("loyaltylion", later, "--dry-run");
    expect([dry.code, dry.said]).toMatchObject([
      1,
      { rows: 5, valid_rows: 1, points: 7, created: 1, received_before: [{ members: 4, points: 100 }] },
    ]);
    expect((await store.importFile("loyaltylion", later, "--yes")).code).toBe(1);
    expect(await store.balanceOf("new@later.example")).toBeUndefined();
    const rest = await store.importFile("loyaltylion", later, "--yes", "--skip-faults");
    expect(rest.code, rest.stderr).toBe(0);
    expect([await store.balanceOf("new@later.example"), await store.balanceOf("m0@later.example")]).toEqual([7, 10]);
  });

  test("balances that are set: it is said and does no harm, and spend and tiers count once", async () => {
    const file = (points: number, end: string) =>
      ["email,points,lifetime spend,tier", `jane@set.example,${points},"1,500",Bronze`].join(end) + end;
    await store.client.put(`${API}/customers/920001`, { email: "jane@set.example" });
    const first = await store.importFile("pointkeeper", file(300, "\n"), "--yes");
    expect(first.code, first.stderr).toBe(0);
    const second = await store.importFile("pointkeeper", file(300, "\r\n"), "--yes", "--set");
    expect([second.code, second.said.received_before], second.stderr).toMatchObject([0, [{ members: 1, points: 300 }]]);
    expect([await store.balanceOf("920001"), await store.spentElsewhere("920001")]).toEqual([300, 1_500]);
    const third = await store.importFile("pointkeeper", file(250, "\n"), "--yes", "--set");
    expect(third.code, third.stderr).toBe(0);
    expect([await store.balanceOf("920001"), await store.spentElsewhere("920001")]).toEqual([250, 1_500]);
    const again = await store.importFile("pointkeeper", file(250, "\r\n"), "--yes", "--again");
    expect(again.code, again.stderr).toBe(0);
    expect([await store.balanceOf("920001"), await store.spentElsewhere("920001")]).toEqual([500, 3_000]);
    await expectSoundLedger();
  });

  test("another app's file is named, and its points are added", async () => {
    const { exported } = twoFiles("two-apps.example");
    const first = await store.importFile("loyaltylion", exported, "--yes");
    const other = "email,points balance\nm0@two-apps.example,5\n";
    const dry = await store.importFile("smile", other, "--dry-run");
    expect([dry.code, dry.said.received_before]).toMatchObject([
      0,
      [{ move: first.said.move, source: "LoyaltyLion", members: 1, points: 10 }],
    ]);
    expect((await store.importFile("smile", other, "--yes")).code).toBe(0);
    expect(await store.balanceOf("m0@two-apps.example")).toBe(15);
  });

  test("two lots of a member count as one member with the points of both", async () => {
    const lots = ["email,points,points expiry", "lots@again.example,5,2031-01-01", "lots@again.example,7,2030-01-01"];
    expect((await store.importFile("bon", lots.join("\n"), "--yes")).code).toBe(0);
    const dry = await store.importFile("bon", lots.join("\r\n"), "--dry-run");
    expect(dry.said.received_before).toMatchObject([{ members: 1, points: 12 }]);
  });
});

describe("two moves at the same moment", () => {
  test("give each customer the points of one of them, and say what they left out", async () => {
    const count = 60;
    const { exported, saved } = twoFiles("race.example", count);
    const ids = Array.from({ length: count }, (_, i) => i);
    await Promise.all(ids.map((i) => store.client.put(`${API}/customers/93${i}`, { email: `m${i}@race.example` })));
    const both = await Promise.all([
      store.importFile("loyaltylion", exported, "--yes", "--skip-faults"),
      store.importFile("loyaltylion", saved, "--yes", "--skip-faults"),
    ]);
    for (const { code, said, stderr } of both) {
      expect(said, stderr).toBeDefined();
      expect(code === 0 || said.rows_left_out > 0, `${code}: ${said.message}`).toBe(true);
    }
    const balances = await Promise.all(ids.map((i) => store.balanceOf(`m${i}@race.example`)));
    expect(balances).toEqual(ids.map((i) => 10 * (i + 1)));
    await expectSoundLedger();
  });

  // An address is held until a batch of either move waits for it: both have found nobody of the name by then.
  test("make members who are new and known by e-mail only once", async () => {
    const count = 40;
    const { exported, saved } = twoFiles("race-new.example", count);
    const emails = Array.from({ length: count }, (_, i) => `m${i}@race-new.example`);
    const both = await withDatabase(store.env, (db) =>
      db.tx(async (tx) => {
        await lockEmails(tx, emails);
        const moves = ["loyaltylion", "smile"].map((from, i) =>
          store.importFile(from, i === 0 ? exported : saved.replace("points_approved", "points balance"), "--yes"),
        );
        await waitUntil(async () => {
          const [found] = await tx.query<{ count: number }>(WAITING);
          return (found?.count ?? 0) > SHARDS; // of both: one import has no more
        });
        return moves;
      }),
    );
    for (const { said, stderr } of await Promise.all(both)) expect(said?.move, stderr).toBeDefined();
    const made = await withDatabase(store.env, (db) =>
      db.query<{ email: string }>(
        "select email from customer where email like '%@race-new.example' and deleted_at is null",
      ),
    );
    expect(made.map(({ email }) => email).toSorted()).toEqual(emails.toSorted());
    const balances = await Promise.all(emails.map(store.balanceOf));
    expect(balances, "the points of both apps").toEqual(emails.map((_, i) => 20 * (i + 1)));
    await expectSoundLedger();
  });
});

const WAITING = `select count(distinct pid)::integer as count
from pg_locks
where locktype = 'advisory'
  and not granted`;
