import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { readHome } from "./read-home.ts";
import { homeAnswer, homeQuery } from "./schema.ts";
import { homeView } from "./view.ts";

/** `GET /home`: a store at a glance, over a period of its days. */
export function homeAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/home",
    {
      config: { permission: "view" },
      schema: { hide: true, querystring: homeQuery, response: { 200: homeAnswer } },
    },
    async ({ query }) => ({ data: homeView(await readHome(deps, query)) }),
  );
}
