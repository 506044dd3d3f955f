import { Type } from "typebox";
import { findCustomer } from "../../customers/find-customer.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { customerParam } from "../../http/customer-ref.ts";
import { claimFrom } from "../../http/idempotency/idempotency.ts";
import { sendAnswer } from "../../http/send-answer.ts";
import { readBalance } from "./read-balance.ts";
import { readExpiries } from "./read-expiries.ts";
import {
  balanceAnswerSchema,
  balanceQuerySchema,
  expiriesAnswerSchema,
  setBalanceAnswerSchema,
  setBalanceSchema,
} from "./schema.ts";
import { setBalance } from "./set-balance.ts";
import { viewBalance, viewExpiries } from "./view.ts";

/** Registers the routes of interface.md 4.5 and 4.7, in every spelling that it uses, and the upcoming expiries. */
export function balanceRoutes(app: App, deps: Deps): void {
  readRoutes(app, deps);
  setRoutes(app, deps);
}

function readRoutes(app: App, deps: Deps): void {
  for (const spelling of ["point_balances", "point_balance"]) {
    app.get(
      `/${spelling}/:storefront_customer_id`,
      {
        config: { scope: "read" },
        schema: {
          tags: ["Point balances"],
          summary: "Point balance of a customer",
          hide: spelling !== "point_balances",
          params: Type.Object({ storefront_customer_id: customerParam }),
          querystring: balanceQuerySchema,
          response: { 200: balanceAnswerSchema },
        },
      },
      async (request) => ({
        data: viewBalance(await readBalance(deps, request.params.storefront_customer_id, request.query.as_of)),
      }),
    );

    app.get(
      `/${spelling}/:storefront_customer_id/expiries`,
      {
        config: { scope: "read" },
        schema: {
          tags: ["Point balances"],
          summary: "Upcoming expiries of a customer",
          description:
            "The available points by expiry date, soonest first, without points that never expire. Points on hold are counted as those that expire soonest.",
          params: Type.Object({ storefront_customer_id: customerParam }),
          response: { 200: expiriesAnswerSchema },
          hide: spelling !== "point_balances",
        },
      },
      async (request) => {
        const customer = await findCustomer(deps.db, request.params.storefront_customer_id);
        return viewExpiries(await readExpiries(deps, customer));
      },
    );
  }
}

function setRoutes(app: App, deps: Deps): void {
  for (const balances of ["point_balances", "point_balance"]) {
    for (const spelling of ["set_balances", "set_balance"]) setRoute(app, deps, { balances, spelling });
  }
}

function setRoute(app: App, deps: Deps, { balances, spelling }: { balances: string; spelling: string }): void {
  app.post(
    `/${balances}/:customer_storefront_id/${spelling}`,
    {
      config: { scope: "write" },
      schema: {
        tags: ["Point balances"],
        summary: "Set a point balance",
        hide: balances !== "point_balances" || spelling !== "set_balances",
        params: Type.Object({ customer_storefront_id: customerParam }),
        body: setBalanceSchema,
        response: { 200: setBalanceAnswerSchema },
      },
    },
    async (request, reply) => {
      const answer = await setBalance(deps, {
        customer: request.params.customer_storefront_id,
        balance: request.body.balance,
        credential: request.credential,
        claim: () => claimFrom(request),
      });
      return sendAnswer(reply, answer);
    },
  );
}
