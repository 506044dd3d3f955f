import type { ReadDb } from "../../db/pool.ts";
import { CHAIN_START, FACTS_SQL, NOTE_DIGEST_SQL } from "../chain/chain.ts";
import type { LedgerKey } from "../key/ledger-key.ts";
import type { LedgerCheck } from "./ledger-checks.ts";

/** The check of all customers' chains, as `verify` names it. */
export const CHAIN_CHECK = {
  name: "chains",
  says: "no allotment was changed, removed or added by hand",
};

/** The check of notes, which needs no key. */
export const NOTE_CHECK: LedgerCheck = {
  name: "notes",
  says: "no note or author of a note was changed, and only those of erased customers are missing",
  text: `select coalesce(a.customer_uid, n.customer_uid) as customer_uid,
  format('version %s: its note or actor %s', coalesce(a.version, n.version),
    case when n.customer_uid is null then 'is gone' when a.customer_uid is null then 'has no allotment'
      when a.note_digest is null then 'was added' else 'was changed' end) as found
from (
  select bucket, customer_uid, version, note_digest, chain
  from allotment
  where bucket between $1 and $2 and (note_digest is not null or chain is not null)) a
full join (
  select *
  from allotment_note
  where bucket between $1 and $2) n on n.bucket = a.bucket and n.customer_uid = a.customer_uid and n.version = a.version
left join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
where case
    when n.customer_uid is null then a.note_digest is not null and c.deleted_at is null
    when a.customer_uid is null then n.salt is not null
    when a.note_digest is null then true
    else n.salt is null or a.note_digest <> ${NOTE_DIGEST_SQL}
  end`,
};

interface LinkedRow {
  readonly customerUid: string;
  readonly version: bigint;
  readonly chain: bigint | null;
  /** The head of the balance, on the row of the version that it belongs to; null on other rows. */
  readonly head: Buffer | null;
  readonly chainedVersion: bigint;
  readonly facts: string;
}

const LINKED = `select a.customer_uid as "customerUid",
  a.version,
  a.chain,
  case when a.version = b.chained_version then b.chain_head end as head,
  b.chained_version as "chainedVersion",
  ${FACTS_SQL} as facts
from allotment a
join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
where a.bucket between $1 and $2
  and a.version <= b.chained_version
order by a.bucket, a.customer_uid, a.version`;

const NOT_LINKED = `select b.customer_uid as "customerUid",
  b.version,
  b.chained_version as "chainedVersion"
from balance b
where b.bucket between $1 and $2
  and (b.chained_version <> b.version or (b.chain_head is null) <> (b.chained_version = 0))
limit $3`;

const COUNT_NOT_LINKED = `select count(*) as customers
from balance b
where b.bucket between $1 and $2
  and b.chained_version <> b.version`;

/** A customer whose chain does not hold. */
export interface ChainFault {
  readonly customerUid: string;
  readonly found: string;
}

export interface ChainsResult {
  readonly faults: readonly ChainFault[];
  /** Customers whom the worker still has to link. */
  readonly notLinked: number;
}

const FAULTS_MAX = 10_000;
const PIECE_ROWS = 2_000;

/** Recomputes the chains of the customers of a range of buckets, from one snapshot of `db`. Memory is bounded. */
export async function verifyChains(
  db: ReadDb,
  range: readonly [first: number, last: number],
  key: LedgerKey,
): Promise<ChainsResult> {
  if (!key.isLinked && !(await isReached(db, range, key)))
    return { faults: [], notLinked: await countNotLinked(db, range) };
  const faults: ChainFault[] = [];
  const add = (fault: ChainFault) => void (faults.length < FAULTS_MAX && faults.push(fault));
  let walk: ChainWalk | null = null;
  for await (const rows of db.stream<LinkedRow>(LINKED, [...range], { pieceRows: PIECE_ROWS })) {
    for (const row of rows) {
      if (walk?.customerUid !== row.customerUid) {
        endWalk(walk, add);
        walk = startWalk(row);
      }
      step(walk, row, key, add);
    }
  }
  endWalk(walk, add);
  if (!key.isLinked) return { faults, notLinked: await countNotLinked(db, range) };
  for (const { customerUid, version, chainedVersion } of await db.query<LinkedRow>(NOT_LINKED, [...range, FAULTS_MAX]))
    add({ customerUid, found: `the balance is at version ${version}, its chain ends at ${chainedVersion}` });
  return { faults, notLinked: 0 };
}

/** Whether the worker has linked these buckets with the key. */
async function isReached(db: ReadDb, [, last]: readonly [number, number], { uid }: LedgerKey): Promise<boolean> {
  const text = 'select linked_to_bucket as "toBucket" from ledger_key where uid = $1';
  const [row] = await db.query<{ toBucket: number }>(text, [uid]);
  return row !== undefined && row.toBucket > last;
}

async function countNotLinked(db: ReadDb, range: readonly [number, number]): Promise<number> {
  const [row] = await db.query<{ customers: bigint }>(COUNT_NOT_LINKED, range);
  return Number(row?.customers ?? 0n);
}

/** The state of a customer while its allotments are read. */
interface ChainWalk {
  readonly customerUid: string;
  readonly chainedVersion: bigint;
  head: Buffer;
  /** The first allotment whose link does not follow from its facts; null: none. */
  oddAt: bigint | null;
  isEnded: boolean;
}

function startWalk({ customerUid, chainedVersion }: LinkedRow): ChainWalk {
  return { customerUid, chainedVersion, head: CHAIN_START, oddAt: null, isEnded: false };
}

function step(walk: ChainWalk, row: LinkedRow, { chain }: LedgerKey, add: (fault: ChainFault) => void): void {
  const { head, link } = chain(walk.head, row.facts);
  walk.head = head;
  if (row.chain !== null && row.chain !== link) walk.oddAt ??= row.version;
  if (row.version !== walk.chainedVersion) return;
  walk.isEnded = true;
  // if the head holds, links of an older key do not matter: the head covers every fact
  if (row.head?.equals(head) === true) return;
  const { customerUid, oddAt } = walk;
  const where = oddAt === null ? `up to version ${row.version} are` : `version ${oddAt} is the first that is`;
  add({
    customerUid,
    found: `${where} not what was written${oddAt === null ? ", or the head of the chain was changed" : ""}`,
  });
}

function endWalk(walk: ChainWalk | null, add: (fault: ChainFault) => void): void {
  if (walk === null || walk.isEnded) return;
  const { customerUid, chainedVersion } = walk;
  add({ customerUid, found: `version ${chainedVersion}, the last that was chained, is not there` });
}
