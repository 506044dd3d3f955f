import type { Param } from "../db/encode-param.ts";
import type { Queryable } from "../db/pool.ts";
import { COUNTED_MAX } from "../wire/limits.ts";

/** Returns how many rows a select has, at most `COUNTED_MAX` plus one: it stops reading there, however many there are. */
export async function countUpToMax(queryable: Queryable, rows: string, params: readonly Param[]): Promise<number> {
  const text = `select count(*)::int as count
from (
  ${rows}
  limit ${COUNTED_MAX + 1}) counted`;
  const [row] = await queryable.query<{ count: number }>(text, params);
  return row?.count ?? 0;
}
