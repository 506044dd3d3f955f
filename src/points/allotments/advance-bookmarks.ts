import type { Deps } from "../../deps.ts";
import { ALLOTMENT_TYPE_NAMES } from "../../ledger/allotment-types.ts";
import { advanceSettledMark } from "../../ledger/settled-mark/advance-settled-mark.ts";
import { BOOKMARK_EVERY } from "./page-window.ts";

const BOOKMARKS_A_STEP = 400;

// The type is compared and ordered by, as in the count (queries.ts). Numbers the rows from the last bookmark on (including its own row); every 250th
// row after it is the next bookmark. Two nodes may find the same bookmarks, with equal values, because settled rows never change their position.
const ADVANCE = (hasType: boolean) => `with last as (
  select b.n, b.allotted_at, b.uid
  from bookmark b
  where b.scope = $1
  union all
  select 0, '-infinity', '00000000-0000-0000-0000-000000000000'
  order by n desc, allotted_at desc
  limit 1),
page as (
  select a.allotted_at, a.uid
  from allotment a
  where ${
    hasType
      ? `(a.type, a.allotted_at, a.uid) >= ($1, (select allotted_at from last), (select uid from last))
    and (a.type, a.allotted_at) <= ($1, $2)
  order by a.type, a.allotted_at, a.uid`
      : `(a.allotted_at, a.uid) >= ((select allotted_at from last), (select uid from last))
    and a.allotted_at <= $2
  order by a.allotted_at, a.uid`
  }
  limit ${BOOKMARK_EVERY * BOOKMARKS_A_STEP + 1}),
numbered as (
  select row_number() over (order by allotted_at, uid) as i, allotted_at, uid
  from page)
insert into bookmark (scope, n, allotted_at, uid)
select $1, last.n + (r.i - 1) / ${BOOKMARK_EVERY}, r.allotted_at, r.uid
from last
cross join numbered r
where (r.i - 1) % ${BOOKMARK_EVERY} = 0
  and (r.i > 1 or last.allotted_at = '-infinity')
on conflict (scope, n) do nothing`;
const TEXTS = { store: ADVANCE(false), type: ADVANCE(true) } as const;

/**
 * Stores a bookmark at every 250th settled allotment of the store and of each type, so that a deep page of a list is found as fast as the
 * first. Reads only rows after the last bookmark; returns how many bookmarks were added.
 */
export async function advanceBookmarks(deps: Deps): Promise<number> {
  const { settledAt } = await advanceSettledMark(deps);
  if (settledAt === null) return 0;
  let added = 0;
  for (const scope of ["", ...ALLOTMENT_TYPE_NAMES]) {
    for (;;) {
      const count = await deps.db.execute(scope === "" ? TEXTS.store : TEXTS.type, [scope, settledAt]);
      added += count;
      if (count < BOOKMARKS_A_STEP) break;
    }
  }
  return added;
}
