import { memberIdOf } from "../customers/member-id.ts";
import type { Queryable } from "../db/pool.ts";
import { moveUidOf } from "./move.ts";

// Between two of its kinds, a file that the command imports has only finished imports.
const SELECT_OPEN = `select i.options -> 'move' ->> 'uid' as "moveUid",
  i.options ->> 'vendor' as vendor,
  i.content_sha256 as sha256
from import i
where (i.kind = 'move' and i.state in ('checking', 'checked', 'importing'))
  or (i.options -> 'move' ->> 'uid' is not null
    and (i.state in ('uploading', 'uploaded', 'checking', 'checked', 'importing')
      or (i.state = 'imported' and i.finished_at > $1)))
order by i.created_at desc
limit 1000`;

/** How long after one of its kinds was imported the next one is expected. */
const PAUSE_HOURS = 24;

interface Open {
  readonly moveUid: string | null;
  readonly vendor: string | null;
  readonly sha256: Buffer | null;
}

/**
 * Returns the ids by which the rows of moves find the customer into whom the one with an e-mail address was merged (`resolve-members`): one for each move
 * whose file waits after its check, is being imported, or was until recently. An id does not reveal the address.
 */
export async function readFormerAddressIds(
  queryable: Queryable,
  email: string,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const rows = await queryable.query<Open>(SELECT_OPEN, [now.subtract({ hours: PAUSE_HOURS })]);
  return [...new Set(rows.flatMap((row) => uidOf(row) ?? []))].map((moveUid) => memberIdOf(email, moveUid));
}

function uidOf({ moveUid, vendor, sha256 }: Open): string | null {
  if (moveUid !== null) return moveUid;
  return vendor === null || sha256 === null ? null : moveUidOf({ head: { sha256 }, vendor: { name: vendor } });
}
