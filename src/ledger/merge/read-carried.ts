import type { Queryable } from "../../db/pool.ts";
import { refKeys } from "../customer-ref.ts";
import type { NamedLots } from "../lots/lot-queries.ts";
import { type CarriedLots, carriedKey } from "./carried-lots.ts";

// The parts that may have been carried: whatever was left of them was drawn when the balance was closed.
const READ_PARTS = `select distinct w.i::int,
  d.part
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) with ordinality as w (bucket, customer_uid, version, i)
join balance b on b.bucket = w.bucket and b.customer_uid = w.customer_uid
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.lot_version = w.version
where b.merged_into is not null
order by 1, 2`;

const READ_BY_KEY = (sources: string) => `select a.source_key as "sourceKey",
  a.bucket,
  a.customer_uid as "customerUid",
  a.version
from ${sources} a
where a.source_key = any($1)
  and a.source_key not like 'api/%'
order by a.version`;
const READ_SOURCES = READ_BY_KEY("allotment");
const READ_DISTRIBUTED_SOURCES = READ_BY_KEY("counted_source");

/**
 * Returns the allotments that carried the rest of customers' allotments to others by merges, from merge to merge: a customer may have been merged
 * into one who was merged later. Those of the present holder have what is left now.
 */
export async function readCarried(queryable: Queryable, named: readonly NamedLots[]): Promise<readonly CarriedLots[]> {
  const carried: CarriedLots[] = [];
  let last: readonly CarriedLots[] = named.map((of) => ({ ...of, of }));
  while (last.length > 0) {
    last = await readNext(queryable, last);
    carried.push(...last);
  }
  return carried;
}

async function readNext(queryable: Queryable, lots: readonly CarriedLots[]): Promise<readonly CarriedLots[]> {
  const parts = await queryable.query<{ i: number; part: number }>(READ_PARTS, [
    ...refKeys(lots),
    lots.map(({ version }) => version),
  ]);
  const ofKey = new Map(
    parts.flatMap(({ i, part }) => {
      const lot = lots[i - 1];
      return lot === undefined ? [] : [[carriedKey(lot.customerUid, lot.version, part), lot.of] as const];
    }),
  );
  if (ofKey.size === 0) return [];
  const text = (await queryable.isDistributed()) ? READ_DISTRIBUTED_SOURCES : READ_SOURCES;
  const found = await queryable.query<NamedLots & { sourceKey: string }>(text, [[...ofKey.keys()]]);
  return found.flatMap(({ sourceKey, ...lot }) => {
    const of = ofKey.get(sourceKey);
    return of === undefined ? [] : [{ ...lot, of }];
  });
}
