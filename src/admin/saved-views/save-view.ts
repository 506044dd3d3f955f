import { recordAction } from "../../audit/record-action.ts";
import { isUniqueViolation } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { VIEWS_MAX } from "../../wire/saved-views.ts";
import { countViewsLocked, insertView, type SavedView } from "./queries.ts";
import { NAME_TAKEN, unknownFilters } from "./view-faults.ts";

/**
 * Saves the filters of a list under a name. Only filters without personal data are accepted, since a view stays when a customer's data is erased. A
 * shared view is recorded in the audit log. Throws `invalid` with every fault. Returns its uid.
 */
export async function saveView(
  deps: Pick<Deps, "db" | "clock" | "random">,
  given: Omit<SavedView, "uid">,
): Promise<string> {
  const faults = unknownFilters(given.list, given.filters);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const view = { ...given, uid: deps.random.uid(), name: given.name.trim() };
  try {
    await deps.db.tx(async (tx) => {
      const { own, shared } = await countViewsLocked(tx, view.staffUid);
      const [count, most] = view.isShared ? [shared, VIEWS_MAX.shared] : [own, VIEWS_MAX.own];
      if (count >= BigInt(most)) {
        throw new Problem("invalid", { faults: [{ pointer: "", detail: `expected at most ${most} views` }] });
      }
      await insertView(tx, view, deps.clock.now());
      if (!view.isShared) return;
      const after = { list: view.list, name: view.name, filters: view.filters };
      await recordAction(tx, deps, { action: "view.shared", subject: { kind: "saved_view", id: view.uid }, after });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? new Problem("invalid", { faults: [NAME_TAKEN] }) : error;
  }
  return view.uid;
}
