import type { CustomerRow } from "../../customers/customer.ts";
import { isMemberId } from "../../customers/member-id.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { TierRule } from "../../program/program.ts";
import { type TierAssignment, type TierUpdate, updateAssignment } from "../../tiers/tier-update.ts";
import { issueOf, type RowIssue, type StoredIssue } from "../issue.ts";
import type { HistoryValues, SpendValues } from "../read/activity-values.ts";
import type { FileRow } from "../read/read-rows.ts";
import type { DateReading, PointsValues, TierValues } from "../read/row-values.ts";
import type { ValidRow } from "../row-queries.ts";

/** Rows of a file that are checked together. */
export interface CheckBatch {
  /** The number of the batch in the file. */
  readonly at: number;
  readonly rows: readonly FileRow[];
  /** The number of cells of the header; null: there is none. */
  readonly headerCount: number | null;
  readonly rules: readonly TierRule[];
  readonly dates: DateReading;
}

/** The result of a check: the rows to store, and the issues of the others. */
export interface CheckedRows<Valid> {
  readonly valid: readonly Valid[];
  readonly issues: readonly StoredIssue[];
}

/** Returns a row for the customer, without values. */
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
    expiresAt: null,
    tierUid: null,
    minimumTierUid: null,
    clearsMinimum: null,
    skipNextCheck: null,
    datedAt: null,
    spentMinor: null,
    entry: null,
  };
}

/** Returns a row of points as it is stored. */
export function validPointsRow(row: FileRow, customer: CustomerRef, values: PointsValues): ValidRow {
  const { extends: isExtending, reasonType, note, expiresAt, earnedAt: datedAt } = values;
  const pointValue = values.pointValue === 0n ? null : values.pointValue;
  return { ...emptyRow(row, customer), pointValue, extends: isExtending, reasonType, note, expiresAt, datedAt };
}

/** Returns a row of spend as it is stored. */
export function validSpendRow(row: FileRow, customer: CustomerRef, { spentMinor, happenedAt }: SpendValues): ValidRow {
  return { ...emptyRow(row, customer), spentMinor, datedAt: happenedAt };
}

/** Returns a row of history as it is stored. */
export function validHistoryRow(row: FileRow, customer: CustomerRef, values: HistoryValues): ValidRow {
  const { points: pointValue, happenedAt: datedAt, entry, note } = values;
  return { ...emptyRow(row, customer), pointValue, datedAt, entry, note };
}

/** Returns a row of tiers as it is stored, with uids of tiers. */
export function validTierRow(row: FileRow, customer: CustomerRef, { update, keepUntil }: TierValues): ValidRow {
  return {
    ...emptyRow(row, customer),
    tierUid: update.tier ?? null,
    minimumTierUid: update.minimumTier ?? null,
    clearsMinimum: update.minimumTier === null,
    skipNextCheck: update.skipNextCheck ?? null,
    datedAt: keepUntil,
  };
}

/** Returns the change of a standing for a stored row. */
export function updateOf({ tierUid, minimumTierUid, clearsMinimum, skipNextCheck }: ValidRow): TierUpdate {
  return {
    tier: tierUid ?? undefined,
    minimumTier: clearsMinimum ? null : (minimumTierUid ?? undefined),
    skipNextCheck: skipNextCheck ?? undefined,
  };
}

/** Returns the standing after a row, or its issue: the tier no longer exists, or is below the floor. */
export function standingAfter(
  rules: readonly TierRule[],
  before: TierAssignment,
  update: TierUpdate,
): TierAssignment | RowIssue {
  const after = updateAssignment(rules, before, update);
  if (!("detail" in after)) return after;
  const known = (uid: string | null | undefined) =>
    uid === null || uid === undefined || rules.some((rule) => rule.uid === uid);
  if (!known(update.tier)) return issueOf("tier_unknown", "tier", update.tier ?? null);
  if (!known(update.minimumTier)) return issueOf("tier_unknown", "minimum_tier", update.minimumTier ?? null);
  const name = rules.find(({ uid }) => uid === update.tier)?.name ?? null;
  return issueOf("tier_below_minimum", "tier", name);
}

/** Whether an e-mail belongs to another customer, and not also to this one. `byEmail`: at most two holders of each. */
export function isEmailTaken(
  email: string,
  customer: CustomerRow | undefined,
  byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>,
): boolean {
  if (customer?.email === email) return false;
  return (byEmail.get(email) ?? []).some(({ customerUid }) => customerUid !== customer?.customerUid);
}

/**
 * Whether a row gives a member who is known only by e-mail another address, which would lead whoever has it to the points (decision 88). A deleted one has
 * none of either.
 */
export function isOtherAddress(email: string | null | undefined, customer: CustomerRow | undefined): boolean {
  if (email === null || email === undefined || customer === undefined) return false;
  return isMemberId(customer.storefrontId) && customer.deletedAt === null && customer.email !== email;
}
