import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { formerAddressId, IS_FORMER_ADDRESS_ID, moveUidIn } from "./member-id.ts";

// The ids by which the rows of another app's file find the customer into whom the one whose e-mail address they name was merged.

// Other files have no time of upload here. Between two of its kinds, a move has only finished imports.
const OPEN_MOVES = `select i.options -> 'move' ->> 'uid' as "moveUid"
from import i
where i.options -> 'move' ->> 'uploadedAt' is not null
  and (i.state in ('uploading', 'uploaded', 'checking', 'checked', 'importing')
    or (i.state = 'imported' and i.finished_at > $1))`;

const SELECT_OPEN = `select distinct m."moveUid"
from (${OPEN_MOVES}) m
order by 1
limit 1000`;

/** How long after one of its kinds was imported the next one is expected. */
const PAUSE_HOURS = 24;

const ADD = `insert into customer_alias (storefront_id, bucket, customer_uid)
select k.id, $2, $3
from unnest($1::text[]) as k (id)
on conflict (storefront_id) do nothing`;

/**
 * Makes an e-mail address which a merge removes lead to the surviving customer, whose balance is locked, for the moves that are being imported,
 * or were until recently.
 */
export async function keepFormerAddress(
  tx: Tx,
  email: string,
  { bucket, customerUid }: CustomerRef,
  now: Temporal.Instant,
): Promise<void> {
  const open = await tx.query<{ moveUid: string }>(SELECT_OPEN, [expectedSince(now)]);
  if (open.length === 0) return;
  const ids = open.map(({ moveUid }) => formerAddressId(email, moveUid));
  await tx.execute(ADD, [ids, bucket, customerUid]);
}

const FORGET_OF = `delete from customer_alias a
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where a.bucket = k.bucket
  and a.customer_uid = k.customer_uid
  and a.storefront_id ${IS_FORMER_ADDRESS_ID}`;

/** Removes the former addresses of customers: one can be recognised by whoever has it and the file. */
export async function forgetFormerAddresses(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(FORGET_OF, refKeys(refs));
}

// One statement, so that an id is not seen without the move for which it was made. Where no move was ever made, no id is read: in databases that do not
// sort by bytes, the condition of the id has no index.
const FORGET_ENDED = `delete from customer_alias a
where exists (select from import i where i.options -> 'move' ->> 'uploadedAt' is not null)
  and a.storefront_id ${IS_FORMER_ADDRESS_ID}
  and ${moveUidIn("a.storefront_id")} not in (${OPEN_MOVES})`;

/** Removes the former addresses that were kept for moves which have ended. */
export async function forgetEndedMoves(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.execute(FORGET_ENDED, [expectedSince(now)]);
}

function expectedSince(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: PAUSE_HOURS });
}
