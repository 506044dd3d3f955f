import { expect, test } from "vitest";
import { changedTier, type TierDraft } from "./tier-draft.ts";

const TIERS = ["bronze", "silver"];
const SEEN: TierDraft = { tier: "bronze", minimum_tier: "bronze", skip_next_check: true };

test.each<[changed: Partial<TierDraft>, sent: object | null]>([
  [{}, null],
  [{ tier: "silver" }, { tier: "silver" }],
  [{ minimum_tier: null }, { minimum_tier: null }],
  [{ minimum_tier: "silver" }, { tier: "bronze", minimum_tier: "silver" }],
  [{ skip_next_check: false }, { skip_next_check: false }],
  [
    { tier: "silver", minimum_tier: "silver" },
    { tier: "silver", minimum_tier: "silver" },
  ],
])("a form of a tier in which %j was changed sends just that, or what will be refused", (changed, sent) => {
  expect(changedTier(SEEN, { ...SEEN, ...changed }, TIERS)).toEqual(sent);
});
