import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pointsOf } from "../../../demo/season/earning.ts";
import { readStatement } from "../../../demo/statement.ts";
import { basic, createClient } from "../../support/client.ts";
import { makeFolder, spawnScript, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const RUN_MS = 300_000;
const SMALL = ["--customers", "6", "--orders", "2", "--days", "30", "--seed", "7"];

let folder: Awaited<ReturnType<typeof makeFolder>>;

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

/** The demo as a process whose folder for temporary files is the test's. */
function startDemo(args: readonly string[], env: Record<string, string> = {}) {
  return spawnScript("demo/main.ts", args, { TMPDIR: folder.path, ...env });
}

async function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

describe("npm run demo", () => {
  test(
    "a small season: everything holds; --keep leaves a folder that the service starts on, with a whole log without a person or a secret in it",
    async () => {
      const logging = { LOG_LEVEL: "debug", POINTKEEPER_ACCESS_LOG: "1" };
      const { code, stdout, stderr } = await startDemo([...SMALL, "--keep"], logging).ended;
      expect([code, stdout]).toEqual([0, expect.stringContaining("\nEverything holds")]);
      expect(stdout).toContain("all 12 orders of the season came to their points");
      expect(stdout).toMatch(/checked: everything holds/);
      expect(stdout).not.toContain("FAILED");
      expect(stdout).toMatch(/ {2}outstanding +[1-9]/);
      expect(stderr).toMatch(/^season: \d+ of \d+ sent/);
      const dataDir = /POINTKEEPER_DATA_DIR=(\S+)/.exec(stdout)?.[1] ?? "";
      expect(await readdir(folder.path)).toEqual([basename(dirname(dataDir))]);
      const [, key = "", secret = ""] = /-u ([^:]+):(\S+)/.exec(stdout) ?? [];
      const service = await spawnService({ POINTKEEPER_DATA_DIR: dataDir });
      const client = createClient(service.url, basic({ key, secret }));
      const { body } = await client.get("/api/storefront/point_allotments?per_page=5");
      expect(body.data).toHaveLength(5);
      const emails = [1, 2, 3, 4, 5, 6].map((n) => `customer-${n}@tea.example`);
      const people = await Promise.all(emails.map((email) => client.get(`/api/storefront/customers/${email}`)));
      const log = await readFile(join(dirname(dataDir), "service.log"), "utf8");
      expect(log.match(/"message":"request"/g)?.length).toBeGreaterThan(50);
      expect(log).toMatch(/"route":"\/api\/storefront\/point_balances\/:\w+"/);
      const names = people.map(({ body: { data } }) => data.name);
      expect(names).toEqual(names.map(() => expect.stringMatching(/^\S+ \S+$/)));
      const hidden = [...emails, ...names, secret, "demo-secret-of-the-platform"];
      expect(hidden.filter((text) => log.includes(text))).toEqual([]);
      expect(log).not.toMatch(/[\w.]+(?:@|%40)[\w-]+\.\w+/);
      expect((await service.stop()).code).toBe(0);
    },
    RUN_MS,
  );

  test(
    "--storefront leaves the shop's pages open, each showing who is signed in, until Ctrl-C",
    async () => {
      const demo = startDemo([...SMALL, "--storefront"]);
      await waitUntil(() => demo.stdout().includes("Ctrl-C ends"), RUN_MS);
      const [, shop = "", service = ""] =
        /Open (\S+) in a browser; the service is at (\S+)\./.exec(demo.stdout()) ?? [];
      const page = await (await fetch(`${shop}/?lang=ja`)).text();
      expect(page).toContain("<pointkeeper-points");
      expect(page).toContain(`${service}/widget.js`);
      const customer = /<option>(\d+)<\/option>/.exec(page)?.[1] ?? "";
      const signedIn = await fetch(`${shop}/sign-in?customer=${customer}`, { redirect: "manual" });
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
      const { token } = JSON.parse(await (await fetch(`${shop}/points-token`, { headers: { cookie } })).text());
      const answer = await fetch(`${service}/api/customer/summary`, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      demo.child.kill("SIGINT");
      expect((await demo.ended).code).toBe(130);
      expect(await isAnswered(shop)).toBe(false);
      expect(await readdir(folder.path)).toEqual([]);
    },
    RUN_MS,
  );

  test(
    "Ctrl-C half-way leaves no process and no folder",
    async () => {
      const demo = startDemo([...SMALL, "--keep"]);
      await waitUntil(() => demo.stdout().includes("recorded"), RUN_MS);
      const url = /answers at (\S+)/.exec(demo.stdout())?.[1] ?? "";
      expect(await isAnswered(url)).toBe(true);
      demo.child.kill("SIGINT");
      const { code, stderr } = await demo.ended;
      expect([code, stderr]).toEqual([130, expect.stringContaining("Stopping.")]);
      expect(await isAnswered(url)).toBe(false);
      expect(await readdir(folder.path)).toEqual([]);
    },
    RUN_MS,
  );

  test("options that cannot be, and help", async () => {
    const wrong = await startDemo(["--customers", "0", "--days", "soon"]).ended;
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toMatch(/^--customers takes a whole number.*\n--days takes/);
    expect((await startDemo(["--sise", "3"]).ended).code).toBe(1);
    const help = await startDemo(["--help"]).ended;
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: npm run demo/)]);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe("what the demo checks with", () => {
  test("points of an order: both sums are rounded up once, tagged lines only count where they are not excluded", () => {
    const lines = [
      { amount: 1_001n, isBonus: true, isTagged: false },
      { amount: 250n, isBonus: false, isTagged: false },
      { amount: 330n, isBonus: false, isTagged: true },
    ];
    expect(pointsOf(lines, { points: 1n, bonus: 0n, excludesTagged: false })).toBe(16n);
    expect(pointsOf(lines, { points: 3n, bonus: 1n, excludesTagged: true })).toBe(38n + 11n);
    expect(pointsOf([], { points: 3n, bonus: 1n, excludesTagged: true })).toBe(0n);
  });

  test("a statement's lines, with quoted names and empty cells", () => {
    const csv = 'storefront_id,email,name,closing_balance\r\n1,,"Ono, ""K""",12\r\n2,a@b,,-3\r\n';
    expect(readStatement(csv)).toEqual({ customers: 2, closing: 9n });
  });
});
