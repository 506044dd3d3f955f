import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { readOrders } from "./read-orders.ts";
import { orderQuerySchema, ordersAnswerSchema } from "./schema.ts";

/** Registers the routes of interface.md 4.11. */
export function orderRoutes(app: App, deps: Deps): void {
  app.get(
    "/orders",
    {
      config: { scope: "read" },
      schema: {
        tags: ["Orders"],
        summary: "Order point data",
        querystring: orderQuerySchema,
        response: { 200: ordersAnswerSchema },
      },
    },
    async (request) => ({ data: await readOrders(deps.db, request.query.ids) }),
  );
}
