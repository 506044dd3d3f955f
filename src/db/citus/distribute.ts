import pg from "pg";
import { MigrationError } from "../migration-files.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN, WIDENED_KEYS } from "./distributed-tables.ts";
import { LEFTOVERS, ROUTING } from "./routing-schema.ts";

/** The steps of `migrate --distribute`, in order: one transaction, then the rest outside it. */
export interface DistributionPlan {
  readonly steps: readonly string[];
  /** Statements that free the tables' previous storage, each run separately. */
  readonly afterwards: readonly string[];
}

const LOCK_TIMEOUT = "30s";

/**
 * Returns the statements that distribute a store's hot tables over the nodes of Citus; none if that is done.
 * @throws MigrationError if the server is not the coordinator of a Citus with a worker
 */
export async function planDistribution(connection: pg.ClientConfig): Promise<DistributionPlan> {
  return withClient(connection, plan);
}

/**
 * Distributes a store's hot tables over the nodes of Citus, in one transaction: if it is killed, the store is either unchanged or
 * completely distributed. No service may run meanwhile. A repeated run finishes the rest. Returns the statements that were run.
 */
export async function distribute(connection: pg.ClientConfig): Promise<readonly string[]> {
  return withClient(connection, async (client) => {
    const { steps, afterwards } = await plan(client);
    if (steps.length > 0) {
      await client.query("begin");
      for (const step of steps) await client.query(step);
      await client.query("commit");
    }
    const rest = steps.length > 0 ? (await plan(client)).afterwards : afterwards;
    for (const statement of rest) await client.query(statement);
    return [...steps, ...rest];
  });
}

async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on("error", () => {}); // the statement that runs is rejected too
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function plan(client: pg.Client): Promise<DistributionPlan> {
  await assertCoordinator(client);
  const { rows } = await client.query<{ name: string }>(
    "select logicalrelid::regclass::text as name from pg_dist_partition",
  );
  const done = new Set(rows.map(({ name }) => name));
  const left = await client.query<{ statement: string }>(LEFTOVERS);
  const afterwards = left.rows.map(({ statement }) => statement);
  const open = DISTRIBUTED_TABLES.filter((table) => !done.has(table));
  if (open.length === 0) return { steps: [], afterwards };
  if (open.length < DISTRIBUTED_TABLES.length) {
    throw new MigrationError(
      `Some tables of this store are distributed and others are not: ${open.join(", ")}. Somebody did that by hand; undo it with undistribute_table before --distribute.`,
    );
  }
  return { steps: stepsOf(), afterwards: afterwards.length > 0 ? afterwards : [] };
}

function stepsOf(): string[] {
  const [first, ...others] = DISTRIBUTED_TABLES;
  return [
    `set local lock_timeout = '${LOCK_TIMEOUT}'`,
    "set local citus.multi_shard_modify_mode = 'sequential'",
    `lock table ${DISTRIBUTED_TABLES.join(", ")} in access exclusive mode`,
    ...ROUTING,
    ...WIDENED_KEYS.flatMap(({ index, definition }) => [`drop index ${index}`, definition]),
    `select create_distributed_table('${first}', '${DISTRIBUTION_COLUMN}')`,
    ...others.map(
      (table) => `select create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${first}')`,
    ),
  ];
}

async function assertCoordinator(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    "select exists (select from pg_extension where extname = 'citus') as found",
  );
  if (rows[0]?.found !== true) {
    throw new MigrationError(
      "This database is a plain PostgreSQL: there is nothing to distribute over, and Pointkeeper needs nothing else. --distribute is for a Citus; docs/citus.md says how to join its nodes.",
    );
  }
  const nodes = await client.query<{ isCoordinator: boolean; workers: number }>(`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      (select count(*)::integer from pg_dist_node where noderole = 'primary' and shouldhaveshards) as workers`);
  if (nodes.rows[0]?.isCoordinator !== true) {
    throw new MigrationError("This server is a worker of the Citus: set DATABASE_URL to its coordinator.");
  }
  if (nodes.rows[0].workers === 0) {
    throw new MigrationError(
      "This Citus has no worker that may hold shards: add one with citus_add_node, then run --distribute again.",
    );
  }
}
