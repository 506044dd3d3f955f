import { recordAction } from "../audit/record-action.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readBalances } from "../ledger/read/read-balances.ts";
import { publishWatermark } from "../ledger/settled-mark/publish-watermark.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { addDays } from "../time/store-time.ts";
import type { Adjustment, AdjustmentInput } from "./adjustment.ts";
import { type AdjustmentRequest, isAdjustment, newRequest, REQUEST_DAYS } from "./adjustment-request.ts";
import { type Adjusted, type OverLimit, postAdjustment } from "./post-adjustment.ts";
import { readChange } from "./read-change.ts";
import { insertAdjustmentRequest, selectRequest, selectWaitingUndo } from "./request-queries.ts";

export interface AdjustedBalance {
  readonly made: AdjustmentResult;
  readonly points: bigint;
  readonly expiresAt: Temporal.Instant | null;
}

/** Posted, or waiting for a second person. */
type AdjustmentResult =
  | (Adjusted & { readonly kind: "posted" })
  | { readonly kind: "requested"; readonly request: AdjustmentRequest };

/**
 * Adds or takes points, sets the balance or undoes an adjustment in a person's name, once per `requestUid`; above the program's limit it becomes a
 * request. Throws `customer_not_found`, `ambiguous_email`, `invalid`, `not_found` (for what is to be undone), `negative_balance`, `balance_limit`,
 * `idempotency_mismatch`.
 */
export async function adjustPoints(
  deps: Pick<Deps, "db" | "clock" | "random" | "wake" | "config" | "secretBox">,
  named: string,
  input: AdjustmentInput,
  staff: { readonly uid: string; readonly name: string },
): Promise<AdjustedBalance> {
  return deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, named);
    const change = await readChange(tx, customer, input, deps.clock.now());
    const adjustment = {
      uid: input.requestUid,
      customer,
      change,
      extends: input.extends ?? false,
      origin: input.origin ?? null,
      reasonType: input.reasonType ?? null,
      note: input.note ?? null,
      actor: staff.name,
    };
    const asking = { staffUid: staff.uid, storefrontId: customer.storefrontId };
    const made = await makeAdjustment(tx, deps, adjustment, asking);
    const balance = (await readBalances(deps, tx, [customer])).get(customer.customerUid);
    // merges since the request of a balance to set are found by their time
    if (made.kind === "requested" && made.request.kind === "set")
      tx.atCommit(publishWatermark(tx, made.request.requestedAt));
    return { made, points: balance?.points ?? 0n, expiresAt: balance?.expiresAt ?? null };
  });
}

/**
 * Makes an adjustment that a person requested: it is posted at once or, above the person's allowance, stored as a request. The same `uid` again has
 * the same result. Recorded in the audit log. Throws like `postAdjustment`.
 */
async function makeAdjustment(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config" | "secretBox">,
  adjustment: Adjustment,
  { staffUid, storefrontId }: { readonly staffUid: string; readonly storefrontId: string },
): Promise<AdjustmentResult> {
  const { staff, store } = await readProgram(tx);
  const now = deps.clock.now();
  const known = await findRequest(tx, adjustment, staffUid, now);
  if (known !== undefined) return { kind: "requested", request: known };
  const made = await postAdjustment(tx, deps, adjustment, { kind: "own", limits: staff, staffUid });
  const subject = { kind: "customer", id: storefrontId };
  const after = { ...adjustmentFields(adjustment), point_value: made.pointValue };
  if (made.kind === "posted") {
    const action = adjustment.change.kind === "undo" ? "points.adjustment_undone" : "points.adjusted";
    const posted = { ...after, allotment: made.allotmentUid };
    if (!made.isRepeated) await recordAction(tx, deps, { action, subject, after: posted });
    return made;
  }
  // a second simultaneous send has waited for the balance, and finds the first one's request here
  const meanwhile = await findRequest(tx, adjustment, staffUid, now);
  if (meanwhile !== undefined) return { kind: "requested", request: meanwhile };
  const expiresAt = addDays(now, REQUEST_DAYS, store.timeZone);
  const by = { uid: staffUid, name: adjustment.actor };
  const base = newRequest({ uid: adjustment.uid, by, at: now, expiresAt });
  const request = { ...base, ...requestContent(adjustment, made) };
  await insertAdjustmentRequest(tx, request);
  const asked = { ...after, request: request.uid };
  await recordAction(tx, deps, { action: "points.adjustment_requested", subject, after: asked });
  return { kind: "requested", request };
}

/** Returns an earlier request: from this form, or from anybody to undo the same allotment. */
async function findRequest(
  tx: Tx,
  adjustment: Adjustment,
  staffUid: string,
  now: Temporal.Instant,
): Promise<AdjustmentRequest | undefined> {
  const { uid, change } = adjustment;
  const known = await selectRequest(tx, uid);
  if (known !== undefined && !isAdjustment(known)) throw new Problem("idempotency_mismatch");
  if (known !== undefined) return sameRequest(known, adjustment, staffUid);
  return change.kind === "undo" ? selectWaitingUndo(tx, change.of.uid, now) : undefined;
}

function sameRequest(known: AdjustmentRequest, { customer, change }: Adjustment, staffUid: string): AdjustmentRequest {
  const isSame =
    known.requestedBy === staffUid &&
    known.customerUid === customer.customerUid &&
    known.kind === change.kind &&
    (change.kind !== "undo" || change.of.uid === known.undoes) &&
    (change.kind !== "add" || change.pointValue === known.pointValue) &&
    (change.kind !== "set" || change.balance === known.balance);
  if (!isSame) throw new Problem("idempotency_mismatch");
  return known;
}

function requestContent(adjustment: Adjustment, over: OverLimit) {
  const { customer, change, extends: isExtending, origin, reasonType, note } = adjustment;
  return {
    ...{ bucket: customer.bucket, customerUid: customer.customerUid },
    ...{ kind: change.kind, extends: isExtending, origin, reasonType, note },
    ...{ pointValue: over.pointValue, excess: over.excess },
    ...{ earlierPoints: over.earlier, earlierOfDay: over.earlierOfDay },
    balance: change.kind === "set" ? change.balance : null,
    undoes: change.kind === "undo" ? change.of.uid : null,
    allotmentUid: null,
  };
}

/** The fields for the audit log. It is never deleted, so they contain no note, which may name a person. */
function adjustmentFields({ change, reasonType }: Pick<Adjustment, "change" | "reasonType">) {
  const said = { reason_type: reasonType };
  if (change.kind === "set") return { set_balance: change.balance, ...said };
  return change.kind === "undo" ? { undoes: change.of.uid, ...said } : said;
}
