import type { Queryable, Tx } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { readActiveSubscriptions } from "../webhooks/read-active-subscriptions.ts";
import type { Outcome, Posting } from "./posting.ts";
import type { BatchContext } from "./posting-batch.ts";

/** Reads what a batch shares. To be sent after the locks: a statement of the same transaction sees what they protect. */
export async function readBatchContext(tx: Tx): Promise<BatchContext> {
  const [program, watermarkAt, subscriptions] = await Promise.all([
    readProgram(tx),
    readWatermark(tx),
    readActiveSubscriptions(tx),
  ]);
  return {
    rules: { ...program.expiration, timeZone: program.store.timeZone },
    programVersion: program.version,
    watermarkAt,
    subscriptions,
  };
}

/** The published watermark: nothing may be allotted at or before it; null: there is none yet. */
export async function readWatermark(queryable: Queryable): Promise<Temporal.Instant | null> {
  const rows = await queryable.query<{ watermarkAt: Temporal.Instant | null }>(
    `select floor_at as "watermarkAt" from ledger_mark`,
  );
  return rows[0]?.watermarkAt ?? null;
}

const READ_BY_KEY = `select a.source_key as "sourceKey",
  a.uid,
  a.version,
  a.point_value as "pointValue"
from allotment a
where a.source_key = any($1)
  and a.source_key not like 'api/%'`;

/** The same on a Citus: what the index of a plain PostgreSQL tells lies in a table of the coordinator. */
const READ_DISTRIBUTED_BY_KEY = `select s.source_key as "sourceKey",
  s.uid,
  s.version,
  s.point_value as "pointValue"
from counted_source s
where s.source_key = any($1)`;

/**
 * Which of the postings' sources the store has counted already, whatever customer they went to. Keys `api/<uid>` are made
 * fresh and have no other producer: a retry recognises them by their uid (`postQueuedBatch`). Nor is one read that says it is the first.
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
