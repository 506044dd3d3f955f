import type { ReviewEffect } from "../../orders/review/preview-review.ts";
import type { AppliedProgram } from "../../program/apply-program.ts";
import type { TierMover, TierPreview } from "../../tiers/tier-preview.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { NeededApproval } from "./decide-approval-need.ts";
import type { ExpiryEffect, Touched } from "./expiry-effect.ts";
import type { ListedVersion } from "./list-versions.ts";
import type { MadeChange } from "./make-change.ts";
import type { OrderExample } from "./order-examples.ts";
import type { ProgramEffect } from "./preview-program.ts";
import type { NamedMover } from "./queries.ts";
import type { ProgramNow } from "./read-program-state.ts";
import type {
  ComparedVersion,
  ExpiryEffectView,
  MoverRow as MoverView,
  OrderExampleView,
  ProgramChanged,
  ProgramPreview,
  ProgramState,
  Reevaluation,
  TierEffect,
} from "./schema.ts";

export function versionView({ createdAt, validFrom, approvedBy, ...rest }: ListedVersion): ComparedVersion {
  const { version, author, document, before } = rest;
  const times = { created_at: formatInstant(createdAt), valid_from: timeOrNull(validFrom) };
  return { version, author, approved_by: approvedBy, ...times, document, before };
}

/** The result of a change. The version is the one that applies, which a waiting change does not alter. */
export function changedView(made: MadeChange, baseVersion: number): ProgramChanged {
  if (made.kind === "requested") {
    return {
      state: "waiting",
      request_uid: made.uid,
      version: baseVersion,
      changes: [...made.looked.changes],
      moved: 0,
    };
  }
  const { version, changes, moved } = made.changed;
  return { state: "applied", request_uid: null, version, changes: [...changes], moved };
}

/** The effect of a change; without a change there is none. */
export function programPreviewView(preview: AppliedProgram<ProgramEffect>): ProgramPreview {
  const { version, changes, document, movers, validFrom } = preview;
  return {
    version,
    changes: [...changes],
    document,
    currency: document.store.currency,
    tiers: movers?.tiers ? tierEffectView(movers.tiers, movers.customers) : null,
    expiries: movers?.expiries ? expiryEffectView(movers.expiries) : null,
    orders: (movers?.orders ?? []).map(orderExampleView),
    approval: approvalView(movers?.approval ?? null),
    valid_from: timeOrNull(validFrom),
    judged_again: movers?.review ? reevaluationView(movers.review) : null,
  };
}

function approvalView(approval: NeededApproval | null): ProgramPreview["approval"] {
  return approval === null ? null : { raises: [...approval.raises], other_approvers: approval.otherApprovers };
}

function reevaluationView({ orders, lookedAt, changed, pointsMore, pointsLess }: ReviewEffect): Reevaluation {
  const points = { points_more: Number(pointsMore), points_less: Number(pointsLess) };
  return { orders, looked_at: lookedAt, changed, ...points };
}

function timeOrNull(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

function tierEffectView(effect: TierPreview, customers: ReadonlyMap<string, NamedMover>): TierEffect {
  const moversView = ({ count, first }: TierPreview["now"]) => ({
    count,
    first: first.flatMap((mover) => moverView(mover, customers.get(mover.customerUid))),
  });
  return {
    share: effect.share,
    next_check_at: formatInstant(effect.nextCheckAt),
    tiers: effect.tiers.map(({ name, present, now, atCheck }) => ({ name, present, now, at_check: atCheck })),
    now: moversView(effect.now),
    at_check: moversView(effect.atCheck),
  };
}

function moverView({ from, to, spent }: TierMover, customer: NamedMover | undefined): MoverView[] {
  if (customer === undefined) return [];
  const { storefrontId, name, email } = customer;
  return [{ storefront_id: storefrontId, name, email, from, to, spent: Number(spent) }];
}

function expiryEffectView(effect: ExpiryEffect): ExpiryEffectView {
  return {
    share: effect.share,
    earlier: touchedView(effect.earlier),
    later: touchedView(effect.later),
    graced: touchedView(effect.graced),
    at_once: touchedView(effect.atOnce),
    months: effect.months.map(({ month, before, after }) => ({ month, before: Number(before), after: Number(after) })),
  };
}

function touchedView({ points, balances }: Touched) {
  return { points: Number(points), balances };
}

function orderExampleView(example: OrderExample): OrderExampleView {
  const { at, tier, campaign, collection, collectionName, amountMinor, before, after } = example;
  const points = { before: before === null ? null : Number(before), after: Number(after) };
  const goods = { collection, collection_name: collectionName, amount: Number(amountMinor) };
  return { at: formatInstant(at), tier, campaign, ...goods, ...points };
}

export function programView(state: ProgramNow): ProgramState {
  const { version, author, createdAt, validFrom, document, defaults, now, nextCheckAt } = state;
  const times = {
    valid_from: timeOrNull(validFrom),
    created_at: formatInstant(createdAt),
    now: formatInstant(now),
    next_check_at: formatInstant(nextCheckAt),
  };
  return { version, author, document, defaults, ...times };
}
