import type { TestProject } from "vitest/node";
import { distribute } from "../../src/db/citus/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { EMBEDDED_ROLE } from "../../src/db/roles/grant-service-role.ts";
import { type CitusNode, createCitusDatabase, findCitus, runOn, startCitusCluster } from "./citus-cluster.ts";
import { TEMPLATE_DATABASE } from "./global-setup.ts";
import { openToService } from "./open-to-service.ts";

const WORKERS = 2;

/**
 * Starts a Citus for the whole run: a coordinator and two workers. Each node has a template of its part of a distributed store. A test's database is
 * a clone of all three, which find one another by ports and the name of the database.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCitusCluster(await findCitus(process.env), WORKERS);
  try {
    // on each node separately: a worker accepts connections as the coordinator's role
    for (const node of [cluster.coordinator, ...cluster.workers])
      await runOn({ ...node, database: "postgres" }, [`create role ${EMBEDDED_ROLE.name} login`]);
    const connection = await createCitusDatabase(cluster, TEMPLATE_DATABASE);
    await migrate(connection, { serviceRole: EMBEDDED_ROLE });
    await distribute(connection);
    await migrate(connection, { serviceRole: EMBEDDED_ROLE }); // privileges on the objects that --distribute created
    await openToService(connection);
    for (const node of [cluster.coordinator, ...cluster.workers]) await closeTemplate(node);
    project.provide("databaseServer", cluster.coordinator);
    project.provide("databaseWorkers", cluster.workers);
    return () => cluster.stop();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Closes all connections to the template, including the coordinator's pooled ones and the maintenance of Citus. */
async function closeTemplate(node: CitusNode): Promise<void> {
  await runOn({ ...node, database: "postgres" }, [
    `alter database ${TEMPLATE_DATABASE} with is_template true allow_connections false`,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${TEMPLATE_DATABASE}'`,
  ]);
}
