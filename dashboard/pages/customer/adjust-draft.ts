import type { AdjustmentBody } from "../../../src/admin/customers/schema.ts";

/** The entered values of an adjustment. */
export interface AdjustDraft {
  readonly kind: "add" | "deduct" | "set";
  /** Null: empty or invalid. */
  readonly amount: number | null;
  readonly reason: AdjustmentBody["reason_type"];
  readonly note: string;
  readonly origin: AdjustmentBody["origin"];
  readonly extends: boolean;
}

export const EMPTY_DRAFT: AdjustDraft = {
  kind: "add",
  amount: null,
  reason: "compensation",
  note: "",
  origin: null,
  extends: false,
};

/** Returns the draft for another action. A reason that was not chosen becomes the usual one of that action. */
export function withKind(draft: AdjustDraft, kind: AdjustDraft["kind"]): AdjustDraft {
  const isUsual = draft.reason === usualReason(draft.kind);
  return { ...draft, kind, reason: isUsual ? usualReason(kind) : draft.reason };
}

/** Points are given to compensate for something; they are taken, or a balance is set, to correct it. */
function usualReason(kind: AdjustDraft["kind"]): AdjustDraft["reason"] {
  return kind === "add" ? "compensation" : "system_fix";
}

/** Returns the change of the draft as the service accepts it; null: it is incomplete. */
export function changeOf({ kind, amount }: AdjustDraft): { point_value: number } | { balance: number } | null {
  if (amount === null) return null;
  if (kind === "set") return { balance: amount };
  return amount === 0 ? null : { point_value: kind === "add" ? amount : -amount };
}

/** Returns the body of the request; the uid is the same while the form is open, so that two clicks are one adjustment. */
export function bodyOf(draft: AdjustDraft, requestUid: string): AdjustmentBody | null {
  const change = changeOf(draft);
  if (change === null) return null;
  const mayAdd = draft.kind !== "deduct";
  return {
    request_uid: requestUid,
    ...change,
    reason_type: draft.reason ?? null,
    note: draft.note.trim() === "" ? null : draft.note.trim(),
    extends_expiration: mayAdd && draft.extends,
    origin: mayAdd ? (draft.origin ?? null) : null,
  };
}
