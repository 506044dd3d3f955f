import { type Change, type Outcome, type Posting, plainPosting } from "../ledger/posting.ts";
import {
  type AskedPosting,
  givenVersions,
  integrationName,
  type OrderPostingRow,
  type OwnedPosting,
  type PostingResult,
  type StoreOrder,
} from "./store-order.ts";

/** The ledger's form of what an order asks for (program.md 4, Allotments). `rows`: what the order posted before. */
export function ledgerPosting(
  owned: AskedPosting,
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
    drawFirst: planned.drawsOwnLots ? givenVersions(rows, customer) : [],
  };
}

function changeOf({ planned, customer, returned, asked: pointValue }: AskedPosting): Change {
  const { giveBack, shortfall } = planned;
  if (giveBack === null) return { kind: "add", pointValue, shortfall: shortfall ?? "refuse" };
  const ofVersion = returned?.version ?? null;
  if (returned === null || ofVersion === null)
    throw new Error(`coupon ${giveBack.couponUid} cost nothing that could come back`);
  const isOwn = returned.customer.customerUid === customer.customerUid;
  return { kind: "give_back", pointValue, ofVersion, skip: giveBack.skip, ...(isOwn ? {} : { of: returned.customer }) };
}

/** An allotment that the same order posted before under the same key. */
export type ClaimedPosting = Pick<OrderPostingRow, "customer" | "version" | "taken">;

/**
 * The row of a posting: what its balance gave or took of what was wanted. `claimed`: where its key was counted before, the
 * order's own allotment of that key; none where another order's source had the same name, which counts there alone.
 */
export function postingRow(
  { planned, customer, asked }: AskedPosting,
  outcome: Outcome | undefined,
  claimed: ClaimedPosting | undefined,
): OrderPostingRow {
  const wanted = planned.pointValue;
  const row = { cause: planned.key, type: planned.type, customer, wanted };
  if (asked === 0n) return { ...row, version: null, taken: 0n, result: "capped" };
  switch (outcome?.kind) {
    case "posted": {
      const result = outcome.pointValue === wanted ? "posted" : shortResult(planned.shortfall);
      return { ...row, version: outcome.version, taken: outcome.pointValue, result };
    }
    case "nothing":
      return { ...row, version: null, taken: 0n, result: shortResult(planned.shortfall) };
    case "refused":
      return { ...row, version: null, taken: 0n, result: "refused" };
    case "duplicate":
      return claimed === undefined
        ? { ...row, version: null, taken: 0n, result: "duplicate" }
        : { ...row, ...claimed, result: "posted" };
    default:
      throw new Error(`posting ${planned.key} has no outcome`);
  }
}

function shortResult(shortfall: OwnedPosting["planned"]["shortfall"]): PostingResult {
  return shortfall === "owe" ? "owed" : "capped";
}
