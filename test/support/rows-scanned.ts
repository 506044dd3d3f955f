import type { Db, Queryable, ReadDb, Tx } from "../../src/db/pool.ts";

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

const WRITES = /^\s*(?:with|insert|update|delete)\b/;
const UNDONE = new Error("what EXPLAIN wrote is undone");

/**
 * Returns how many rows of a table the statements of some work have looked at, by indexes or one after the other: each statement is executed, and once
 * more with EXPLAIN. Statements of its snapshots count, those of its transactions do not.
 */
export async function rowsScanned(db: Db, table: string, work: (db: Db & ReadDb) => Promise<unknown>): Promise<number> {
  return db.tx(async (tx) => {
    let scanned = 0;
    const explain = async (queryable: Queryable, text: string, params: Parameters<Queryable["query"]>[1]) => {
      const rows = await queryable.query<Record<string, unknown>>(`explain (analyze, format json) ${text}`, params);
      for (const plan of Object.values(rows[0] ?? {}).flat())
        scanned += scannedBy((plan as { Plan: PlanNode }).Plan, table); // cast: EXPLAIN's form
    };
    const query: Queryable["query"] = async (text, params) => {
      await explain(tx, text, params);
      return tx.query(text, params);
    };
    const execute: Queryable["execute"] = async (text, params) => {
      const explained = async (inner: Tx) => {
        await explain(inner, text, params);
        throw UNDONE;
      };
      if (WRITES.test(text))
        await tx.savepoint(explained).catch((error: unknown) => {
          if (error !== UNDONE) throw error;
        });
      return tx.execute(text, params);
    };
    const counted = { query, execute };
    await work({ ...db, ...counted, snapshot: (inner) => inner({ ...tx, ...counted }) });
    return scanned;
  });
}

function scannedBy(node: PlanNode, table: string): number {
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + scannedBy(plan, table), 0);
  if (node["Relation Name"] !== table) return below;
  const each =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return below + each * node["Actual Loops"];
}
