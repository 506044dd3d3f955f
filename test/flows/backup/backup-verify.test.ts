import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "../../../src/db/pool.ts";
import { CHAIN_TAMPERINGS } from "../../support/chain-tamperings.ts";
import { basic, createClient } from "../../support/client.ts";
import { makeFolder, runCli, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

const CREDENTIAL = { key: "pk_backup_verify", secret: "secret-of-the-store-0123456789abcdef012345" };
const CHECKPOINT = "/api/storefront/ledger/checkpoint";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;
const place = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = await makeFolder();
  env = {
    POINTKEEPER_DATA_DIR: place("data"),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    LOG_LEVEL: "error",
  };
  const service = await spawnService(env);
  const client = createClient(service.url, basic(CREDENTIAL));
  await client.put("/api/storefront/customers/c1", {});
  for (const point_value of [100, -30, 800, 40]) {
    const body = { customer_id: "c1", point_value, reason: { type: "reward", note: "of a tested backup" } };
    expect((await client.post("/api/storefront/point_allotments", body)).status).toBe(200);
  }
  await waitUntil(async () => /^\S+\n4\n/.test((await client.get(CHECKPOINT)).body.data?.checkpoint ?? ""));
  await service.stop();
  expect((await runCli(["backup", place("sound")], env)).code).toBe(0);
});
afterAll(() => folder.remove());

async function verifyBackup(name: string, settings: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCli(["backup", "verify", place(name), "--json"], { ...env, ...settings });
  expect(stderr).toBe("");
  return { code, ...JSON.parse(stdout) };
}

/** Raises the customer's points in all places at once, as the superuser of the embedded server. */
async function tamper(): Promise<void> {
  const [[, , , statements] = []] = CHAIN_TAMPERINGS;
  const change = async (db: Db) => {
    const [row] = await db.query<{ uid: string }>("select customer_uid as uid from balance");
    for (const statement of statements ?? []) await db.execute(statement, [row?.uid ?? null]);
  };
  await withDatabase(env, change, { isOwner: true });
}

test("a sound backup is checked with its chains and its checkpoint", async () => {
  const covered = expect.stringMatching(/^the newest checkpoint, .* covers 4 allotments/);
  expect(await verifyBackup("sound")).toMatchObject({ code: 0, ok: true, faults: 0, notes: [covered] });
});

test("without the key it is said that chains were not checked", async () => {
  const missing = await verifyBackup("sound", { POINTKEEPER_DATA_DIR: place("nothing") });
  expect(missing).toMatchObject({ code: 0, ok: true, notes: [expect.stringContaining("the secret key is missing")] });
});

test("with another store's key it is said that chains were not checked", async () => {
  const other = await verifyBackup("sound", { POINTKEEPER_SECRET_KEY: "a secret key of another store 0123456789" });
  expect(other).toMatchObject({ code: 0, ok: true, notes: [expect.stringContaining("is not the one of this backup")] });
});

test("two physical backups at once say nothing but their results", async () => {
  const made = ["files", "more-files"].map((name) => runCli(["backup", "--physical", place(name)], env));
  for (const each of await Promise.all(made)) expect(each).toMatchObject({ code: 0, stderr: "" });
});

test("points raised everywhere at once are found in the backup, and such a store is not moved", async () => {
  await tamper();
  expect((await runCli(["backup", place("changed")], env)).code).toBe(0);
  const said = await runCli(["backup", "verify", place("changed")], env);
  expect(said.code).toBe(1);
  expect(said.stdout).toMatch(/FAIL chains: customer c1 .*version 3 is the first that is not what was written/);
  const moved = await runCli(["move", "--to", place("moved")], env);
  expect(moved, moved.stdout).toMatchObject({ code: 1, stderr: expect.stringContaining("FAIL chains: customer c1") });
});
