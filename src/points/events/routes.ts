import { Type } from "typebox";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";
import { type ChangeEventPage, listEvents } from "./list-events.ts";

const querySchema = Type.Object({
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "`next_cursor` of the last answer or the `cursor` of an event; `start` (the default) or `now`.",
      examples: ["start"],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 250, description: "Events at most; 100 when absent.", examples: [100] }),
  ),
});

const listSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        cursor: Type.String({ description: "Where to read on after this event." }),
        topic: Type.String(),
        version: Type.Integer({ description: "The version of the customer's points." }),
        payload: pointAllotmentCascade.schema,
      }),
    ),
    meta: Type.Object({ has_more: Type.Boolean(), next_cursor: Type.String() }),
  },
  { title: "Events" },
);

/** The change feed (docs/events-feed.md). */
export function eventRoutes(app: App, deps: Deps): void {
  app.get(
    "/events",
    {
      config: { scope: "read" },
      schema: {
        tags: ["Events"],
        summary: "Allotments as events, resumable by cursor",
        querystring: querySchema,
        response: { 200: listSchema },
      },
    },
    async (request, reply) => {
      const text = jsonOf(await listEvents(deps, request.query));
      // cast: the text is JSON of the schema already; its ids keep all their digits
      return reply.type("application/json; charset=utf-8").send(text as never);
    },
  );
}

function jsonOf({ events, hasMore, nextCursor }: ChangeEventPage): string {
  const topic = JSON.stringify(pointAllotmentCascade.name);
  const data = events.map(
    ({ cursor, version, payload }) =>
      `{"cursor":${JSON.stringify(cursor)},"topic":${topic},"version":${version},"payload":${payload}}`,
  );
  return `{"data":[${data.join(",")}],"meta":${JSON.stringify({ has_more: hasMore, next_cursor: nextCursor })}}`;
}
