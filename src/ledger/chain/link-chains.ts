import type { Db, Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockBalances } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { keyText, type LedgerKey } from "../key/ledger-key.ts";
import { readLedgerKey } from "../key/ledger-key-queries.ts";
import { CHAIN_START, FACTS_SQL } from "./chain.ts";

const CUSTOMERS_A_PAGE = 200;
/** Allotments read by one statement. */
const ALLOTMENTS_A_PAGE = 5_000;
const BUCKETS = 256;
/** How long nodes of the previous version may still post after an update. After that, every customer stays linked. */
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
 * Links customers who have points from before chains existed, or from before the key was replaced, each under its lock; then customers to whom
 * a node of the previous version posted. An hour after the key was created, the store counts as linked for good: from then on, a customer
 * without a link is a fault. Returns how many customers were linked; stops soon after the signal.
 */
export async function linkChains(deps: LinkDeps, { signal }: { readonly signal?: AbortSignal } = {}): Promise<number> {
  const key = await readLedgerKey(deps.db, deps);
  if (key === null || key.isLinked) return 0;
  const [progress] = await deps.db.query<Progress>(READ_PROGRESS, [key.uid]);
  if (progress === undefined) return 0;
  const all = await linkPages(deps.db, key, { from: progress.toBucket, isAll: true, signal });
  const behind = await linkPages(deps.db, key, { from: 0, isAll: false, signal });
  const isThrough = behind === 0 && signal?.aborted !== true;
  if (isThrough && isOld(progress, deps.clock.now())) await markLinked(deps, key);
  return all + behind;
}

function isOld({ createdAt }: Progress, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add(SETTLED_AFTER), now) <= 0;
}

/** Stores this inside the sealed key, so that somebody who can only change rows cannot revert it. */
async function markLinked({ db, secretBox }: LinkDeps, { uid, material }: LedgerKey): Promise<void> {
  const sealed = secretBox.seal(keyText({ ...material, isLinked: true }));
  await db.execute("update ledger_key set material_sealed = $2 where uid = $1", [uid, sealed]);
}

const PAGE = (isAll: boolean) => `select b.bucket,
  b.customer_uid as "customerUid"
from balance b
where b.bucket >= $1
  and (b.bucket, b.customer_uid) > ($1, $2::uuid)
  and b.version > 0${isAll ? "" : "\n  and b.chained_version <> b.version"}
order by b.bucket, b.customer_uid
limit ${CUSTOMERS_A_PAGE}`;
const ALL_PAGE = PAGE(true);
const BEHIND_PAGE = PAGE(false);
const FIRST_UID = "00000000-0000-0000-0000-000000000000";
const WRITE_PROGRESS = "update ledger_key set linked_to_bucket = $2 where uid = $1";

/** Links the customers of a bucket and of the following ones. Stores the progress by bucket when all customers are linked. */
async function linkPages(
  db: Db,
  key: LedgerKey,
  { from, isAll, signal }: { readonly from: number; readonly isAll: boolean; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let linked = 0;
  let last: CustomerRef = { bucket: from, customerUid: FIRST_UID };
  while (signal?.aborted !== true) {
    const page: CustomerRef[] = await db.query<CustomerRef>(isAll ? ALL_PAGE : BEHIND_PAGE, [
      last.bucket,
      last.customerUid,
    ]);
    for (const customer of page) await linkCustomer(db, key, customer);
    linked += page.length;
    const end = page.at(-1);
    if (isAll && end?.bucket !== last.bucket) await db.execute(WRITE_PROGRESS, [key.uid, end?.bucket ?? BUCKETS]);
    if (end === undefined) break;
    last = end;
  }
  return linked;
}

const WRITE_HEAD = `update balance
set chained_version = $3,
  chain_head = $4
where bucket = $1
  and customer_uid = $2`;

/**
 * Links one customer from the first allotment on, never from a stored head, which somebody may have changed. Only allotments that were posted
 * meanwhile are hashed under the lock, however long the history is.
 */
async function linkCustomer(db: Db, key: LedgerKey, customer: CustomerRef): Promise<void> {
  const before = await walkChain(db, key, customer, { version: 0n, head: CHAIN_START });
  await db.tx(async (tx) => {
    const [balance] = await lockBalances(tx, [customer]);
    if (balance === undefined) return;
    const { version, head } = await walkChain(tx, key, customer, before);
    if (version !== balance.version) return; // versions are missing: other checks name them
    await tx.execute(WRITE_HEAD, [customer.bucket, customer.customerUid, version, head]);
  });
}

const READ_FACTS = `select a.version,
  ${FACTS_SQL} as facts
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version > $3
order by a.version
limit ${ALLOTMENTS_A_PAGE}`;

interface ChainEnd {
  readonly version: bigint;
  readonly head: Buffer;
}

/** Continues the chain from a version to the last one, with the facts as they are now. */
async function walkChain(
  queryable: Queryable,
  { chain }: Pick<LedgerKey, "chain">,
  { bucket, customerUid }: CustomerRef,
  from: ChainEnd,
): Promise<ChainEnd> {
  let { version, head } = from;
  for (;;) {
    const rows = await queryable.query<{ version: bigint; facts: string }>(READ_FACTS, [bucket, customerUid, version]);
    for (const row of rows) {
      head = chain(head, row.facts).head;
      version = row.version;
    }
    if (rows.length < ALLOTMENTS_A_PAGE) return { version, head };
  }
}
