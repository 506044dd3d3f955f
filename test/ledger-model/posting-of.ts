import { type Posting, plainPosting } from "../../src/ledger/posting.ts";
import type { Step } from "./histories.ts";
import type { ModelCustomer } from "./model.ts";

/** The posting of a step of a random history; null: there is nothing to give back. */
export function postingOf(uid: string, model: ModelCustomer, op: Step["op"], now: Temporal.Instant): Posting | null {
  if (op.kind === "set") return { ...plainPosting(uid, "api", "test", op), extends: "credit" };
  if (op.kind === "give_back") {
    const back = model.returnable(op);
    if (back === null) return null;
    const change = {
      kind: "give_back",
      pointValue: back.value,
      ofVersion: BigInt(back.version),
      skip: back.skip,
    } as const;
    // the key says that points come back, as those of coupons and undone changes do
    return { ...plainPosting(uid, "coupon_reimbursement", "test", change), sourceKey: `coupon_return/${uid}/model` };
  }
  return {
    ...plainPosting(uid, "api", "test", { kind: "add", pointValue: op.value, shortfall: op.cap ? "cap" : "refuse" }),
    extends: op.extends ? "credit" : "never",
    expiresAt: op.ownDays === null ? null : now.add({ hours: 24 * op.ownDays }),
    earnedAt:
      op.earnedDaysAgo === undefined || op.earnedDaysAgo === null
        ? null
        : now.subtract({ hours: 24 * op.earnedDaysAgo }),
    drawFirst: op.drawFirst === null ? [] : [BigInt(op.drawFirst)],
  };
}
