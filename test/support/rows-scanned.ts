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
export async function rowsScanned(db: Db, table: string, work: (db: Db & ReadDb) => Promise<unknown>): Promise<number> {
  return db.tx(async (tx) => {
    let scanned = 0;
    const explain = async (queryable: Queryable, text: string, params: Parameters<Queryable["query"]>[1]) => {
      const rows = await queryable.query<Record<string, unknown>>(`explain (analyze, format json) ${text}`, params);
      scanned += scannedBy(rows[0], table);
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
