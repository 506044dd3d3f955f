import { recordAction } from "../../audit/record-action.ts";
import { isUniqueViolation } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { VIEW_FILTERS, VIEWS_MAX } from "../../wire/saved-views.ts";
import { countViewsLocked, insertView, type SavedView } from "./queries.ts";

/**
 * Saves the filters of a list under a name. Only filters without personal data are accepted, since a view stays when a customer's data is erased. A
 * shared view is recorded in the audit log. Throws `invalid` with every fault. Returns its uid.
 */
export async function saveView(
  deps: Pick<Deps, "db" | "clock" | "random">,
  given: Omit<SavedView, "uid">,
): Promise<string> {
  const known: readonly string[] = VIEW_FILTERS[given.list];
  const faults = Object.keys(given.filters)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: `/filters/${name}`, detail: `expected one of ${known.join(", ")}` }));
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const view = { ...given, uid: deps.random.uid(), name: given.name.trim() };
  try {
    await deps.db.tx(async (tx) => {
      const { own, shared } = await countViewsLocked(tx, view.staffUid);
      const [count, most] = view.isShared ? [shared, VIEWS_MAX.shared] : [own, VIEWS_MAX.own];
      if (count >= BigInt(most)) throw refusedView("", `expected at most ${most} views`);
      await insertView(tx, view, deps.clock.now());
      if (!view.isShared) return;
      const after = { list: view.list, name: view.name, filters: view.filters };
      await recordAction(tx, deps, { action: "view.shared", subject: { kind: "saved_view", id: view.uid }, after });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? refusedView("/name", "expected a name that no other view of the list has") : error;
  }
  return view.uid;
}

function refusedView(pointer: string, detail: string): Problem {
  return new Problem("invalid", { faults: [{ pointer, detail }] });
}
