import type { AccountKind } from "../wire/account-kinds.ts";

/** `[condition, kind]`; the first condition that is true decides; `a` is the allotment. */
const RULES: readonly (readonly [string, AccountKind])[] = [
  ["a.source_key like 'owed/%'", "debt"],
  ["a.type in ('fulfillment', 'tax')", "order"],
  ["a.type = 'refund'", "refund"],
  ["a.type in ('coupon_reimbursement', 'coupon_cancellation')", "coupon_return"],
  ["a.type = 'expiration'", "expiration"],
  ["a.type = 'deletion'", "deletion"],
  ["a.type = 'reward' and a.object = 'reward-1'", "signup"],
  ["a.type = 'reward' and a.object = 'reward-2'", "newsletter"],
  ["a.type = 'reward' and a.object = 'reward-3'", "birthday"],
  ["a.type = 'manual' and a.source_key like 'undo/%'", "undo"],
  ["a.type = 'manual' and a.object like 'balance-%'", "merge"],
  ["a.type = 'csv' and a.origin = 'migration'", "moved_in"],
  ["a.point_value < 0 and (a.object like 'coupon-%' or a.reason_type = 'coupon')", "coupon"],
  ["a.point_value < 0 and a.object like 'reservation-%'", "reservation"],
  ["a.object like 'review-%' or (a.reason_type = 'reward' and a.app_reference ~* 'review|レビュー')", "review"],
  ["a.type = 'reward' or a.reason_type = 'reward'", "reward"],
  ["a.reason_type = 'compensation'", "compensation"],
  ["a.reason_type in ('system_fix', 'test_allotment')", "correction"],
  ["a.type = 'manual'", "manual"],
  ["a.type = 'csv'", "import"],
  ["a.type = 'flow'", "workflow"],
];

/** Whether an allotment `a` undoes a row of an import; one of another app's points counts as these. */
export const UNDOES_IMPORT =
  "a.type = 'csv' and a.source_key like 'csv_undo/%' and a.origin is distinct from 'migration'";

const kindBy = (rules: typeof RULES) => `case
  ${rules.map(([condition, kind]) => `when ${condition} then '${kind}'`).join("\n  ")}
  else 'other'
end`;

/** SQL for the kind of an allotment `a`. */
export const ACCOUNT_KIND_OF = kindBy([[UNDOES_IMPORT, "undo"], ...RULES]);

/** The kind by which sums are stored: what undoes an import has the kind of its row. If a rule changes, the stored rows must be deleted. */
export const STORED_KIND_OF = kindBy(RULES);
