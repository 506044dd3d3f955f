import type { Deps } from "../../deps.ts";
import type { Person } from "./access.ts";
import { lockSeenView } from "./lock-seen-view.ts";
import { writeDefaultView } from "./queries.ts";

/** Makes a view the one with which the person's navigation opens its list. Throws `not_found` for the view of another. */
export async function setDefaultView(deps: Pick<Deps, "db">, uid: string, person: Person): Promise<void> {
  await deps.db.tx(async (tx) => {
    const view = await lockSeenView(tx, uid, person);
    await writeDefaultView(tx, view, person.uid);
  });
}
