import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../../src/db/migrate.ts";
import { MIGRATIONS_DIR } from "../../../src/db/migration-files.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { makeFolder, runCli } from "../../support/service-process.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

describe("a command where there is no store", () => {
  test.each([["verify"], ["migrate"], ["jobs"], ["figures", "rebuild"], ["secrets", "reset", "--confirm"]])(
    "%s: ends with 3, names the folder, and makes nothing",
    async (...args) => {
      const empty = join(folder.path, "empty");
      await mkdir(empty, { recursive: true });
      for (const dataDir of [empty, join(folder.path, "absent", "data")]) {
        const { code, stdout, stderr } = await runCli(args, { POINTKEEPER_DATA_DIR: dataDir });
        expect([code, stdout]).toEqual([3, ""]);
        expect(stderr).toContain(dataDir);
        expect(stderr).toContain("POINTKEEPER_DATA_DIR");
        expect(stderr.trim().split("\n")).toHaveLength(1);
      }
      expect(await readdir(empty)).toEqual([]);
      expect(await readdir(folder.path)).toEqual(["empty"]);
    },
  );

  test("help, a version and the OpenAPI document need none", async () => {
    const dataDir = join(folder.path, "none");
    const runs = [["figures", "rebuild", "--help"], ["start", "--help"], ["--version"], ["openapi"]];
    for (const args of runs) {
      const { code, stdout, stderr } = await runCli(args, { POINTKEEPER_DATA_DIR: dataDir });
      expect([args, code, stderr]).toEqual([args, 0, ""]);
      if (args.includes("--help")) expect(stdout).toMatch(/^Usage: pointkeeper (figures rebuild|start)/);
    }
    expect((await runCli(["verify", "bogus"], { POINTKEEPER_DATA_DIR: dataDir })).code).toBe(2);
    expect(await readdir(folder.path)).not.toContain("none");
  });
});

describe("a command on an external database", () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.owner.execute("drop schema public cascade");
    await database.owner.execute("create schema public");
    env = settings(database.ownerConnection);
  });
  afterAll(() => database.drop());

  test("that is empty: no store, and it stays empty", async () => {
    for (const args of [["verify"], ["migrate"]]) {
      const { code, stderr } = await runCli(args, env);
      expect(code).toBe(3);
      expect(stderr).toMatch(/^The database of DATABASE_URL holds no store/);
    }
    expect(await database.owner.query("select from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
  });

  test("of an older schema: refused with 5 and untouched; migrate shows, then applies what it lacks", async () => {
    const dir = join(folder.path, "older");
    await cp(MIGRATIONS_DIR, dir, { recursive: true });
    const newest = (await readdir(dir)).sort().at(-1) ?? "";
    await rm(join(dir, newest));
    await migrate(database.ownerConnection, { dir });
    const applied = async () => (await database.owner.query("select from migration")).length;
    const before = await applied();

    const refused = await runCli(["users", "list"], env);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(/^The database has the schema of an older Pointkeeper: .*pointkeeper migrate/);
    const shown = await runCli(["migrate", "--dry-run"], env);
    expect(shown).toMatchObject({ code: 0, stdout: `would apply ${newest}\n` });
    expect(await applied()).toBe(before);

    expect(await runCli(["migrate"], env)).toMatchObject({ code: 0, stdout: "1 migrations were applied.\n" });
    expect((await runCli(["migrate"], env)).stdout).toMatch(/^Nothing to do/);
    expect((await runCli(["users", "list"], env)).code).toBe(0);
  });

  test("of a newer schema that was only expanded: works, and there is nothing to migrate", async () => {
    await database.owner.execute("insert into migration (number, name, sha256) values (9998, '9998_later.sql', '')");
    expect((await runCli(["users", "list"], env)).code).toBe(0);
    const { code, stdout, stderr } = await runCli(["migrate"], env);
    expect([code, stdout]).toEqual([0, "Nothing to do: the schema is up to date.\n"]);
    expect(stderr).toContain("migrated by a newer Pointkeeper");
  });

  test("of a newer schema that was contracted: refused with 5", async () => {
    const added = "insert into migration (number, name, sha256) values (9999, '9999_contracts_lot.sql', '')";
    await database.owner.execute(added);
    for (const args of [["users", "list"], ["migrate"]]) {
      const { code, stderr } = await runCli(args, env);
      expect(code).toBe(5);
      expect(stderr).toMatch(/^The database was used by a newer Pointkeeper: it has the migration 999/);
    }
  });
});

function settings({ host, port, user, database }: pg.ClientConfig): Record<string, string> {
  return {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the commands, 0123456789",
  };
}
