import type { Tx } from "../../db/pool.ts";
import { knownNewest, rememberNewest } from "../../program/program-cache.ts";
import { type KnownProgramRow, NEWEST_PROGRAM } from "../../program/program-queries.ts";
import { SELECT_ACTIVE } from "../../webhooks/read-active-topics.ts";
import type { Topic } from "../../webhooks/topics/index.ts";
import { knownKeyUid, type LedgerKeyRow } from "../key/ledger-key.ts";
import type { Outcome, Posting } from "../posting.ts";
import type { BatchContext } from "./posting-batch.ts";

interface ContextRow extends KnownProgramRow, LedgerKeyRow {
  readonly watermarkAt: Temporal.Instant | null;
  /** The topics that have a receiver; null: there is none. */
  readonly topics: readonly Topic[] | null;
}

// One row of each table: a subquery for the mark is cheaper than a join.
const READ_CONTEXT = `select p.*,
  (select m.floor_at from ledger_mark m) as "watermarkAt",
  (select json_agg(active.topic) from (${SELECT_ACTIVE}) active) as topics,
  k.uid as "keyUid",
  case when k.uid is distinct from $2::uuid then k.material_sealed end as "keySealed"
from (${NEWEST_PROGRAM}) p
left join ledger_key k on k.retired_at is null`;

/** Reads the data that a batch shares. Send it after the locks: a later statement of the transaction sees what they protect. */
export async function readBatchContext(tx: Tx): Promise<BatchContext> {
  const known = knownNewest();
  const [row] = await tx.query<ContextRow>(READ_CONTEXT, [known?.uid ?? null, knownKeyUid()]);
  const { program } = rememberNewest(row, known);
  return {
    rules: { ...program.expiration, timeZone: program.store.timeZone },
    programVersion: program.version,
    watermarkAt: row?.watermarkAt ?? null,
    topics: new Set(row?.topics),
    key: { keyUid: row?.keyUid ?? null, keySealed: row?.keySealed ?? null },
  };
}

const READ_BY_KEY = `select a.source_key as "sourceKey",
  a.uid,
  a.version,
  a.point_value as "pointValue"
from allotment a
where a.source_key = any($1)
  and a.source_key not like 'api/%'`;

/** The same on Citus: the data of the unique index of a plain PostgreSQL is in a table of the coordinator. */
const READ_DISTRIBUTED_BY_KEY = `select s.source_key as "sourceKey",
  s.uid,
  s.version,
  s.point_value as "pointValue"
from counted_source s
where s.source_key = any($1)`;

/**
 * Returns the postings' sources that the store has already counted, for any customer, by source key. Keys `api/<uid>` are new for each
 * posting and are not read: a retry recognises them by their uid (`postQueuedBatch`). Postings marked as first are not read either.
 */
export async function readCounted(tx: Tx, postings: readonly Posting[]): Promise<Map<string, Outcome>> {
  const keys = postings.filter(mayBeCounted).map((posting) => posting.sourceKey);
  if (keys.length === 0) return new Map();
  const text = tx.shards !== null ? READ_DISTRIBUTED_BY_KEY : READ_BY_KEY;
  const rows = await tx.query<{ sourceKey: string; uid: string; version: bigint; pointValue: bigint }>(text, [keys]);
  return new Map(rows.map(({ sourceKey, ...row }) => [sourceKey, { kind: "duplicate", ...row }]));
}

function mayBeCounted({ sourceKey, isFirst }: Posting): boolean {
  return isFirst !== true && !sourceKey.startsWith("api/");
}
