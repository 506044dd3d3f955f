import { closeCheckpoint } from "../src/checkpoints/close-checkpoint.ts";
import { type BinaryRow, readFieldText } from "../src/db/binary-row.ts";
import type { Deps } from "../src/deps.ts";
import { CHAIN_START, FACTS_SQL } from "../src/ledger/chain/chain.ts";
import { readLedgerKey } from "../src/ledger/key/ledger-key-queries.ts";

const BUCKETS = 256;
/** The number of buckets read by one statement, in the order of the chains. */
const BUCKETS_A_STEP = 16;

/** All columns are texts: the bucket, the customer and the facts of each allotment. */
const factsFrom = (first: number) => `select a.bucket::text,
  a.customer_uid::text,
  ${FACTS_SQL}
from allotment a
where a.bucket between ${first} and ${first + BUCKETS_A_STEP - 1}
order by a.bucket, a.customer_uid, a.version`;

const WRITE_HEADS = `update balance b
set chained_version = b.version,
  chain_head = u.head
from unnest($1::smallint[], $2::uuid[], $3::bytea[]) as u (bucket, customer_uid, head)
where b.bucket = u.bucket
  and b.customer_uid = u.customer_uid`;

/** Chains the seeded allotments and signs checkpoints over all of them, as the writer and the worker would have done. The key must exist. */
export async function sealLedger(deps: Deps): Promise<void> {
  const key = await readLedgerKey(deps.db, deps);
  if (key === null) throw new Error("the store has no key of the ledger");
  for (let first = 0; first < BUCKETS; first += BUCKETS_A_STEP) {
    const heads = new Map<string, { readonly bucket: number; head: Buffer }>();
    const onRow = (row: BinaryRow) => {
      const customerUid = readFieldText(row, 1) ?? "";
      const { head } = key.chain(heads.get(customerUid)?.head ?? CHAIN_START, readFieldText(row, 2) ?? "");
      heads.set(customerUid, { bucket: Number(readFieldText(row, 0)), head });
    };
    for await (const _ of deps.db.copy({ text: factsFrom(first), fields: 3, onRow }));
    const own = [...heads];
    await deps.db.execute(WRITE_HEADS, [
      own.map(([, { bucket }]) => bucket),
      own.map(([customerUid]) => customerUid),
      own.map(([, { head }]) => head),
    ]);
  }
  await deps.db.execute("vacuum (freeze, analyze) balance");
  for (;;) {
    const outcome = await closeCheckpoint(deps);
    if (outcome.kind === "altered") throw new Error(outcome.found);
    if (outcome.kind === "unchanged" || !outcome.isMore) break;
  }
}
