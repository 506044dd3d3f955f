import type { Db, Queryable, ReadDb } from "../../src/db/pool.ts";

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Returns how many rows of a table the statements of some work have looked at, by indexes or one after the other: each statement is executed, and once
 * more with EXPLAIN.
 */
export async function rowsScanned(db: Db, table: string, work: (db: Db & ReadDb) => Promise<unknown>): Promise<number> {
  return db.tx(async (tx) => {
    let scanned = 0;
    const query: Queryable["query"] = async (text, params) => {
      const rows = await tx.query<Record<string, unknown>>(`explain (analyze, format json) ${text}`, params);
      for (const plan of Object.values(rows[0] ?? {}).flat())
        scanned += scannedBy((plan as { Plan: PlanNode }).Plan, table); // cast: EXPLAIN's form
      return tx.query(text, params);
    };
    await work({ ...db, query });
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
