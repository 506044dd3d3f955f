import type { Tx } from "../../db/pool.ts";
import { canShareViews, type Person, sharingForbidden } from "./access.ts";
import { lockSeenView } from "./lock-seen-view.ts";
import type { SavedView } from "./queries.ts";

/** Locks and returns a view that the person may change. Throws `not_found` for another's own view, and `forbidden`. */
export async function lockChangeableView(tx: Tx, uid: string, person: Person): Promise<SavedView> {
  const view = await lockSeenView(tx, uid, person);
  if (view.isShared && !canShareViews(person)) throw sharingForbidden(person);
  return view;
}
