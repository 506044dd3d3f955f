import { createHash } from "node:crypto";
import type { ProductFacts } from "../../orders/plan/order-rules.ts";
import type { RecomputedOrder } from "../../orders/review/recompute-order.ts";
import type { RecomputedPoints } from "../../orders/review/recompute-queries.ts";
import type { RecomputedView } from "./schema.ts";

/** The result of a recomputation with a digest of it, which ensures that what is stored is what was shown. */
export function viewRecomputed({ isChanged, before, after, postings, change }: RecomputedOrder): RecomputedView {
  const shown = {
    is_changed: isChanged,
    before: viewSums(before),
    after: viewSums(after),
    postings: postings
      .map(({ cause, type, requested, taken, result }) => ({
        ...{ cause, type, outcome: result },
        wanted: Number(requested),
        taken: Number(taken),
      }))
      .sort((a, b) => (a.cause < b.cause ? -1 : 1)),
    products: change.products.map((one) => ({
      product_id: one.productId,
      before: one.before === null ? null : viewProduct(one.before),
      after: viewProduct(one.after),
    })),
    customer_excluded: change.customerExcluded,
  };
  return { ...shown, digest: createHash("sha256").update(JSON.stringify(shown)).digest("base64url") };
}

function viewSums({ awardablePoints, awardedPoints, redeemedPoints, forgivenPoints }: RecomputedPoints) {
  return {
    awardable_points: Number(awardablePoints),
    points_awarded: Number(awardedPoints),
    points_redeemed: Number(redeemedPoints),
    forgiven_points: Number(forgivenPoints),
  };
}

function viewProduct({ tags, collections }: ProductFacts) {
  return { tags: [...tags], collections: [...collections] };
}
