import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { customerParam } from "../http/customer-ref.ts";
import { streamPerson } from "./stream-person.ts";

/** `GET /customers/:id/data`: everything about a person, for a data request (platforms.md 1.1). */
export function privacyRoutes(app: App, deps: Deps): void {
  app.get(
    "/customers/:id/data",
    {
      config: { scope: "admin" },
      schema: {
        summary: "Everything stored about a customer",
        description:
          "One JSON document, streamed: profile, balance, allotments with notes, orders, coupons, tiers, deliveries.",
        tags: ["Customers"],
        params: Type.Object({ id: customerParam }),
      },
    },
    async (request, reply) => {
      const pieces = await streamPerson(deps, request.params.id);
      return reply.type("application/json; charset=utf-8").send(Readable.from(pieces));
    },
  );
}
