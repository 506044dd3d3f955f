import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { balancePath, type MoveStore, startMoveStore } from "../../support/move-store.ts";
import { runCli } from "../../support/service-process.ts";
import { shiftJis } from "../../support/shift-jis.ts";

const API = "/api/storefront";
const VENDORS = join(import.meta.dirname, "../../fixtures/vendors");

let store: MoveStore;
beforeAll(async () => {
  store = await startMoveStore();
});
afterAll(() => store.stop());

const explain = async (id: string) => (await store.client.get(`${balancePath(id)}/explanation`)).body.data;

/** What was spent long ago counts toward no tier. */
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe("what happened in the other app", () => {
  test("members, then their history: shown at the start of the explanation, counted nowhere, undone one by one", async () => {
    const members = await store.importFile("rivo", await readFile(join(VENDORS, "rivo.csv")), "--yes");
    expect(members.code, members.stderr).toBe(0);
    const history = await readFile(join(VENDORS, "rivo-history.csv"));
    const dry = await store.importFile("rivo", history, "--history", "--dry-run");
    expect([dry.code, dry.said], dry.stderr).toMatchObject([
      0,
      { rows: 3, valid_rows: 3, points: 940, fault_count: 0 },
    ]);
    const done = await store.importFile("rivo", history, "--history", "--yes");
    expect([done.code, done.said.state], done.stderr).toEqual([0, "imported"]);
    expect(await store.balanceOf("jane@doe.example")).toBe(900);
    const told = { source: "Rivo", earned: 1_000, used: 100, moved_in: 900 };
    expect((await explain("jane@doe.example")).history).toMatchObject([told]);
    const again = await store.importFile("rivo", history, "--history", "--yes");
    expect([again.code, again.said.message]).toEqual([0, "This file is in already: nothing was changed."]);
    expect((await store.undo(done.said.move)).code).toBe(0);
    expect((await explain("jane@doe.example")).history).toEqual([]);
    expect(await store.balanceOf("jane@doe.example")).toBe(900);
    expect((await runCli(["verify"], store.env)).code).toBe(0);
  });

  test("points of a file that was undone are not said to have moved in", async () => {
    const email = "corrected@moved.example";
    const bring = async (points: number) => {
      const done = await store.importFile("loyaltylion", `email,points_approved\n${email},${points}\n`, "--yes");
      expect(done.code, done.stderr).toBe(0);
      return done.said.move;
    };
    const wrong = await bring(300);
    await store.client.post(`${API}/point_allotments`, { customer_id: email, point_value: 5 });
    const history = `email,date,points,type\n${email},2024-01-01,250,earned\n`;
    expect((await store.importFile("loyaltylion", history, "--history", "--yes")).code).toBe(0);
    expect((await store.undo(wrong)).code).toBe(0);
    expect((await explain(email)).history).toMatchObject([{ source: "LoyaltyLion", earned: 250, moved_in: 0 }]);
    await bring(250);
    expect((await explain(email)).history).toMatchObject([{ source: "LoyaltyLion", earned: 250, moved_in: 250 }]);
  });

  test("orders of one day add up, count toward tiers without points, and are undone", async () => {
    await store.client.put(`${API}/customers/910001`, { email: "orders@example.com" });
    const day = yesterday();
    const rows = Array.from({ length: 3 }, () => `orders@example.com,${day}T00:00:00Z,"1,500"`);
    const file = ["email,created_at,total", ...rows, "910001,2020-01-01,99"].join("\n");
    const done = await store.importFile("smile", file, "--orders", "--yes");
    expect(done.code, done.stderr).toBe(0);
    expect(await store.spentElsewhere("910001")).toBe(4_500);
    expect(await store.balanceOf("910001")).toBe(0);
    expect((await store.undo(done.said.move)).code).toBe(0);
    const { body } = await store.client.get(`${balancePath("910001")}/tier/explanation`);
    expect(body.data.spent_elsewhere?.raw_amount ?? 0).toBe(0);
  });

  test("orders that are exported again count once, and once more on purpose", async () => {
    await store.client.put(`${API}/customers/910002`, { email: "twice@example.com" });
    const row = (at: string, total: number) => `twice@example.com,${at},${total}`;
    const head = "email,created_at,total";
    const first = [head, row(`${yesterday()}T00:00:00Z`, 100), row(`${yesterday()}T00:00:01Z`, 200), row("", 5)];
    const done = await store.importFile("smile", first.join("\n"), "--orders", "--yes");
    expect(done.code, done.stderr).toBe(0);
    const saved = [...first, row(`${yesterday()}T00:00:02Z`, 40)].join("\r\n");
    const dry = await store.importFile("smile", saved, "--orders", "--dry-run");
    expect([dry.code, dry.said]).toMatchObject([1, { rows: 4, valid_rows: 1, fault_count: 3 }]);
    expect(dry.said.faults[0]).toMatchObject({ line: 2, field: "spent", code: "spent_before" });
    const refused = await store.importFile("smile", saved, "--orders", "--yes");
    expect([refused.code, refused.said.message]).toEqual([1, expect.stringContaining("--again")]);
    expect(await store.spentElsewhere("910002")).toBe(305);
    const rest = await store.importFile("smile", saved, "--orders", "--yes", "--skip-faults");
    expect(rest.code, rest.stderr).toBe(0);
    expect(await store.spentElsewhere("910002")).toBe(345);
    const again = await store.importFile("smile", `${first.join("\n")}\n\n`, "--orders", "--yes", "--again");
    expect(again.code, again.stderr).toBe(0);
    expect(await store.spentElsewhere("910002")).toBe(650);
    for (const { said } of [again, rest, done]) expect((await store.undo(said.move)).code).toBe(0);
    const anew = await store.importFile("smile", saved, "--orders", "--yes");
    expect(anew.code, "what was undone does not count").toBe(0);
    expect(await store.spentElsewhere("910002")).toBe(345);
  });

  test("of two files of the same orders at the same moment each order counts once", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `race${i}@orders.example,${yesterday()}T00:00:00Z,7`);
    await Promise.all(
      rows.map((_, i) => store.client.put(`${API}/customers/9200${i}`, { email: `race${i}@orders.example` })),
    );
    const texts = ["\n", "\r\n"].map((end) => ["email,created_at,total", ...rows].join(end));
    const both = await Promise.all(
      texts.map((text) => store.importFile("smile", text, "--orders", "--yes", "--skip-faults")),
    );
    for (const { code, stderr } of both) expect(code, stderr).toBe(0);
    const spent = await Promise.all(rows.map((_, i) => store.spentElsewhere(`9200${i}`)));
    expect(spent).toEqual(rows.map(() => 7));
  });

  test("history that is exported again is shown once", async () => {
    await store.client.put(`${API}/customers/910003`, { email: "told@example.com" });
    const row = (at: string, points: number, note: string) => `told@example.com,${at},${points},earned,${note}`;
    const first = ["email,date,points,type,note", row("2024-05-01", 5, "A"), row("2024-05-01", 5, "B")];
    const done = await store.importFile("rivo", first.join("\n"), "--history", "--yes");
    expect(done.code, done.stderr).toBe(0);
    const saved = [...first, row("2024-05-01", 5, "C")].join("\r\n");
    const dry = await store.importFile("rivo", saved, "--history", "--dry-run");
    expect([dry.code, dry.said.faults.map(({ code }: { code: string }) => code)]).toEqual([
      1,
      ["history_before", "history_before"],
    ]);
    const rest = await store.importFile("rivo", saved, "--history", "--yes", "--skip-faults");
    expect(rest.code, rest.stderr).toBe(0);
    const none = await store.importFile("rivo", first.join("\r\n"), "--history", "--yes", "--skip-faults");
    expect([none.code, none.said?.message], none.stderr).toEqual([0, "Nothing was imported: no row is left."]);
    expect((await explain("910003")).history).toMatchObject([{ source: "Rivo", earned: 15 }]);
    const refused = await store.importFile("rivo", saved, "--history", "--yes", "--again");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--again")]);
  });

  test("one file is used for history and for orders: each counts once, and is undone by itself", async () => {
    await store.client.put(`${API}/customers/910004`, { email: "both@example.com" });
    const at = `${yesterday()}T00:00:00Z`;
    const file = [
      "email,date,points,type,total",
      `both@example.com,${at},100,earned,2500`,
      `both@example.com,${at},-40,redeemed,`,
    ];
    const text = file.join("\n");
    const both = ["--history", "--orders"] as const;
    const moves: string[] = [];
    for (const option of both) {
      const done = await store.importFile("rivo", text, option, "--yes", "--skip-faults");
      expect([done.code, done.said?.state], done.stderr).toEqual([0, "imported"]);
      const again = await store.importFile("rivo", text, option, "--yes", "--skip-faults");
      expect(again.said.message).toBe("This file is in already: nothing was changed.");
      moves.push(done.said.move);
    }
    const told = [{ source: "Rivo", earned: 100, used: 40 }];
    const standing = async () => [(await explain("910004")).history, await store.spentElsewhere("910004")];
    expect(await standing()).toMatchObject([told, 2_500]);
    expect(await store.balanceOf("910004")).toBe(0);
    const [history = "", orders = ""] = moves;
    expect((await store.undo(orders)).code).toBe(0);
    expect(await standing()).toMatchObject([told, 0]);
    expect((await store.importFile("rivo", text, "--orders", "--yes", "--skip-faults")).code).toBe(0);
    expect((await store.undo(history)).code).toBe(0);
    expect(await standing()).toEqual([[], 2_500]);
  });

  test("columns and days of other forms are said which they are; an id beside an address names nobody", async () => {
    await store.client.put(`${API}/customers/910005`, { email: "said@example.com" });
    const file = [
      "ID,Customer Email,Changed on,Change",
      "910004,said@example.com,31/01/2026,5",
      "910004,said@example.com,01/02/2026,6",
    ];
    const bring = (...options: string[]) => store.importFile("rivo", file.join("\n"), "--history", ...options);
    expect((await bring("--dry-run")).stderr).toContain("The first row names no happened_at and no points");
    const columns = ["--columns", "happened_at=Changed on,points=Change"];
    expect((await bring("--dry-run", ...columns)).said).toMatchObject({ valid_rows: 0 });
    const done = await bring("--yes", ...columns, "--days", "day_first");
    expect([done.code, done.said], done.stderr).toMatchObject([0, { valid_rows: 2 }]);
    expect((await explain("910005")).history).toMatchObject([{ source: "Rivo", earned: 11 }]);
    expect((await bring("--dry-run", "--columns", "colour=ID")).stderr).toContain(
      "expected one of customer, happened_at",
    );
    expect((await bring("--dry-run", ...columns, "--days", "odd")).code).toBe(2);
  });

  test("faults are named, and unknown people and dates are refused", async () => {
    const file = [
      "email,date,points,type",
      "nobody@x.example,2024-01-01,5,",
      "910001,31.31.2024,5,",
      "910001,2999-01-01,5,",
    ];
    const { code, said } = await store.importFile("smile", file.join("\n"), "--history", "--yes");
    expect([code, said.faults.map(({ code: fault }: { code: string }) => fault)]).toEqual([
      1,
      ["customer_unknown", "date_unclear", "date_in_future"],
    ]);
    expect((await store.importFile("smile", "email,colour\na@b.example,red\n", "--history", "--yes")).code).toBe(2);
    expect((await store.importFile("smile", "email,colour\na@b.example,red\n", "--history", "--orders")).code).toBe(2);
  });
});

