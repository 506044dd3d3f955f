import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db } from "../../../src/db/pool.ts";
import { basic, createClient } from "../../support/client.ts";
import { makeFolder, runCli, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

const CREDENTIAL = { key: "pk_verify", secret: "secret-of-the-store-0123456789abcdef012345" };

let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;

function inDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  return withDatabase(env, work, { isOwner: true });
}

async function verify(...args: readonly string[]) {
  const { code, stdout, stderr } = await runCli(["verify", "--json", ...args], env);
  return { code, stderr, report: JSON.parse(stdout) };
}

describe("pointkeeper verify of a store that ran", () => {
  beforeAll(async () => {
    folder = await makeFolder();
    env = {
      POINTKEEPER_DATA_DIR: join(folder.path, "data"),
      POINTKEEPER_CHECKPOINT_DIR: join(folder.path, "checkpoints"),
      POINTKEEPER_API_KEY: CREDENTIAL.key,
      POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    };
    const service = await spawnService(env);
    const client = createClient(service.url, basic(CREDENTIAL));
    for (const id of ["c1", "c2"]) {
      await client.put(`/api/storefront/customers/${id}`, {});
      const body = { customer_id: id, point_value: 7, reason: { type: "reward", note: "welcome" } };
      expect((await client.post("/api/storefront/point_allotments", body)).status).toBe(200);
    }
    await waitUntil(async () =>
      /^\S+\n2\n/.test((await client.get("/api/storefront/ledger/checkpoint")).body.data?.checkpoint ?? ""),
    );
    await service.stop();
  });
  afterAll(() => folder.remove());

  test("says in one document that everything holds", async () => {
    const { code, report } = await verify();
    expect(code).toBe(0);
    expect(report).toMatchObject({
      ok: true,
      customers: 2,
      allotments: 2,
      faults: 0,
      found: [],
      not_chained: 0,
      checkpoint: { allotments: 2 },
    });
    expect(report.checks.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["balances", "chains", "notes", "checkpoints"]),
    );
  });

  test("names the customer whose row was changed, and the checkpoint that has it otherwise", async () => {
    await inDatabase((db) =>
      db.execute(
        "update allotment set type = 'manual' where balance_after = 7 and customer_uid = (select customer_uid from customer where storefront_id = 'c2')",
      ),
    );
    const { code, report } = await verify();
    expect(code).toBe(1);
    expect(report.ok).toBe(false);
    expect(report.found).toContainEqual(
      expect.objectContaining({ check: "chains", customer_id: "c2", found: expect.stringMatching(/^version 1 /) }),
    );
    expect(report.found).toContainEqual(expect.objectContaining({ check: "checkpoints", customer_id: null }));
    await inDatabase((db) => db.execute("update allotment set type = 'api'"));
    expect((await verify()).code).toBe(0);
  });

  test("a ledger that lost its newest days holds by itself, and not against what was kept outside", async () => {
    const outside = join(folder.path, "checkpoints", "newest.checkpoint");
    await cp(outside, join(folder.path, "kept.checkpoint"));
    await inDatabase((db) =>
      db.tx(async (tx) => {
        await tx.execute("set local session_replication_role = replica");
        const uid = "(select customer_uid from customer where storefront_id = 'c2')";
        for (const table of ["allotment", "allotment_note", "lot", "balance", "customer_alias", "customer"])
          await tx.execute(`delete from ${table} where customer_uid = ${uid}`);
        await tx.execute("delete from checkpoint");
        await tx.execute("delete from tree_node");
      }),
    );
    const alone = { ...env, POINTKEEPER_CHECKPOINT_DIR: "" };
    expect((await runCli(["verify"], alone)).code).toBe(0);
    const against = await runCli(["verify", "--against", join(folder.path, "kept.checkpoint")], alone);
    expect([against.code, against.stdout]).toEqual([
      1,
      expect.stringContaining("FAIL checkpoints: allotments: the checkpoint of"),
    ]);
    expect((await verify()).code).toBe(1); // the folder of the settings is looked at by itself
    expect((await runCli(["verify", "--against", "nothing"], alone)).code).toBe(4);
    expect((await runCli(["verify", "--against", folder.path], alone)).code).toBe(2);
  });
});
