import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { HISTORY_ENTRIES_MAX, HISTORY_NOTE_MAX, HISTORY_SOURCE_MAX, type HistoryEntry } from "./history.ts";

const COUNT = `select k.customer_uid as "customerUid",
  (
    select count(*)
    from (
      select
      from history_entry h
      where h.bucket = k.bucket and h.customer_uid = k.customer_uid
      limit ${HISTORY_ENTRIES_MAX}) as first_ones
  ) as entries
from (
  select distinct *
  from unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)) k`;

const INSERT = `insert into history_entry (bucket, customer_uid, occurred_at, import_uid, n, points, kind, source, note)
select *
from unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[])
on conflict do nothing`;

/**
 * Writes entries of another app. An entry that exists (same customer, time, import and row) is not changed. The caller has locked the customers'
 * balances. Returns the entries that were left out because their customer has `HISTORY_ENTRIES_MAX` of them; a caller that prefers the newest passes
 * them first. Throws RangeError for a text that is too long: callers check their input.
 */
export async function recordHistory(tx: Tx, entries: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
  if (entries.length === 0) return [];
  if (entries.some(isTooLong)) throw new RangeError("a text of a history entry is too long");
  const counts = await countEntries(tx, entries);
  const leftOut: HistoryEntry[] = [];
  const kept = entries.filter((entry) => {
    const count = counts.get(entry.customerUid) ?? 0;
    counts.set(entry.customerUid, count + 1);
    if (count >= HISTORY_ENTRIES_MAX) leftOut.push(entry);
    return count < HISTORY_ENTRIES_MAX;
  });
  if (kept.length > 0) await insertEntries(tx, kept);
  return leftOut;
}

function isTooLong({ note, source }: HistoryEntry): boolean {
  return [...(note ?? "")].length > HISTORY_NOTE_MAX || [...source].length > HISTORY_SOURCE_MAX;
}

async function countEntries(tx: Tx, refs: readonly CustomerRef[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ customerUid: string; entries: bigint }>(COUNT, refKeys(refs));
  return new Map(rows.map(({ customerUid, entries }) => [customerUid, Number(entries)]));
}

async function insertEntries(tx: Tx, entries: readonly HistoryEntry[]): Promise<void> {
  await tx.execute(INSERT, [
    entries.map(({ bucket }) => bucket),
    entries.map(({ customerUid }) => customerUid),
    entries.map(({ occurredAt }) => occurredAt),
    entries.map(({ importUid }) => importUid),
    entries.map(({ n }) => n),
    entries.map(({ points }) => points),
    entries.map(({ kind }) => kind),
    entries.map(({ source }) => source),
    entries.map(({ note }) => note),
  ]);
}
