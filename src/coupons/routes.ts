import type { FastifyRequest } from "fastify";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runIdempotent } from "../http/idempotency/run-idempotent.ts";
import { cancelCoupon } from "./cancel-coupon.ts";
import type { CouponStanding } from "./coupon.ts";
import type { NewCoupon } from "./coupon-draft.ts";
import { readCoupon } from "./coupon-queries.ts";
import { issueCoupon } from "./issue-coupon.ts";
import { couponAnswerSchema, couponParams, newCouponSchema } from "./schema.ts";
import { couponView } from "./view.ts";

/** How coupons are issued and cancelled: with the platform or without it. */
export interface CouponVerbs {
  /** Does the work outside the transaction; returns a function that issues the coupon inside it. */
  issue(request: FastifyRequest, input: NewCoupon): Promise<(tx: Tx) => Promise<CouponStanding>>;
  cancel(cancelled: { readonly code: string; readonly appReference: string }): Promise<CouponStanding>;
}

/** Returns how coupons are issued and cancelled if no platform has to be informed. */
export function couponVerbsAlone(deps: Deps): CouponVerbs {
  return {
    issue: async (_, input) => (tx) => issueCoupon(tx, deps, input),
    cancel: (cancelled) => deps.db.tx((tx) => cancelCoupon(tx, deps, cancelled)),
  };
}

/** Registers `POST /coupons`, `GET` and `DELETE /coupons/:code` (program.md 2, Coupons). */
export function couponRoutes(app: App, deps: Deps, verbs: CouponVerbs = couponVerbsAlone(deps)): void {
  const shape = { params: couponParams, response: { 200: couponAnswerSchema } };
  app.post(
    "/coupons",
    {
      config: { scope: "write" },
      schema: {
        tags: ["Coupons"],
        summary: "Issue a coupon",
        description: "Takes its points immediately; they are returned when it is deleted or expires unused.",
        body: newCouponSchema,
        response: { 200: couponAnswerSchema },
      },
    },
    async (request, reply) => {
      const { customer_id, point_value, product_ids } = request.body;
      const input = {
        customer: String(customer_id),
        pointValue: BigInt(point_value),
        productIds: product_ids?.map(String) ?? null,
        appReference: request.credential.name,
      };
      const issue = await verbs.issue(request, input);
      return runIdempotent(deps, request, reply, async (tx) => ({ status: 200, body: couponView(await issue(tx)) }));
    },
  );

  app.get(
    "/coupons/:code",
    { config: { scope: "read" }, schema: { tags: ["Coupons"], summary: "Read a coupon", ...shape } },
    async (request) => couponView(await readCoupon(deps.db, request.params.code)),
  );

  app.delete(
    "/coupons/:code",
    { config: { scope: "write" }, schema: { tags: ["Coupons"], summary: "Delete an unused coupon", ...shape } },
    async (request) => {
      const cancelled = { code: request.params.code, appReference: request.credential.name };
      return couponView(await verbs.cancel(cancelled));
    },
  );
}
