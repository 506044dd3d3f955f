import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { canShareViews, type Person, sharingForbidden } from "./access.ts";
import { lockView, type SavedView } from "./queries.ts";

/** Locks and returns a view that the person may change. Throws `not_found` for another's own view, and `forbidden`. */
export async function lockChangeableView(tx: Tx, uid: string, person: Person): Promise<SavedView> {
  const view = await lockView(tx, uid);
  if (view === undefined || (!view.isShared && view.staffUid !== person.uid)) throw new Problem("not_found");
  if (view.isShared && !canShareViews(person)) throw sharingForbidden(person);
  return view;
}
