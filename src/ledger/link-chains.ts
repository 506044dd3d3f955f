import type { Db, Queryable, Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockBalances } from "./balance-queries.ts";
import { CHAIN_START, FACTS_SQL } from "./chain.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { keyText, type LedgerKey } from "./ledger-key.ts";
import { readLedgerKey } from "./ledger-key-queries.ts";

const CUSTOMERS_A_PAGE = 200;
/** Allotments that are linked under the lock of one customer by one statement. */
const ALLOTMENTS_A_PAGE = 5_000n;
const BUCKETS = 256;
/** A node of the previous version may post so long after an update: then every customer is linked, for good. */
const SETTLED_AFTER = { hours: 1 };

type LinkDeps = Pick<Deps, "db" | "clock" | "secretBox">;

const READ_PROGRESS = `select linked_to_bucket as "toBucket",
  created_at as "createdAt"
from ledger_key
where uid = $1`;

interface Progress {
  readonly toBucket: number;
  readonly createdAt: Temporal.Instant;
}

/**
 * Links the customers who have points from before there were chains, or from before the key was replaced, each under its lock; then
 * those to whom a node of the previous version posted. After that, and an hour after the key was made, the store is linked for good: from then on
 * a customer who is not linked is a fault. Returns how many customers were linked; stops soon after the signal.
 */
export async function linkChains(deps: LinkDeps, { signal }: { readonly signal?: AbortSignal } = {}): Promise<number> {
  const key = await readLedgerKey(deps.db, deps);
  if (key === null || key.isLinked) return 0;
  const [progress] = await deps.db.query<Progress>(READ_PROGRESS, [key.uid]);
  if (progress === undefined) return 0;
  let linked = 0;
  for (let bucket = progress.toBucket; bucket < BUCKETS; bucket++) {
    linked += await linkBucket(deps.db, key, { bucket, isAll: true, signal });
    if (signal?.aborted === true) return linked;
    await deps.db.execute("update ledger_key set linked_to_bucket = $2 where uid = $1", [key.uid, bucket + 1]);
  }
  let behind = 0;
  for (let bucket = 0; bucket < BUCKETS && signal?.aborted !== true; bucket++)
    behind += await linkBucket(deps.db, key, { bucket, isAll: false, signal });
  if (behind === 0 && signal?.aborted !== true && isOld(progress, deps.clock.now())) await markLinked(deps, key);
  return linked + behind;
}

function isOld({ createdAt }: Progress, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add(SETTLED_AFTER), now) <= 0;
}

/** Written into what is sealed: who can only change rows cannot take it back. */
async function markLinked({ db, secretBox }: LinkDeps, { uid, material }: LedgerKey): Promise<void> {
  const sealed = secretBox.seal(keyText({ ...material, isLinked: true }));
  await db.execute("update ledger_key set material_sealed = $2 where uid = $1", [uid, sealed]);
}

const PAGE = (isAll: boolean) => `select b.bucket,
  b.customer_uid as "customerUid"
from balance b
where b.bucket = $1
  and b.customer_uid > $2
  and b.version > 0${isAll ? "" : "\n  and b.chained_version <> b.version"}
order by b.customer_uid
limit ${CUSTOMERS_A_PAGE}`;
const ALL_PAGE = PAGE(true);
const BEHIND_PAGE = PAGE(false);
const FIRST_UID = "00000000-0000-0000-0000-000000000000";

async function linkBucket(
  db: Db,
  key: LedgerKey,
  options: { readonly bucket: number; readonly isAll: boolean; readonly signal: AbortSignal | undefined },
): Promise<number> {
  const { bucket, isAll, signal } = options;
  let linked = 0;
  let last = FIRST_UID;
  while (signal?.aborted !== true) {
    const page: CustomerRef[] = await db.query<CustomerRef>(isAll ? ALL_PAGE : BEHIND_PAGE, [bucket, last]);
    for (const customer of page) await db.tx((tx) => linkCustomer(tx, key, customer));
    linked += page.length;
    const end = page.at(-1);
    if (end === undefined) break;
    last = end.customerUid;
  }
  return linked;
}

const WRITE_HEAD = `update balance
set chained_version = $3,
  chain_head = $4
where bucket = $1
  and customer_uid = $2`;

/** From the first allotment on: no head that somebody may have written is gone on from. */
async function linkCustomer(tx: Tx, key: LedgerKey, customer: CustomerRef): Promise<void> {
  const [balance] = await lockBalances(tx, [customer]);
  if (balance === undefined) return;
  const head = await readChainHead(tx, key, customer, balance.version);
  await tx.execute(WRITE_HEAD, [customer.bucket, customer.customerUid, balance.version, head]);
}

const READ_FACTS = `select a.version,
  ${FACTS_SQL} as facts
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version > $3
  and a.version <= $4
order by a.version`;

/** Computes the head of a customer's chain at a version from the facts as they are. */
async function readChainHead(
  queryable: Queryable,
  { chain }: Pick<LedgerKey, "chain">,
  { bucket, customerUid }: CustomerRef,
  version: bigint,
): Promise<Buffer> {
  let head = CHAIN_START;
  for (let from = 0n; from < version; from += ALLOTMENTS_A_PAGE) {
    const to = from + ALLOTMENTS_A_PAGE < version ? from + ALLOTMENTS_A_PAGE : version;
    const rows = await queryable.query<{ facts: string }>(READ_FACTS, [bucket, customerUid, from, to]);
    for (const { facts } of rows) head = chain(head, facts).head;
  }
  return head;
}
