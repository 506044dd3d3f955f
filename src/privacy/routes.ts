import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { customerParam } from "../http/customer-ref.ts";
import { endUnread } from "../http/limits/end-unread.ts";
import { Problem } from "../problems.ts";
import { streamPerson } from "./stream-person.ts";

/** The number of answers that are read at once: each has a connection of the database for as long as its client takes to read it. */
const STREAMS_MAX = 2;
const STREAMS_RETRY_S = 5;

/** `GET /customers/:id/data`: everything about a person, for a data request (platforms.md 1.1). */
export function privacyRoutes(app: App, deps: Deps): void {
  let streams = 0;
  app.get(
    "/customers/:id/data",
    {
      config: { scope: "admin" },
      schema: {
        summary: "Everything stored about a customer",
        description:
          "One JSON document, streamed: profile, balance, allotments with notes, orders, coupons, tiers, deliveries. Two are answered at once: more get 503.",
        tags: ["Customers"],
        params: Type.Object({ id: customerParam }),
      },
    },
    async (request, reply) => {
      if (request.raw.socket.destroyed || streams >= STREAMS_MAX)
        throw new Problem("unavailable", { retryAfterS: STREAMS_RETRY_S });
      streams += 1;
      endUnread(reply.raw);
      reply.raw.once("close", () => {
        streams -= 1;
      });
      const pieces = await streamPerson(deps, request.params.id);
      return reply.type("application/json; charset=utf-8").send(Readable.from(pieces));
    },
  );
}
