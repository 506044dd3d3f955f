import { isDeepStrictEqual } from "node:util";
import { recordAction } from "../../audit/record-action.ts";
import { isUniqueViolation } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { Person } from "./access.ts";
import { lockChangeableView } from "./lock-changeable-view.ts";
import { type SavedView, updateView } from "./queries.ts";
import { NAME_TAKEN, unknownFilters } from "./view-faults.ts";

/**
 * Gives a view another name, other filters, or both. A shared view that is changed is recorded in the audit log. Throws `invalid` with every fault,
 * `not_found` for the view of another, and `forbidden`.
 */
export async function changeView(
  deps: Pick<Deps, "db" | "clock">,
  uid: string,
  change: Partial<Pick<SavedView, "name" | "filters">>,
  person: Person,
): Promise<void> {
  try {
    await deps.db.tx(async (tx) => {
      const view = await lockChangeableView(tx, uid, person);
      const faults = unknownFilters(view.list, change.filters ?? {});
      if (faults.length > 0) throw new Problem("invalid", { faults });
      const before = { list: view.list, name: view.name, filters: view.filters };
      const after = { ...before, name: change.name?.trim() ?? view.name, filters: change.filters ?? view.filters };
      if (isDeepStrictEqual(before, after)) return;
      await updateView(tx, uid, after);
      if (!view.isShared) return;
      const subject = { kind: "saved_view", id: uid };
      await recordAction(tx, deps, { action: "view.changed", subject, before, after });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? new Problem("invalid", { faults: [NAME_TAKEN] }) : error;
  }
}
