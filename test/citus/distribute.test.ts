import { expect, inject, test } from "vitest";
import { distribute } from "../../src/db/citus/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { EMBEDDED_ROLE } from "../../src/db/roles/grant-service-role.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { createCitusDatabase, runOn } from "../support/citus-cluster.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const DATABASE = `grown_${process.pid}`;
const CUSTOMERS = 12;

async function post({ deps }: TestService, customer: CustomerRef, sourceKey: string): Promise<string | undefined> {
  const change = { kind: "add", pointValue: 7n, shortfall: "refuse" } as const;
  const posting = { ...plainPosting(deps.random.uid(), "api", "test", change), sourceKey };
  return (await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }])))[0]?.kind;
}

test("a store that has grown on one node is distributed whole, and knows what it counted", async () => {
  const nodes = { coordinator: inject("databaseServer"), workers: inject("databaseWorkers") };
  const connection = await createCitusDatabase(nodes, DATABASE);
  await migrate(connection, { serviceRole: EMBEDDED_ROLE });
  const owner = openPool({ connection, connectionsMax: 1 });
  const asService = { ...connection, user: EMBEDDED_ROLE.name };
  const open = () => ({
    connection: asService,
    db: openPool({ connection: asService }),
    ownerConnection: connection,
    owner,
    drop: async () => {},
  });
  const plain = open();
  const before = await startTestService({ database: plain, worker: false });
  const customers: CustomerRef[] = [];
  for (let i = 0; i < CUSTOMERS; i++) customers.push(await makeCustomer(before.deps));
  for (const [i, customer] of customers.entries()) expect(await post(before, customer, `flow/${i}`)).toBe("posted");
  await before.stop();
  await plain.db.close();

  expect((await distribute(connection)).length).toBeGreaterThan(0);
  expect(await distribute(connection)).toEqual([]);
  await migrate(connection, { serviceRole: EMBEDDED_ROLE });
  const spread = open();
  const after = await startTestService({ database: spread, worker: false });
  for (const [i, customer] of customers.entries()) {
    expect(await post(after, customer, `flow/${CUSTOMERS - 1 - i}`)).toBe("duplicate");
    expect(await post(after, customer, `flow/more-${i}`)).toBe("posted");
  }
  expect(await verifyLedger(spread.db, () => {})).toMatchObject({ ok: true, allotments: 2 * CUSTOMERS });
  await after.stop();
  await spread.db.close();
  await owner.close();
  for (const node of [nodes.coordinator, ...nodes.workers])
    await runOn({ ...node, database: "postgres" }, [`drop database ${DATABASE} with (force)`]);
});
