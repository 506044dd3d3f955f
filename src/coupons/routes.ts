import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runIdempotent } from "../http/run-idempotent.ts";
import { cancelCoupon } from "./cancel-coupon.ts";
import { issueCoupon } from "./issue-coupon.ts";
import { readCoupon } from "./read-coupon.ts";
import { couponAnswerSchema, couponParams, newCouponSchema } from "./schema.ts";
import { couponView } from "./view.ts";

/** `POST /coupons`, `GET` and `DELETE /coupons/:code` (program.md 2, Coupons). */
export function couponRoutes(app: App, deps: Deps): void {
  const shape = { params: couponParams, response: { 200: couponAnswerSchema } };
  app.post(
    "/coupons",
    {
      config: { scope: "write" },
      schema: {
        tags: ["Coupons"],
        summary: "Issue a coupon",
        description: "Takes its points at once; they come back when it is deleted or expires without having been used.",
        body: newCouponSchema,
        response: { 200: couponAnswerSchema },
      },
    },
    async (request, reply) => {
      const { customer_id, point_value, product_ids } = request.body;
      const wanted = {
        customer: String(customer_id),
        pointValue: BigInt(point_value),
        productIds: product_ids?.map(String) ?? null,
        appReference: request.credential.name,
      };
      return runIdempotent(deps, request, reply, async (tx) => {
        return { status: 200, body: couponView(await issueCoupon(tx, deps, wanted)) };
      });
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
      return couponView(await deps.db.tx((tx) => cancelCoupon(tx, deps, cancelled)));
    },
  );
}
