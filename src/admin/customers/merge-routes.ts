import type { Static } from "typebox";
import { mergeByHand } from "../../adjustments/merge-by-hand.ts";
import { mergeDigest } from "../../adjustments/merge-digest.ts";
import { previewMerge } from "../../adjustments/preview-merge.ts";
import type { MergeResult, MergeSide } from "../../adjustments/try-merge.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { upcomingExpiries } from "../../ledger/expiry/expiry.ts";
import { formatInstant } from "../../time/store-time.ts";
import { type MergeSideShown, mergeAnswer, mergeBody, mergePreviewAnswer, mergePreviewBody } from "./merge-schema.ts";
import { shownCustomerParams } from "./schema.ts";

const config = { permission: "customers.manage" } as const;

/** Routes for merging two customers by hand, after a preview. */
export function mergeRoutes(app: App, deps: Deps): void {
  const preview = { params: shownCustomerParams, body: mergePreviewBody, response: { 200: mergePreviewAnswer } };
  app.post("/customers/:id/merge-preview", { config, schema: { hide: true, ...preview } }, async (request) => {
    const asked = { kept: request.params.id, removed: request.body.removed, staffUid: request.staff.uid };
    return { data: mergeView(await previewMerge(deps, asked)) };
  });
  const merge = { params: shownCustomerParams, body: mergeBody, response: { 200: mergeAnswer } };
  app.post("/customers/:id/merge", { config, schema: { hide: true, ...merge } }, async (request) => {
    const { uid: staffUid, name: staffName } = request.staff;
    const merged = await mergeByHand(deps, { kept: request.params.id, ...request.body, staffUid, staffName });
    return { data: { id: merged.storefrontId, is_requested: merged.isRequested } };
  });
}

function mergeView(result: MergeResult): Static<typeof mergePreviewAnswer>["data"] {
  const { kept, removed, after } = result;
  return {
    kept: sideView(kept, result),
    removed: sideView(removed, result),
    after: sideView(after, result),
    seen: mergeDigest(result),
    needs_approval: approvalView(result),
  };
}

function approvalView({ over, removed, countedOpen }: MergeResult) {
  if (over === null) return null;
  const { pointValue, excess, earlier, earlierOfDay } = over;
  return {
    points: Number(pointValue),
    moved_points: Number(removed.balance.ledger.ledgerPoints),
    ...(countedOpen > 0n ? { order_points: Number(countedOpen) } : {}),
    excess,
    earlier_points: Number(excess === "day" ? earlierOfDay : earlier),
  };
}

function sideView({ customer, balance, tier, notes }: MergeSide, { rules, now }: MergeResult): MergeSideShown {
  const { ledger, lots } = balance;
  return {
    id: customer.storefrontId,
    name: customer.name,
    name_reading: customer.nameReading,
    email: customer.email,
    birthday: customer.birthday,
    accepts_marketing: customer.acceptsMarketing,
    tags: [...(customer.tags ?? [])],
    available: Number(ledger.ledgerPoints - ledger.heldPoints),
    held: Number(ledger.heldPoints),
    owed: Number(ledger.owedPoints),
    lots: lots.length,
    expiries: upcomingExpiries({ ...ledger, lots }, rules, now).map(({ expiresAt, points }) => ({
      expires_at: formatInstant(expiresAt),
      points: Number(points),
    })),
    tier: tier.tier.name,
    minimum_tier: tier.minimumTier?.name ?? null,
    notes,
  };
}
