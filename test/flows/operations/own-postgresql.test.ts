import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { findBinaries } from "../../../src/db/embedded/binaries.ts";
import { startEmbeddedServer } from "../../../src/db/embedded/start-embedded-server.ts";
import { runCli } from "../../support/service-process.ts";

let folder: string;
let binDir: string;

/** Programs that note that they were run, and run those that npm installed. */
async function makePrograms(): Promise<void> {
  const { initdb, postgres } = await findBinaries();
  for (const [name, path] of Object.entries({ initdb, postgres })) {
    const script = `#!/bin/sh\necho "${name} $1" >> "${join(folder, "runs")}"\nexec "${path}" "$@"\n`;
    await writeFile(join(binDir, name), script);
    await chmod(join(binDir, name), 0o755);
  }
}

describe("a PostgreSQL of one's own for the embedded server", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pointkeeper-own-"));
    binDir = join(folder, "bin");
    await mkdir(binDir);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  test("is named by POINTKEEPER_PG_BIN", () => {
    expect(readConfig({ POINTKEEPER_PG_BIN: binDir })).toMatchObject({ postgresBin: binDir, unknownSettings: [] });
    expect(readConfig({}).postgresBin).toBeUndefined();
  });

  test("is refused where the programs are not there", async () => {
    const start = startEmbeddedServer({ dataDir: join(folder, "data"), postgresBin: binDir });
    await expect(start).rejects.toThrow(`POINTKEEPER_PG_BIN is ${binDir}, but postgres does not run there`);
  });

  test("makes the data folder and runs the server", async () => {
    await makePrograms();
    const server = await startEmbeddedServer({ dataDir: join(folder, "data"), postgresBin: binDir, pageCacheMb: 32 });
    try {
      const client = new pg.Client(server.connection);
      await client.connect();
      expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
      expect((await client.query("show shared_buffers")).rows).toEqual([{ shared_buffers: "32MB" }]);
      await client.end();
      const runs = (await readFile(join(folder, "runs"), "utf8")).split("\n");
      expect(runs.some((run) => run.startsWith("initdb --pgdata="))).toBe(true);
      expect(runs).toContain("postgres -D");
    } finally {
      await server.stop();
    }
  });

  test("that finds its disk full says so, and doctor what to do", async () => {
    const dataDir = join(folder, "full");
    await mkdir(join(folder, "full-bin"));
    const { initdb, postgres } = await findBinaries();
    const full = 'FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device';
    const scripts = {
      initdb: `exec "${initdb}" "$@"`,
      postgres: `case "$1" in --version) exec "${postgres}" "$@" ;; esac\necho '${full}' >&2\nexit 1`,
    };
    for (const [name, script] of Object.entries(scripts))
      await writeFile(join(folder, "full-bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await (await startEmbeddedServer({ dataDir })).stop();
    const env = { POINTKEEPER_DATA_DIR: dataDir, POINTKEEPER_PG_BIN: join(folder, "full-bin") };
    const { code, stdout } = await runCli(["doctor", "--json"], env);
    const found = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "database");
    expect([code, found]).toMatchObject([
      1,
      {
        state: "fail",
        says: expect.stringMatching(
          /ended at once \(exit code 1\): the disk is full\. Its log, .* ends with:\nFATAL: .*No space/,
        ),
        todo: expect.stringContaining("Alert: database down"),
      },
    ]);
  });
});
