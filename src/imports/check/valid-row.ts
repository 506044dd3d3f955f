import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { TierRule } from "../../program/program.ts";
import { type Standing, type TierUpdate, updateStanding } from "../../tiers/tier-update.ts";
import { issueOf, type RowIssue } from "../issue.ts";
import type { FileRow } from "../read/read-rows.ts";
import type { PointsValues, TierValues } from "../read/row-values.ts";
import type { ValidRow } from "../row-queries.ts";

/** The customer's place, with nothing wanted of it yet. */
function emptyRow({ n, line }: Pick<FileRow, "n" | "line">, { bucket, customerUid }: CustomerRef): ValidRow {
  return {
    bucket,
    customerUid,
    n,
    line,
    pointValue: null,
    extends: null,
    reasonType: null,
    note: null,
    tierUid: null,
    minimumTierUid: null,
    clearsMinimum: null,
    skipNextCheck: null,
  };
}

/** A row of points as it is kept. */
export function validPointsRow(row: FileRow, customer: CustomerRef, values: PointsValues): ValidRow {
  const { pointValue, extends: isExtending, reasonType, note } = values;
  return { ...emptyRow(row, customer), pointValue, extends: isExtending, reasonType, note };
}

/** A row of tiers as it is kept; its tiers are uids. */
export function validTierRow(row: FileRow, customer: CustomerRef, { update }: TierValues): ValidRow {
  return {
    ...emptyRow(row, customer),
    tierUid: update.tier ?? null,
    minimumTierUid: update.minimumTier ?? null,
    clearsMinimum: update.minimumTier === null,
    skipNextCheck: update.skipNextCheck ?? null,
  };
}

/** What a kept row wants of a standing. */
export function updateOf({ tierUid, minimumTierUid, clearsMinimum, skipNextCheck }: ValidRow): TierUpdate {
  return {
    tier: tierUid ?? undefined,
    minimumTier: clearsMinimum ? null : (minimumTierUid ?? undefined),
    skipNextCheck: skipNextCheck ?? undefined,
  };
}

/** The standing after a row, or what is wrong with it: a tier that is gone meanwhile, or one below the floor. */
export function standingAfter(rules: readonly TierRule[], before: Standing, update: TierUpdate): Standing | RowIssue {
  const after = updateStanding(rules, before, update);
  if (!("detail" in after)) return after;
  const known = (uid: string | null | undefined) =>
    uid === null || uid === undefined || rules.some((rule) => rule.uid === uid);
  if (!known(update.tier)) return issueOf("tier_unknown", "tier", update.tier ?? null);
  if (!known(update.minimumTier)) return issueOf("tier_unknown", "minimum_tier", update.minimumTier ?? null);
  const name = rules.find(({ uid }) => uid === update.tier)?.name ?? null;
  return issueOf("tier_below_minimum", "tier", name);
}
