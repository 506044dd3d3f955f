import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { findCustomer } from "./find-customer.ts";
import { putCustomer } from "./put-customer.ts";
import { customerAnswer, customerBody, customerParams } from "./schema.ts";
import { customerView } from "./view.ts";

/** `GET` and `PUT /customers/:id` (program.md 2, customers). */
export function customerRoutes(app: App, deps: Deps): void {
  app.get(
    "/customers/:id",
    {
      config: { scope: "read" },
      schema: {
        summary: "Read a customer",
        tags: ["Customers"],
        params: customerParams,
        response: { 200: customerAnswer },
      },
    },
    async (request) => customerView(await findCustomer(deps.db, request.params.id)),
  );

  app.put(
    "/customers/:id",
    {
      config: { scope: "write" },
      schema: {
        summary: "Create or change a customer",
        description: "An absent member is unknown and keeps what is stored; null is none.",
        tags: ["Customers"],
        params: customerParams,
        body: customerBody,
        response: { 200: customerAnswer, 201: customerAnswer },
      },
    },
    async (request, reply) => {
      const { customer, created } = await putCustomer(deps, request.params.id, request.body);
      return reply.code(created ? 201 : 200).send(customerView(customer));
    },
  );
}
