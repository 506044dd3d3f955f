import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { Person } from "./access.ts";
import { lockChangeableView } from "./lock-changeable-view.ts";
import { deleteView } from "./queries.ts";

/** Removes a person's own view, or a shared one, which is recorded in the audit log. Throws `not_found` for the view of another, and `forbidden`. */
export async function removeView(deps: Pick<Deps, "db" | "clock">, uid: string, person: Person): Promise<void> {
  await deps.db.tx(async (tx) => {
    const view = await lockChangeableView(tx, uid, person);
    await deleteView(tx, uid);
    if (!view.isShared) return;
    const before = { list: view.list, name: view.name, filters: view.filters };
    await recordAction(tx, deps, { action: "view.removed", subject: { kind: "saved_view", id: uid }, before });
  });
}
