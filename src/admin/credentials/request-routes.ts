import type { Static } from "typebox";
import type { Deps, ReadDeps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { Problem } from "../../problems.ts";
import { pageOf, READ_ROWS, readAfter, timeUuidCursor } from "../list.ts";
import { readBounded } from "../read-bounded.ts";
import { countUnlisted, selectCredentialOfKey, selectLoggedRequests } from "./queries.ts";
import { credentialParams, type LoggedRequestsPage, loggedRequestsAnswer, loggedRequestsQuery } from "./schema.ts";
import { viewRequest } from "./view.ts";

const config = { permission: "credentials.manage" } as const;

/** `/credentials/:key/requests`: the requests of a credential within the last day. */
export function requestLogAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/credentials/:key/requests",
    {
      config,
      schema: {
        hide: true,
        params: credentialParams,
        querystring: loggedRequestsQuery,
        response: { 200: loggedRequestsAnswer },
      },
    },
    (request, reply) =>
      runRead(deps, [request, reply], (from) => listLoggedRequests(from, request.params.key, request.query)),
  );
}

async function listLoggedRequests(
  deps: ReadDeps,
  key: string,
  query: Static<typeof loggedRequestsQuery>,
): Promise<LoggedRequestsPage> {
  const { position } = withoutFaults(readAfter(query.after, timeUuidCursor));
  const filter = { outcome: query.outcome ?? null, requestId: query.request_id ?? null, after: position };
  return readBounded(deps, async (tx) => {
    const credential = await selectCredentialOfKey(tx, key);
    if (credential === undefined) throw new Problem("not_found");
    const rows = await selectLoggedRequests(tx, credential.uid, filter, READ_ROWS);
    const page = pageOf(rows, ({ at, uid }) => timeUuidCursor.format({ at, id: uid }));
    return {
      credential: { name: credential.name, key },
      hours: deps.config.retention.requestHours,
      unlisted: Number(await countUnlisted(tx, credential.uid)),
      data: page.rows.map(viewRequest),
      next: page.next,
    };
  });
}
