import { createHash } from "node:crypto";
import type { MergeResult, MergeSide } from "./try-merge.ts";

/** A digest of the merge that a person is shown. Any other result has another digest. */
export function mergeDigest({ kept, removed, after }: MergeResult): string {
  return createHash("sha256")
    .update(JSON.stringify([kept, removed, after].map(shownValues)))
    .digest("hex");
}

function shownValues({ customer, balance, tier, notes }: MergeSide): unknown[] {
  const { storefrontId, email, name, nameReading, birthday, acceptsMarketing, tags } = customer;
  const { ledgerPoints, heldPoints, owedPoints } = balance.ledger;
  const lots = balance.lots.map(({ remaining, expiresAt, since }) => [String(remaining), expiresAt, since]);
  return [
    [storefrontId, email, name, nameReading, birthday, acceptsMarketing, tags],
    [ledgerPoints, heldPoints, owedPoints].map(String),
    lots.map((lot) => JSON.stringify(lot)).sort(),
    [tier.tier.uid, tier.minimumTier?.uid ?? null, tier.skipNextCheck, notes],
  ];
}
