import type { Db, Queryable, ReadDb, Tx } from "../../src/db/pool.ts";

interface PlanNode {
  readonly "Relation Name": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter": number;
  readonly "Rows Removed by Index Recheck": number;
}

const WRITES = /^\s*(?:with|insert|update|delete)\b/;
const UNDONE = new Error("what EXPLAIN wrote is undone");

/**
 * Returns how many rows of a table the statements of some work have looked at, by indexes or one after the other: each statement is executed, and once
 * more with EXPLAIN. Statements of its snapshots count, those of its transactions do not.
 */
export async function rowsScanned(db: Db, table: string, work: Work): Promise<number> {
  const plans = await explained(db, work);
  return plans.reduce((sum: number, plan) => sum + scannedBy(plan, table), 0);
}

/** Returns of how many shards of a Citus a statement of some work has asked at most. */
export async function shardsAsked(db: Db, work: Work): Promise<number> {
  return Math.max(0, ...(await explained(db, work)).map(tasksOf));
}

type Work = (db: Db & ReadDb) => Promise<unknown>;

/** Returns the plans of the statements of some work. */
async function explained(db: Db, work: Work): Promise<readonly unknown[]> {
  return db.tx(async (tx) => {
    const plans: unknown[] = [];
    const explain = async (queryable: Queryable, text: string, params: Parameters<Queryable["query"]>[1]) => {
      const rows = await queryable.query<Record<string, unknown>>(`explain (analyze, format json) ${text}`, params);
      plans.push(rows[0]);
    };
    const query: Queryable["query"] = async (text, params) => {
      await explain(tx, text, params);
      return tx.query(text, params);
    };
    const execute: Queryable["execute"] = async (text, params) => {
      const undone = async (inner: Tx) => {
        await explain(inner, text, params);
        throw UNDONE;
      };
      if (WRITES.test(text))
        await tx.savepoint(undone).catch((error: unknown) => {
          if (error !== UNDONE) throw error;
        });
      return tx.execute(text, params);
    };
    const counted = { query, execute };
    await work({ ...db, ...counted, snapshot: (inner) => inner({ ...tx, ...counted }) });
    return plans;
  });
}

/** Adds up to how many shards the parts of a plan are sent. */
function tasksOf(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  const { "Task Count": count } = part as { "Task Count"?: number }; // cast: EXPLAIN's form, of which any field may be absent
  return Object.values(part).reduce((sum: number, each) => sum + tasksOf(each), count ?? 0);
}

/** Adds up the nodes of a plan that read the table, and on a Citus those of its parts that it sends to other nodes, whose tables have a number behind. */
function scannedBy(part: unknown, table: string): number {
  if (typeof part !== "object" || part === null) return 0;
  const below = Object.values(part).reduce((sum: number, each) => sum + scannedBy(each, table), 0);
  const node = part as Partial<PlanNode>; // cast: EXPLAIN's form, of which any field may be absent
  if (node["Relation Name"]?.replace(/_\d+$/, "") !== table) return below;
  const each =
    (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return below + each * (node["Actual Loops"] ?? 0);
}
