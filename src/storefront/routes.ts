import type { FastifyRequest } from "fastify";
import type { CouponStanding } from "../coupons/coupon.ts";
import type { CouponVerbs } from "../coupons/routes.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { allowOrigins } from "../http/access/allow-origins.ts";
import type { App } from "../http/app-type.ts";
import { runIdempotent } from "../http/idempotency/run-idempotent.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { previewCart } from "./preview-cart.ts";
import { readSummary } from "./read-summary.ts";
import { cartAnswer, cartBody, redemptionAnswer, redemptionBody, summaryAnswer } from "./schema.ts";
import { cartView, redeemedView, summaryView } from "./view.ts";

export interface StorefrontParts {
  readonly coupons: CouponVerbs;
  readonly isAllowedOrigin: (origin: string) => Promise<boolean>;
}

const tags = ["Storefront"];
const BODY_BYTES = 262_144;
/** Unused coupons that a customer may have when redeeming for another one. */
const UNUSED_COUPONS_MAX = 50;

/** `/api/customer`: what a page of the shop requests for one customer, with a token that the store's server signed (docs/widget.md). */
export function storefrontRoutes(app: App, deps: Deps, { coupons, isAllowedOrigin }: StorefrontParts): void {
  allowOrigins(app, isAllowedOrigin);

  app.get(
    "/summary",
    {
      config: { customer: "read" },
      schema: { tags, summary: "Points and tier of the token's customer", response: { 200: summaryAnswer } },
    },
    async ({ customer }) => summaryView(await readSummary(deps, customer.customerId), customer.scopes),
  );

  app.post(
    "/cart",
    {
      config: { customer: "read" },
      bodyLimit: BODY_BYTES,
      schema: {
        tags,
        summary: "Points that a product or cart would earn the token's customer",
        description: "Writes nothing. Uses the function of `POST /orders/preview`, which also awards points.",
        body: cartBody,
        response: { 200: cartAnswer },
      },
    },
    async ({ customer, body }) => cartView(await previewCart(deps, customer.customerId, body), body),
  );

  app.post(
    "/coupons",
    {
      config: { customer: "redeem", needsKey: true },
      bodyLimit: BODY_BYTES,
      schema: {
        tags,
        summary: "Redeem points of the token's customer for a coupon",
        description:
          "Needs an `Idempotency-Key`, so that a repeated request redeems only once. A customer with 50 unused coupons gets no more.",
        body: redemptionBody,
        response: { 200: redemptionAnswer },
      },
      preValidation: async (request) => needKey(request),
    },
    async (request, reply) => {
      const input = {
        customer: request.customer.customerId,
        pointValue: BigInt(request.body.points),
        productIds: null,
        appReference: request.credential.name,
        unusedMax: UNUSED_COUPONS_MAX,
      };
      const issue = await coupons.issue(request, input);
      const { store } = await readProgram(deps.db);
      return runIdempotent(deps, request, reply, async (tx) => ({
        status: 200,
        body: { data: redeemedView(await issued(tx, issue), store.currency) },
      }));
    },
  );
}

function needKey({ headers }: FastifyRequest): void {
  if (headers["idempotency-key"] !== undefined) return;
  const detail = "expected a key of 1 to 255 characters, one for each time that the customer redeems";
  throw new Problem("invalid", { faults: [{ parameter: "Idempotency-Key", detail }] });
}

/** An unknown customer has no points, like a new one. */
async function issued(tx: Tx, issue: (tx: Tx) => Promise<CouponStanding>): Promise<CouponStanding> {
  try {
    return await issue(tx);
  } catch (error) {
    if (error instanceof Problem && error.code === "customer_not_found") throw new Problem("negative_balance");
    throw error;
  }
}
