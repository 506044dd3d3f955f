import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { distribute } from "../../src/db/citus/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS_DIR, readMigrations } from "../../src/db/migration-files.ts";
import { EMBEDDED_ROLE } from "../../src/db/roles/grant-service-role.ts";
import { createCitusDatabase, runOn } from "../support/citus-cluster.ts";

// A store that was distributed when it had these migrations is upgraded as any other: what changes a distributed table is what Citus propagates.
const EARLIER = [74, 82];

test.for(EARLIER)("a store that was distributed with migration %i is upgraded", async (last) => {
  const database = `earlier${last}_${process.pid}`;
  const nodes = { coordinator: inject("databaseServer"), workers: inject("databaseWorkers") };
  const folder = await mkdtemp(join(tmpdir(), "pointkeeper-migrations-"));
  const files = await readMigrations(MIGRATIONS_DIR);
  for (const { name, number } of files) if (number <= last) await cp(join(MIGRATIONS_DIR, name), join(folder, name));
  const connection = await createCitusDatabase(nodes, database);
  try {
    await migrate(connection, { dir: folder });
    await distribute(connection);
    expect(await migrate(connection, { serviceRole: EMBEDDED_ROLE })).toBe(files.filter((f) => f.number > last).length);
  } finally {
    await rm(folder, { recursive: true });
    for (const node of [nodes.coordinator, ...nodes.workers])
      await runOn({ ...node, database: "postgres" }, [`drop database ${database} with (force)`]);
  }
});
