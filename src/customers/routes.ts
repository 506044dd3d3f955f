import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";
import { selectCustomers } from "./customer-queries.ts";
import { findCustomer } from "./find-customer.ts";
import { putCustomer } from "./put-customer.ts";
import { customerAnswer, customerBody, customerParams, mergedAnswer } from "./schema.ts";
import { customerView, mergedView } from "./view.ts";

/** Registers `GET` and `PUT /customers/:id`, `GET /customers/:id/merged` (program.md 2, customers). */
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

  app.get(
    "/customers/:id/merged",
    {
      config: { scope: "read" },
      schema: {
        summary: "Customers who were merged into a customer",
        description: "Their ids refer to this customer; `point_balance_uid` lists their allotments.",
        tags: ["Customers"],
        params: customerParams,
        response: { 200: mergedAnswer },
      },
    },
    async (request) => {
      const customer = await findCustomer(deps.db, request.params.id);
      return mergedView(await selectCustomers(deps.db, await readMerged(deps.db, customer)));
    },
  );
  app.put(
    "/customers/:id",
    {
      config: { scope: "write" },
      schema: {
        summary: "Create or change a customer",
        description:
          "An absent field keeps its stored value; null removes it. An id has at most 1,000 characters and 2,600 bytes.",
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
