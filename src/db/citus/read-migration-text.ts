import type pg from "pg";
import type { Migration } from "../migration-files.ts";
import { IS_DISTRIBUTED } from "../roles/service-grants.ts";

/** What a migration's file says in a way that Citus refuses of a distributed table, and what means the same there: the file itself must not change. */
export const CITUS_TEXTS: Readonly<Record<string, { readonly refused: string; readonly text: string }>> = {
  // a uuid beside a text is joined to it by a function that is not immutable
  "0089_captured_in_capitals.sql": { refused: "r.uid ||", text: "r.uid::text ||" },
};

/** Returns the statements of a migration, as this store takes them. */
export async function readMigrationText(client: pg.Client, { name, sql }: Migration): Promise<string> {
  const different = CITUS_TEXTS[name];
  if (different === undefined) return sql;
  const { rows } = await client.query<{ isDistributed: boolean }>(`select ${IS_DISTRIBUTED} as "isDistributed"`);
  return rows[0]?.isDistributed === true ? sql.replace(different.refused, different.text) : sql;
}
