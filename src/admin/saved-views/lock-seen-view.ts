import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import type { Person } from "./access.ts";
import { lockView, type SavedView } from "./queries.ts";

/** Locks and returns a view that the person sees: their own or a shared one. Throws `not_found`. */
export async function lockSeenView(tx: Tx, uid: string, person: Person): Promise<SavedView> {
  const view = await lockView(tx, uid);
  if (view === undefined || (!view.isShared && view.staffUid !== person.uid)) throw new Problem("not_found");
  return view;
}
