import type { AdjustedBalance } from "../../adjustments/adjust-points.ts";
import { DASHBOARD, MANUAL_KEY } from "../../adjustments/adjustment.ts";
import { type AdjustmentRequest, requestStateAt } from "../../adjustments/adjustment-request.ts";
import type { AdjustmentPreview as Preview } from "../../adjustments/preview-adjustment.ts";
import type { CustomerRequest } from "../../adjustments/request-queries.ts";
import type { CustomerRow as StoredCustomer } from "../../customers/customer.ts";
import { platformFields } from "../../customers/profile/profile-edit.ts";
import type { AllotmentExplanation } from "../../explain/explanation.ts";
import type { OrderNames } from "../../explain/read-order-names.ts";
import { undoneOf } from "../../explain/undone-of.ts";
import type { TierRecord } from "../../tiers/read-tier.ts";
import { presentTier } from "../../tiers/tier-update.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { CustomersPage } from "./list-customers.ts";
import type { ListedCustomer, TimelineRow } from "./queries.ts";
import type { CustomerPage } from "./read-customer.ts";
import type {
  AdjustedPoints,
  CustomerHead,
  CustomerTier,
  Explanation,
  ListedCustomerRow,
  ShownAdjustmentPreview,
  TimelineEntry,
} from "./schema.ts";

export function timeOrNull(at: Temporal.Instant | null | undefined): string | null {
  return at === null || at === undefined ? null : formatInstant(at);
}

export function customerRowView(
  row: ListedCustomer,
  { balances, program }: Pick<CustomersPage, "balances" | "program">,
): ListedCustomerRow {
  const balance = balances.get(row.customerUid);
  return {
    id: row.storefrontId,
    uid: row.customerUid,
    name: row.name,
    email: row.email,
    tier: row.deletedAt === null ? presentTier(program.tiers.rules, row.tierUid).name : null,
    points: Number(balance?.points ?? 0n),
    expires_at: timeOrNull(balance?.expiresAt),
    last_activity_at: timeOrNull(row.lastAllottedAt),
    created_at: formatInstant(row.createdAt),
    deleted_at: timeOrNull(row.deletedAt),
  };
}

/** The head of a customer's page. */
export function customerHeadView({ customer, settled, tier, ...page }: CustomerPage): CustomerHead {
  const { ledgerPoints, heldPoints, owedPoints } = settled.ledger;
  return {
    id: customer.storefrontId,
    uid: customer.customerUid,
    name: customer.name,
    name_reading: customer.nameReading,
    email: customer.email,
    birthday: customer.birthday,
    accepts_marketing: customer.acceptsMarketing,
    unsubscribed_at: timeOrNull(customer.unsubscribedAt),
    account_enabled: customer.accountEnabled,
    tags: [...(customer.tags ?? [])],
    platform_fields: platformFields(customer),
    created_at: formatInstant(customer.createdAt),
    deleted_at: timeOrNull(customer.deletedAt),
    balance: {
      available: Number(ledgerPoints - heldPoints),
      held: Number(heldPoints),
      owed: Number(owedPoints),
      expires_at: timeOrNull(settled.expiresAt),
      delay_months: page.delayMonths,
    },
    expiries: settled.expiries.map(({ expiresAt, points }) => ({
      expires_at: formatInstant(expiresAt),
      points: Number(points),
    })),
    tier: tier === null ? null : tierView(tier),
    merged: page.merged.map(mergedView),
    waiting: page.waiting.map((request) => waitingView(request, customer)),
    notes: page.notes,
    sales: {
      orders: Number(page.sales.orders),
      revenue_minor: Number(page.sales.revenue),
      last_at: timeOrNull(page.sales.lastAt),
    },
  };
}

function mergedView({ storefrontId, customerUid, deletedAt, createdAt }: StoredCustomer) {
  return { id: storefrontId, uid: customerUid, merged_at: formatInstant(deletedAt ?? createdAt) };
}

function waitingView(request: CustomerRequest, { customerUid }: StoredCustomer): CustomerHead["waiting"][number] {
  const merge = request.kind === "merge" ? request : null;
  const isKept = request.customerUid === customerUid;
  return {
    uid: request.uid,
    kind: request.kind,
    point_value: Number(request.pointValue),
    balance: request.kind === "merge" || request.balance === null ? null : Number(request.balance),
    undoes: request.kind === "merge" ? null : request.undoes,
    removed_id: isKept ? (merge?.removedId ?? null) : null,
    kept_id: isKept ? null : (merge?.keptId ?? null),
    requested_name: request.requestedName,
    requested_at: formatInstant(request.requestedAt),
  };
}

