import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";
import { pageText } from "./change-event.ts";
import { createFeedWaiters } from "./create-feed-waiters.ts";
import { listEvents } from "./list-events.ts";
import { pollEvents } from "./poll-events.ts";
import { streamEvents } from "./stream-events.ts";
import { tierChangeEvent } from "./tier-change-event.ts";

const STREAM_TYPE = "text/event-stream";
const PAGE_TYPE = "application/json; charset=utf-8";
const STREAM_HEADERS = {
  "content-type": STREAM_TYPE,
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  connection: "close",
};
const BUSY_RETRY_S = 5;

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
  include: Type.Optional(
    Type.Enum(["tiers"], {
      description: "`tiers`: also the changes of tiers, with the topic `tier/change`. Absent: only allotments.",
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      description: "Seconds to wait for an event if there is none after the cursor; default: 0.",
      examples: [0],
    }),
  ),
});

const headersSchema = Type.Object({
  "last-event-id": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "Of a stream (`Accept: text/event-stream`): the cursor to resume after, instead of `cursor`.",
    }),
  ),
});

const cursorSchema = Type.String({ description: "Where to read on after this event." });

const allotmentEvent = Type.Object({
  cursor: cursorSchema,
  topic: Type.Literal(pointAllotmentCascade.name),
  version: Type.Integer({ description: "The version of the customer's points." }),
  balance_after: Type.Integer({ description: "The customer's balance right after it." }),
  payload: pointAllotmentCascade.schema,
});

const tierEvent = Type.Object({
  cursor: cursorSchema,
  topic: Type.Literal(tierChangeEvent.name),
  payload: tierChangeEvent.schema,
});

const listSchema = Type.Object(
  {
    data: Type.Array(Type.Union([allotmentEvent, tierEvent])),
    meta: Type.Object({ has_more: Type.Boolean(), next_cursor: Type.String() }),
  },
  { title: "Events" },
);

/** A client that reads nothing for this time counts as gone. */
const STALLED_MS = 60_000;

/**
 * Registers the change feed (docs/events-feed.md): pages, long polls, and streams of server-sent events. If every place is taken, a long poll is answered
 * at once, as without `wait`.
 */
export function eventRoutes(app: App, deps: Deps): void {
  const waiters = createFeedWaiters(deps);
  app.addHook("preClose", async () => waiters.close());
  app.get(
    "/events",
    {
      config: { scope: "read", documentedHeaders: { "Last-Event-ID": headersSchema.properties["last-event-id"] } },
      schema: {
        tags: ["Events"],
        summary: "Allotments and changes of tiers as events, resumable by cursor",
        description:
          "With `Accept: text/event-stream` the events come as a stream of server-sent events, each with its cursor as `id`. If all places for streams are taken, the answer is 429.",
        headers: headersSchema,
        querystring: querySchema,
        response: { 200: listSchema },
      },
    },
    async (request, reply) => {
      const isStream = acceptsStream(request.headers.accept);
      const { cursor, limit, wait = 0, include } = request.query;
      const query = { cursor, limit, hasTiers: include === "tiers" };
      const leave = isStream || wait > 0 ? waiters.enter(request.credential.uid) : null;
      const following = { waiters, signal: untilGone(reply, leave) };
      if (!isStream) {
        const page = await pollEvents(deps, { ...query, waitMs: leave === null ? 0 : wait * 1_000 }, following);
        return reply.type(PAGE_TYPE).send(pageText(page) as never); // cast: JSON of the schema, with all digits of its ids
      }
      if (leave === null) throw new Problem("too_many_requests", { retryAfterS: BUSY_RETRY_S });
      const first = await listEvents(deps, { ...query, cursor: request.headers["last-event-id"] ?? cursor });
      const body = Readable.from(streamEvents(deps, first, { ...following, ...query }), { objectMode: false });
      return reply.headers(STREAM_HEADERS).send(body as never); // cast: the schema says what a page is
    },
  );
}

/** Returns a signal that aborts when the answer is complete or its client has gone; `leave` is called then. */
function untilGone(reply: FastifyReply, leave: (() => void) | null): AbortSignal {
  const gone = new AbortController();
  if (leave !== null) reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  const end = () => {
    gone.abort();
    leave?.();
  };
  if (reply.request.raw.socket.destroyed)
    end(); // its `close` is over: it would keep its place for ever
  else reply.raw.once("close", end);
  return gone.signal;
}

function acceptsStream(accept: string | undefined): boolean {
  return accept?.split(",").some((range) => range.split(";")[0]?.trim().toLowerCase() === STREAM_TYPE) === true;
}
