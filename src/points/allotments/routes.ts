import { Type } from "typebox";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { customerParam } from "../../http/customer-ref.ts";
import { postDirectly } from "../../http/direct/direct-routes.ts";
import { claimFrom } from "../../http/idempotency/idempotency.ts";
import { linkHeader, pagingMeta } from "../../http/paging.ts";
import { preferenceOf } from "../../http/preference-of.ts";
import { runRead } from "../../http/run-read.ts";
import { viewBalance } from "../balances/view.ts";
import { createAllotment } from "./create-allotment.ts";
import { listAllotments } from "./list-allotments.ts";
import { listCustomerAllotments } from "./list-customer-allotments.ts";
import {
  allotmentListSchema,
  allotmentQuerySchema,
  createAllotmentSchema,
  createdAllotmentSchema,
  createdMinimalSchema,
  customerAllotmentListSchema,
  customerAllotmentQuerySchema,
} from "./schema.ts";
import { viewAllotment } from "./view.ts";

const preferHeader = {
  type: "string",
  description: "`return=minimal`: 201 without the balance; the answer says `Preference-Applied`.",
  examples: ["return=minimal"],
};

/** Registers the routes of interface.md 4.3, 4.4 and 4.6. */
export function allotmentRoutes(app: App, deps: Deps): void {
  listRoutes(app, deps);
  createRoute(app, deps);
}

function listRoutes(app: App, deps: Deps): void {
  app.get(
    "/point_allotments",
    {
      config: { scope: "read" },
      schema: {
        tags: ["Point allotments"],
        summary: "Allotments of the store",
        querystring: allotmentQuerySchema,
        response: { 200: allotmentListSchema },
      },
    },
    async (request, reply) => {
      const { rows, end, paging } = await runRead(deps, [request, reply], (from) =>
        listAllotments(from, request.query),
      );
      reply.header("link", linkHeader(deps.config.publicUrl, request.url, paging, end));
      return { data: rows.map(viewAllotment), meta: pagingMeta(paging, end) };
    },
  );

  app.get(
    "/point_allotments/:storefront_customer_id",
    {
      config: { scope: "read" },
      schema: {
        tags: ["Point allotments"],
        summary: "Allotments of a customer",
        params: Type.Object({ storefront_customer_id: customerParam }),
        querystring: customerAllotmentQuerySchema,
        response: { 200: customerAllotmentListSchema },
      },
    },
    async (request, reply) => {
      const { rows, end, paging, balance } = await listCustomerAllotments(
        deps,
        request.params.storefront_customer_id,
        request.query,
      );
      reply.header("link", linkHeader(deps.config.publicUrl, request.url, paging, end));
      const point_balance = viewBalance(balance);
      return { data: rows.map((row) => ({ ...viewAllotment(row), point_balance })), meta: pagingMeta(paging, end) };
    },
  );
}

function createRoute(app: App, deps: Deps): void {
  postDirectly(
    app,
    "/point_allotments",
    {
      config: { scope: "write", documentedHeaders: { Prefer: preferHeader } },
      schema: {
        tags: ["Point allotments"],
        summary: "Create an allotment",
        body: createAllotmentSchema,
        response: { 200: createdAllotmentSchema, 201: createdMinimalSchema },
      },
    },
    (request) =>
      createAllotment(deps, {
        ...request.body,
        customer: String(request.body.customer_id),
        credential: request.credential,
        isMinimal: preferenceOf(request.headers.prefer, "return")?.toLowerCase() === "minimal",
        claim: () => claimFrom(request),
      }),
  );
}
