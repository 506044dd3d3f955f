import { afterAll, beforeAll, expect, test } from "vitest";
import { findCustomer } from "../../src/customers/find-customer.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { explain } from "../support/explain.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// What an undone import gave and took is told as undone, wherever points are explained.
let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  await makeCustomer(service.deps, { storefrontId: "501" });
});
afterAll(() => service.stop());

async function runImport(content: string): Promise<string> {
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content);
  const { uid, options } = sent.body.data;
  for (const [verb, body] of [
    ["check", settingsOf(sent.body.data, { options: { ...options, origin: "promotion" } })],
    ["start", {}],
  ] as const) {
    expect((await manager.post(`/imports/${uid}/${verb}`, body)).status).toBe(200);
    await workImports(service.deps);
  }
  return uid;
}

async function undoImport(uid: string): Promise<void> {
  expect((await manager.post(`/imports/${uid}/undo`, {})).status).toBe(200);
  await workImports(service.deps);
}

const wordsIn = async (language: string): Promise<string[]> =>
  (await manager.get(`/customers/501/explanation?language=${language}`)).body.data.words;

test("an undone import is told as undone: in the account, the statement, the list and the allotment's own words", async () => {
  const given = await runImport("Points,Email or id,Reason\n1000,501,\n200,501,coupon\n");
  await undoImport(given);
  const taken = await runImport("Points,Email or id\n300,501\n-40,501\n");
  await undoImport(taken);
  const expectTold = async () => {
    const words = await wordsIn("en");
    expect(words).toContain("1,500 were taken, as a change by the store was undone.");
    expect(words).toContain("40 came back, as a change by the store was undone.");
    expect(words.filter((text) => /coupon|by a list/.test(text))).toEqual(["The store took 40 by a list."]);
    expect((await wordsIn("ja")).join()).toContain("ストアによる変更の取消により 1,500 ポイントが差し引かれました");
    const { lines } = (await manager.get("/customers/501/statement")).body.data;
    expect(lines).toContainEqual(expect.objectContaining({ kind: "undo", given: 40, taken: -1_500 }));
    expect(lines).toContainEqual(expect.objectContaining({ kind: "import", given: 1_500, taken: -40 }));
  };
  await expectTold();
  const rows = (await manager.get("/customers/501/ledger")).body.data;
  expect(rows.map(({ point_value, undoes }: Record<string, unknown>) => [point_value, undoes])).toEqual([
    [-300, "import"],
    [40, "import"],
    [-40, null],
    [300, null],
    [-1_000, "import"],
    [-200, "import"],
    [200, null],
    [1_000, null],
  ]);
  const { words } = await explain(service.client, rows[0].uid);
  expect(words[0]).toMatch(/^−300 points on .*: an import was undone\.$/);

  const customer = await findCustomer(service.deps.db, "501");
  const { db, random } = service.deps;
  const change = { kind: "add", pointValue: 1n, shortfall: "refuse" } as const;
  const postings = Array.from({ length: 1_000 }, () => ({
    customer,
    posting: plainPosting(random.uid(), "api", "shop", change),
  }));
  await db.tx((tx) => postAllotments(tx, service.deps, postings));
  await expectTold(); // and stores the sums of the first thousand
  await expectTold();
  expect(await db.query("select kind from account_block where type = 'csv' order by kind")).not.toContainEqual({
    kind: "undo",
  });
});
