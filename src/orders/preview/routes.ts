import type { FastifyRequest } from "fastify";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { previewOrder } from "./preview-order.ts";
import { previewAnswer, previewBody } from "./schema.ts";
import { viewPreview } from "./view.ts";

const NO_BODY = Buffer.from("{}");

/** An absent body counts as an empty object, as in every route (program.md 1). */
function bodyOf({ rawBody }: FastifyRequest): Uint8Array {
  return rawBody === undefined || rawBody.length === 0 ? NO_BODY : rawBody;
}

/** Registers `POST /orders/preview`. It only reads, so an Idempotency-Key has no effect. */
export function previewRoutes(app: App, deps: Deps): void {
  app.post(
    "/orders/preview",
    {
      config: { scope: "read" },
      schema: {
        tags: ["Orders"],
        summary: "Points that an order or cart would earn",
        description:
          "Writes nothing. It uses the function that awards points, so the result is what will be granted once the order is paid and fully shipped.",
        body: previewBody,
        response: { 200: previewAnswer },
      },
    },
    async (request) => viewPreview(await previewOrder(deps, bodyOf(request))),
  );
}
