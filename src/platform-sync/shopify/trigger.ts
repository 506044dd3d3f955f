import type { TriggerHandle } from "../../platforms/shopify/admin/flow-trigger.ts";
import type { Program } from "../../program/program.ts";
import { defaultTier } from "../../tiers/tier-rules.ts";
import { formatInstant } from "../../time/store-time.ts";

/** A change that starts workflows, with its data. */
export interface Trigger {
  readonly uid: string;
  readonly kind: "points" | "tier";
  readonly bucket: number;
  readonly customerUid: string;
  readonly storefrontId: string;
  readonly happenedAt: Temporal.Instant;
  readonly attempts: number;
  /** For a change of tier. */
  readonly fromUid: string | null;
  readonly toUid: string | null;
  readonly fromName: string | null;
  readonly toName: string | null;
  /** For an allotment. */
  readonly pointValue: bigint | null;
  readonly balanceAfter: bigint | null;
  readonly type: string | null;
  readonly sourceKey: string | null;
  readonly parent: string | null;
  readonly object: string | null;
}

/** A workflow that starts a day late would do harm. */
const FRESH_HOURS = 24;
const ATTEMPTS_MAX = 20;

/** Whether the trigger is still worth sending. */
export function isWorthSending({ happenedAt, attempts }: Trigger, now: Temporal.Instant): boolean {
  const isFresh = Temporal.Instant.compare(happenedAt.add({ hours: FRESH_HOURS }), now) > 0;
  return isFresh && attempts <= ATTEMPTS_MAX;
}

export function triggerHandle({ kind }: Trigger): TriggerHandle {
  return kind === "points" ? "point-balance-updated" : "tier-changed";
}

/** Ids of the platform are numbers in its workflows. */
function customerField(storefrontId: string): { readonly customer_id: number | string } {
  const number = Number(storefrontId);
  return { customer_id: Number.isSafeInteger(number) ? number : storefrontId };
}

/** The fields of "point balance updated": the allotment and the customer's state (platforms.md 2). */
export function pointsPayload(
  { storefrontId, pointValue, balanceAfter, type, sourceKey, parent, object }: Trigger,
  shown: { readonly tier: string; readonly expiresAt: Temporal.Instant | null },
) {
  const reward = type === "reward" ? /^reward\/([^/]+)\//.exec(sourceKey ?? "")?.[1] : undefined;
  return {
    ...customerField(storefrontId),
    "point value": Number(pointValue ?? 0n),
    "point type": type ?? "",
    "reward type": reward ?? "",
    "reference id": (parent ?? object ?? "").replace(/^(?:order|line_item)-/, ""),
    tier: shown.tier,
    "expires at": shown.expiresAt === null ? "" : formatInstant(shown.expiresAt),
    balance: Number(balanceAfter ?? 0n),
  };
}

/** The fields of "tier changed": the tier before and after, with their names at that time. */
export function tierPayload(trigger: Trigger, { rules }: Program["tiers"]) {
  const before = tierFields(rules, trigger.fromUid, trigger.fromName);
  const after = tierFields(rules, trigger.toUid, trigger.toName);
  return {
    ...customerField(trigger.storefrontId),
    "previous tier": before.name,
    "previous requirement": before.requirement,
    "previous tier id": before.uid,
    "current tier": after.name,
    "current requirement": after.requirement,
    "current tier id": after.uid,
  };
}

function tierFields(rules: Program["tiers"]["rules"], uid: string | null, name: string | null) {
  const rule = uid === null ? defaultTier(rules) : rules.find((one) => one.uid === uid);
  return {
    name: name ?? rule?.name ?? "",
    requirement: Number(rule?.currencySpentRequirement ?? 0n),
    uid: uid ?? rule?.uid ?? "",
  };
}
