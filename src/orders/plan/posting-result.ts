import { type Change, type Outcome, type Posting, plainPosting } from "../../ledger/posting.ts";
import {
  type AssignedPosting,
  addRow,
  type CappedPosting,
  cappedPosting,
  givenVersions,
  integrationName,
  type OrderPostingRow,
  type StoreOrder,
  sumRows,
} from "../store-order.ts";

/** Returns the ledger's form of a posting that an order requests (program.md 4, Allotments). `rows`: the order's earlier postings. */
export function ledgerPosting(
  owned: CappedPosting,
  order: StoreOrder,
  { uid, rows }: { readonly uid: string; readonly rows: readonly OrderPostingRow[] },
): Posting {
  const { planned, customer } = owned;
  const earns = planned.pointValue > 0n && planned.giveBack === null;
  return {
    ...plainPosting(uid, planned.type, integrationName(order.platform), changeOf(owned)),
    sourceKey: planned.key,
    object: planned.object,
    parent: planned.parent,
    action: planned.action,
    cascade: planned.cascade,
    origin: earns ? "sale" : null,
    reasonType: planned.reasonType,
    extends: earns ? "credit" : "never",
    drawFirst: planned.drawsOwnLots ? givenVersions(rows, customer) : (owned.again?.versions ?? []),
  };
}

function changeOf({ planned, customer, returned, cappedPoints: pointValue }: CappedPosting): Change {
  const { giveBack, shortfall } = planned;
  if (giveBack === null) return { kind: "add", pointValue, shortfall: shortfall ?? "refuse" };
  const ofVersion = returned?.version ?? null;
  if (returned === null || ofVersion === null)
    throw new Error(`coupon ${planned.couponUid} cost nothing that could come back`);
  const isOwn = returned.customer.customerUid === customer.customerUid;
  return { kind: "give_back", pointValue, ofVersion, skip: giveBack.skip, ...(isOwn ? {} : { of: returned.customer }) };
}

/** An allotment that the same order posted earlier under the same key. */
export type ClaimedPosting = Pick<OrderPostingRow, "customer" | "version" | "taken">;

/**
 * Returns the row of a posting: how much of the requested points its balance gave or took. `claimed`: if the key was counted before, the order's own
 * allotment with that key; undefined if something else has the key.
 */
export function postingRow(
  { planned, customer, cappedPoints, takenElsewhere }: CappedPosting,
  outcome: Outcome | undefined,
  claimed: ClaimedPosting | undefined,
): OrderPostingRow {
  const requested = planned.pointValue;
  const row = { cause: planned.key, type: planned.type, customer, requested, version: null, taken: 0n, takenElsewhere };
  const shortResult = requested > 0n ? "set_off" : "capped";
  if (cappedPoints === 0n) return { ...row, result: shortResult };
  switch (outcome?.kind) {
    case "posted":
    case "nothing": {
      const { version, pointValue: taken } = outcome.kind === "posted" ? outcome : { version: null, pointValue: 0n };
      const owed = planned.shortfall === "owe" ? taken - cappedPoints : 0n;
      if (owed > 0n) return { ...row, version, taken, takenElsewhere: owed, result: "owed" };
      return { ...row, version, taken, result: taken === requested ? "posted" : shortResult };
    }
    case "refused":
      return { ...row, result: "refused" };
    case "duplicate":
      return claimed === undefined ? { ...row, result: "duplicate" } : { ...row, ...claimed, result: "posted" };
    default:
      throw new Error(`posting ${planned.key} has no outcome`);
  }
}

/** Returns the row that a posting will have if the balance gives or takes everything that is requested. */
export function expectedRow(capped: CappedPosting): OrderPostingRow {
  const { planned, customer, cappedPoints: taken, takenElsewhere } = capped;
  const result = taken === planned.pointValue ? "posted" : planned.pointValue > 0n ? "set_off" : "capped";
  const { key: cause, type, pointValue: requested } = planned;
  return { cause, type, customer, requested, version: null, taken, takenElsewhere, result };
}

/**
 * Returns the requests of all planned postings, assuming that every balance gives what is requested. Undefined if an award comes after a
 * claw-back: its set-off depends on what the balance gives back (`capPostings`).
 */
export function cappedInTurn(
  postings: readonly AssignedPosting[],
  before: readonly OrderPostingRow[],
): readonly CappedPosting[] | undefined {
  const capped: CappedPosting[] = [];
  const sums = sumRows(before);
  let isTaken = false;
  for (const posting of postings) {
    if (isTaken && posting.planned.pointValue > 0n) return undefined;
    const one = cappedPosting(posting, sums);
    capped.push(one);
    addRow(sums, expectedRow(one));
    isTaken ||= one.cappedPoints < 0n;
  }
  return capped;
}
