import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { readMembersAndGuests } from "./read-members-and-guests.ts";
import { membersAndGuestsAnswer } from "./schema.ts";
import { membersAndGuestsView } from "./view.ts";

const view = { permission: "view" } as const;

/** How the members came to be what they are: read models alone. */
export function growthAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/growth/members-and-guests",
    { config: view, schema: { hide: true, response: { 200: membersAndGuestsAnswer } } },
    async (request, reply) => membersAndGuestsView(await runRead(deps, [request, reply], readMembersAndGuests)),
  );
}