describe("a file of members", () => {
  test("brings earned dates, spend and tiers that are kept, and says what points are worth", async () => {
    const { code, said, stderr } = await store.importFile(
      "pointkeeper",
      await readFile(join(VENDORS, "pointkeeper.csv")),
      "--yes",
    );
    expect(code, stderr).toBe(0);
    expect(said).toMatchObject({ points: 350, spent: "12345", worth: expect.any(String), unknown_tiers: ["Gold"] });
    expect(await store.spentElsewhere("jane@doe.example")).toBe(12_345); // known by e-mail: the file's id is not taken
    const { data } = (await store.client.get(`${API}/point_allotments/${encodeURIComponent("jane@doe.example")}`)).body;
    expect(data).toContainEqual(expect.objectContaining({ app_reference: "Pointkeeper", point_value: 300 }));
  });

  test("columns whose names were changed are said which they are; others are named as not read", async () => {
    const file = "Mail of member,Credit,Colour\nrenamed@example.com,25,red\n";
    const refused = await store.importFile("smile", file, "--yes");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Mail of member, Credit,\s+Colour/)]);
    const wrong = await store.importFile("smile", file, "--columns", "points=Nothing", "--yes");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Nothing")]);
    const done = await store.importFile("smile", file, "--columns", "email=Mail of member, points=credit", "--yes");
    expect([done.code, done.said.columns_not_read], done.stderr).toEqual([0, ["Colour"]]);
    expect(await store.balanceOf("renamed@example.com")).toBe(25);
  });

  test("is read in the encodings of spreadsheets; an empty one and one of the wrong kind are refused in words", async () => {
    const text = (name: string) => `email\tname\tpoints\n${name}@encodings.example\t山田 花子\t7\n`;
    const encoded: readonly [string, Uint8Array][] = [
      ["utf16", Buffer.from(`\uFEFF${text("utf16")}`, "utf16le")],
      ["sjis", shiftJis(text("sjis"))],
      ["bom", Buffer.from(`\uFEFF${text("bom")}`)],
    ];
    for (const [name, bytes] of encoded) {
      const { code, stderr, said } = await store.importFile("joy", bytes, "--dry-run");
      expect([code, said?.points], `${name}: ${stderr}`).toEqual([0, 7]);
    }
    expect((await store.importFile("joy", "", "--yes")).code).toBe(2);
    expect((await store.importFile("joy", "email,points\n", "--yes")).code).toBe(2);
    const twice = await store.importFile(
      "joy",
      "email,points\na@twice.example,1\nA@twice.example,2\nb@twice.example,3\n",
      "--dry-run",
    );
    expect(twice.said).toMatchObject({ valid_rows: 3, members: 2, created: 2, points: 6 });
    expect((await store.importFile("joy", new Uint8Array(100_000), "--yes")).code).toBe(2);
    const bad = await store.importFile("joy", "email,points\na@b.example,-5\nc@d.example,5,extra\n", "--dry-run");
    expect(bad.said.faults.map(({ line, code }: { line: number; code: string }) => `${line} ${code}`)).toEqual([
      "2 balance_negative",
      "3 too_many_cells",
    ]);
  });
});