function tierView({ tier, minimumTier, skipNextCheck, keptTier, advancement, spent }: TierRecord): CustomerTier {
  return {
    uid: tier.uid,
    name: tier.name,
    minimum_tier_uid: minimumTier?.uid ?? null,
    minimum_tier: minimumTier?.name ?? null,
    skip_next_check: skipNextCheck,
    kept_tier: keptTier?.tier.name ?? null,
    kept_until: timeOrNull(keptTier?.until),
    deadline: formatInstant(advancement.deadline),
    spent: Number(spent),
    next_uid: advancement.next?.rule.uid ?? null,
    to_keep: Number(advancement.maintenance.remaining),
    tiers: advancement.tiers.map(({ rule, remaining }) => ({
      uid: rule.uid,
      name: rule.name,
      requirement: Number(rule.currencySpentRequirement),
      remaining: Number(remaining),
    })),
  };
}

/** A row of a customer's timeline. An adjustment that a person made can be undone once. */
export function ledgerRowView(row: TimelineRow, names: ReadonlyMap<string, OrderNames>): TimelineEntry {
  const isAdjustment = row.appReference === DASHBOARD && row.sourceKey.startsWith(MANUAL_KEY);
  return {
    uid: row.uid,
    version: Number(row.version),
    type: row.type,
    point_value: Number(row.pointValue),
    balance_after: Number(row.balanceAfter),
    allotted_at: formatInstant(row.allottedAt),
    app_reference: row.appReference,
    object: row.object,
    parent: row.parent,
    order_name: names.get(row.uid)?.orderName ?? null,
    action: row.action,
    origin: row.origin,
    reason_type: row.reasonType,
    earned_at: timeOrNull(row.earnedAt),
    own_date: timeOrNull(row.ownDate),
    note: row.note,
    actor: row.actor,
    approved_by: row.approvedBy,
    extends_expiration: row.extends,
    undone_by: row.undoneBy,
    undoes: undoneOf(row),
    can_undo: isAdjustment && row.undoneBy === null && row.pointValue !== 0n,
  };
}

/** The explanation of an allotment in sentences. */
export function allotmentExplanationView(
  { allotment, order }: AllotmentExplanation,
  words: readonly string[],
): Explanation {
  return {
    words: [...words],
    point_value: Number(allotment.pointValue),
    order_id: order?.orderId ?? null,
    order_name: order?.kept.orderName ?? null,
  };
}

/** The effect of an adjustment. */
export function adjustmentPreviewView(preview: Preview): ShownAdjustmentPreview {
  return {
    point_value: Number(preview.pointValue),
    missing: Number(preview.missing),
    expired: Number(preview.expired),
    balance_before: Number(preview.before.points),
    balance_after: Number(preview.after.points),
    expires_before: timeOrNull(preview.before.expiresAt),
    expires_after: timeOrNull(preview.after.expiresAt),
    needs_approval: preview.excess !== null,
    excess: preview.excess,
    earlier_points: Number(preview.earlier),
    earlier_of_day: Number(preview.earlierOfDay),
    refusal: preview.refusal,
  };
}

/** The result of an adjustment: posted, or a request for a second person, which may already be decided if it was sent again. */
export function adjustedView({ made, points, expiresAt }: AdjustedBalance, now: Temporal.Instant): AdjustedPoints {
  const balance = { balance: Number(points), expires_at: timeOrNull(expiresAt) };
  if (made.kind === "requested") return { ...requestedView(made.request, now), ...balance };
  const { allotmentUid, pointValue, missing } = made;
  const posted = { allotment_uid: allotmentUid, point_value: Number(pointValue), missing: Number(missing) };
  return { state: "posted", request_uid: null, ...posted, ...balance };
}

function requestedView(request: AdjustmentRequest, now: Temporal.Instant) {
  const state = requestStateAt(request, now);
  return {
    state: state === "approved" ? ("posted" as const) : state, // cast: the only state with another name here
    allotment_uid: request.allotmentUid,
    request_uid: request.uid,
    point_value: Number(request.pointValue),
    missing: 0,
  };
}
